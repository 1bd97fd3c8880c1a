"""The pack that `docs/writing-rules.md` has a reader write is valid as printed there."""

import re
from pathlib import Path

from plumbline.infra.resources import RULESETS
from plumbline.packs.files.check import check_folder, summary

DOCUMENT = RULESETS.parents[1] / "docs" / "writing-rules.md"
# The four cases as the text of the page describes them.
CASES = {
    "long.pass": "mode: software, login_timeout_seconds: 60",
    "short.fail": "mode: software, login_timeout_seconds: 5",
    "hba.not_applicable": "mode: isoe",
    "unread.unknown": "mode: software",
}


def test_the_first_pack_of_the_document_is_in_order(tmp_path: Path) -> None:
    text = DOCUMENT.read_text()
    pack = tmp_path / "acme-san"
    for name, body in re.findall(r"```yaml\n# (pack\.yaml|rules/acme\S+)\n(.*?)```", text, re.DOTALL):
        path = pack / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
    (pack / "cases").mkdir()
    for name, settings in CASES.items():
        assert f"cases/acme.login_timeout.{name}.yaml" in text
        (pack / "cases" / f"acme.login_timeout.{name}.yaml").write_text(f"platform: esxi\nsettings: {{initiator/i1: {{{settings}}}}}\n")
    checked = check_folder(tmp_path)
    assert [problem.message for problem in checked.problems] == []
    assert summary(checked)[0].startswith("acme-san 1.0.0: 1 rule (1 recommended), ")
    assert checked.cases == len(CASES)
