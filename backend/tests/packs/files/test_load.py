"""Every mistake in a pack is refused with its file and line."""

import shutil
from pathlib import Path

import jsonschema
import pytest
import yaml

from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.infra.errors import RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.packs.files import schema
from plumbline.packs.files.check import check_folder
from plumbline.packs.files.load import load_folder, load_pack, pack_from_document
from plumbline.packs.files.yaml_lines import parse
from tests.core.rules.builders import san_host

PACK = """\
pack: mine
version: 1.0.0
title: Mine
summary: A pack for tests.
papers:
  paper:
    title: A paper
    publisher: Somebody
    edition: "2013"
    beds: [{platform: windows, os_releases: ["2012"], families: [x520]}]
"""
RULE = """\
id: mine.jumbo
kind: recommended
title: Jumbo frames
summary: Frames of 9000 bytes.
why: Because.
status: {state: active}
applies_to:
  platform: windows
  adapter:
    family: x520
    role: {is: san_iscsi, else: "not a SAN adapter"}
expect: {setting: adapter.mtu, at_least: 9000}
evidence:
  - {paper: paper, at: "1", says: "so", strength: stated, band: stated}
impact: adapter_restart
fix: {set: [{setting: adapter.mtu, to: 9000}]}
"""


def write_pack(folder: Path, rule: str = RULE, pack: str = PACK) -> Path:
    mine = folder / "mine"
    (mine / "rules").mkdir(parents=True)
    (mine / "pack.yaml").write_text(pack)
    (mine / "rules" / "mine.jumbo.yaml").write_text(rule)
    return mine


def test_a_good_pack(tmp_path: Path) -> None:
    loaded = load_pack(write_pack(tmp_path))
    (rule,) = loaded.pack.rules
    assert (rule.address, rule.subject_kind, rule.reads) == (
        "mine/mine.jumbo",
        "adapter",
        {"adapter.mtu", "adapter.role", "adapter.family"},
    )
    assert pack_from_document(loaded.document) == loaded.pack


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("title: Jumbo frames\n", "title: Jumbo frames\ncolour: red\n", 4, "unknown field `colour`"),
        ("title: Jumbo frames\n", "titel: Jumbo frames\n", 3, "unknown field `titel`; did you mean `title`?"),
        ("kind: recommended", "kind: important", 2, "'important' is not one of recommended, guard_rail"),
        ("why: Because.\n", "", 1, "missing required field `why`"),
        ("at_least: 9000", "at_least: lots", 12, "'lots' is not of the type of adapter.mtu (int)"),
        ("at_least: 9000", 'at_least: "9000"', 12, "'9000' is not of the type of adapter.mtu (int)"),
        ("at_least: 9000", "at_least: 1.2", 12, "and is a number with a point"),
        ("setting: adapter.mtu, at_least: 9000", "setting: host.mem, at_least: 2", 12, "2 is not of the type of host.mem (version)"),
        ("setting: adapter.mtu, at_least: 9000", "setting: host.mem, at_least: later", 12, "'later' is no version"),
        ("setting: adapter.mtu, at_least: 9000", 'setting: host.mem, at_most: 1', 12, "host.mem is no number"),
        ("setting: adapter.mtu, at_least", "setting: adapter.frames, at_least", 12, "'adapter.frames' is no setting of the catalogue"),
        ("at_least: 9000", "at_least: 9000, at_most: 9600", 12, "exactly one operator, this one has at_least, at_most"),
        (", at_least: 9000", "", 12, "exactly one operator, this one has none"),
        ("setting: adapter.mtu, at_least: 9000", "setting: adapter.name, at_least: 9000", 12, "adapter.name is no number"),
        ("setting: adapter.mtu, at_least: 9000", "setting: adapter.rss, equals: sometimes", 12, "'sometimes' is not a value of "),
        ("setting: adapter.mtu, at_least: 9000", "setting: adapter.flow_control, equals: off", 12, "YAML reads off, on, yes and no"),
        ("setting: adapter.mtu, at_least: 9000", "setting: volume.paths_healthy, at_least: 2", 12, "name the `subject`"),
        ("family: x520", "family: x5200", 10, "'x5200' is not a value of adapter.family"),
        ("family: x520", "family: {is: x520, is_not: bcm57810}", 10, "a condition has exactly one of"),
        ("family: x520", "colour: red", 10, "'adapter.colour' is no setting"),
        ("family: x520", "family: {at_least: 3}", 10, "adapter.family is no number"),
        ("  adapter:\n    family", "  vnic: {role: san_iscsi}\n  adapter:\n    family", 13, "name the `subject`"),
        ("paper: paper", "paper: another", 14, "'another' is no paper of this pack"),
        ("strength: stated", "strength: measured", 14, "measured evidence states its figure"),
        ("strength: stated, band: stated", "strength: chart, band: stated, change_percent: 600", 14, "carries no figure"),
        ("to: 9000", "to: nine", 16, "'nine' is not of the type of adapter.mtu"),
        ("fix: {set: [{setting: adapter.mtu, to: 9000}]}", "fix: {}", 16, "either sets something or is manual_only"),
        ("fix: {set: [{setting: adapter.mtu, to: 9000}]}", "fix: {manual_only: [go]}", 16, "needs `because`: why no step may do it"),
        ("setting: adapter.mtu, to: 9000", "setting: adapter.mtu_operational, to: 9000", 16, "is operational and can't be set"),
        ("title: Jumbo frames", "title: Jumbo frames\ntitle: Again", 4, "'title' is here twice"),
        ("why: Because.", "why: [Because", 6, "this is not YAML"),
        ("why: Because.", "why: !!python/object:os.system {}", 5, "should be text and is a mapping"),
        ("why: Because.", "why: &w Because.\ncovers: [*w]", 5, "aliases are not used"),
        ("id: mine.jumbo", "id: mine.other", 1, "its file 'mine.jumbo.yaml'"),
        ("impact: adapter_restart", "same_as: [other/rule]\nimpact: adapter_restart", 15, "there is no rule 'other/rule'"),
        ("impact: adapter_restart", "same_as: [mine/mine.jumbo]\nimpact: adapter_restart", 15, "not the same as itself"),
    ],
)  # fmt: skip
def test_mistake_in_a_rule(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert old in RULE
    write_pack(tmp_path, RULE.replace(old, new, 1))
    with pytest.raises(RulesetInvalid) as caught:
        load_folder(tmp_path)
    where, _, message = caught.value.message.partition(": ")
    assert words in message
    assert where == f"mine/rules/mine.jumbo.yaml:{line}"
    assert caught.value.details == {"file": "mine/rules/mine.jumbo.yaml", "line": line}


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("version: 1.0.0", "version: one", 2, "matching regex"),
        ("pack: mine", "pack: yours", 1, "its folder 'mine'"),
        ("families: [x520]", "families: [x5200]", 10, "'x5200' is no adapter family"),
        ('os_releases: ["2012"]', 'os_releases: ["1999"]', 10, "'1999' is no release"),
        ("title: Mine\n", "", 1, "missing required field `title`"),
    ],
)
def test_mistake_in_a_pack(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    write_pack(tmp_path, pack=PACK.replace(old, new, 1))
    with pytest.raises(RulesetInvalid) as caught:
        load_folder(tmp_path)
    assert caught.value.message.startswith(f"mine/pack.yaml:{line}: ")
    assert words in caught.value.message


def test_two_rules_of_one_id(tmp_path: Path) -> None:
    write_pack(tmp_path)
    shutil.copytree(tmp_path / "mine", tmp_path / "second")
    (tmp_path / "second" / "pack.yaml").write_text(PACK.replace("pack: mine", "pack: second"))
    with pytest.raises(RulesetInvalid, match=r"second/rules/mine.jumbo.yaml:1: the id 'mine.jumbo' is taken by pack mine"):
        load_folder(tmp_path)


def test_no_pack_at_all(tmp_path: Path) -> None:
    with pytest.raises(RulesetInvalid, match=r"no pack\.yaml"):
        load_folder(tmp_path)


@pytest.mark.parametrize("text", ["", "\xff", "- a\n\x00", "a: {b"])
def test_no_yaml(text: str) -> None:
    with pytest.raises(RulesetInvalid, match=r"^x.yaml:\d+: "):
        parse(text if text != "\xff" else "\x01", "x.yaml")


def test_the_check_names_missing_and_wrong_cases_and_goes_on(tmp_path: Path) -> None:
    mine = write_pack(tmp_path)
    cases = mine / "cases"
    cases.mkdir()
    (cases / "mine.jumbo.a.pass.yaml").write_text("settings: {adapter/a1: {family: x520, role: san_iscsi, mtu: 9000}}\n")
    (cases / "mine.jumbo.b.fail.yaml").write_text("settings: {adapter/a1: {family: x520, role: san_iscsi, mtu: 9000}}\n")
    messages = [problem.message for problem in check_folder(tmp_path).problems]
    assert messages == [
        "mine/rules/mine.jumbo.yaml:1: no case shows not_applicable, unknown; write cases/mine.jumbo.<what>.not_applicable.yaml,"
        " cases/mine.jumbo.<what>.unknown.yaml",
        "mine/cases/mine.jumbo.b.fail.yaml:1: should be fail, came out as adapter/a1 pass (as expected)",
    ]


def test_a_paper_of_the_site_needs_no_test_bed_and_an_attestation_of_all_hosts_no_exception(tmp_path: Path) -> None:
    mine = write_pack(tmp_path)
    (mine / "pack.yaml").write_text(
        "pack: mine\nversion: 1.0.0\ntitle: t\nsummary: s\npapers:\n  house: {title: t, publisher: p, edition: e}\n"
    )
    for path in (mine / "rules").iterdir():
        path.unlink()
    (mine / "rules" / "mine.labels.yaml").write_text(
        "id: mine.labels\nkind: attestation\ntitle: t\nsummary: s\nwhy: w\nstatus: {state: active}\napplies_to: {}\n"
        "expect: {attested: cables are labelled}\nimpact: none\nfix: {manual_only: [label them], because: cables}\n"
        "evidence: [{paper: house, at: '2', says: labels, strength: own_judgement, band: stated}]\n"
    )
    (mine / "cases").mkdir()
    for name, said in (("yes.pass", "attested: true\n"), ("no.fail", "attested: false\n"), ("nobody.unknown", "platform: esxi\n")):
        (mine / "cases" / f"mine.labels.{name}.yaml").write_text(said)
    assert [problem.message for problem in check_folder(tmp_path).problems] == []
    (mine / "cases" / "mine.labels.late.unknown.yml").write_text("attested: over\n")
    assert [problem.message for problem in check_folder(tmp_path).problems] == [
        "mine/cases/mine.labels.late.unknown.yml:1: is not read; files of a pack end in .yaml"
    ]


def test_a_version_that_yaml_reads_as_a_number(tmp_path: Path) -> None:
    mine = write_pack(tmp_path)
    (mine / "pack.yaml").write_text(PACK.replace("version: 1.0.0", "version: 1.0"))
    with pytest.raises(RulesetInvalid, match=r"pack\.yaml:\d: should be text and is a number with a point; write it in quotes"):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("mine.other.a.pass", "settings: {}\n", ":1: the name of a case is"),
        ("mine.jumbo.a.good", "settings: {}\n", ":1: the name of a case is"),
        ("mine.jumbo.a.pass", "settings: {adapter/a1: {colour: red}}\n", ":1: 'adapter.colour' is no setting"),
        ("mine.jumbo.a.pass", "settings:\n  nic/a1: {mtu: 9000}\n", ":2: 'nic/a1' is no subject"),
        ("mine.jumbo.a.pass", "colour: red\nsettings: {}\n", ":1: unknown field `colour`"),
        ("mine.jumbo.a.fail", "settings: {adapter/a1: {role: san_iscsl}}\n", ":1: 'san_iscsl' is not a value of adapter.role"),
        ("mine.jumbo.a.fail", "settings: {adapter/a1: {mtu: '9000'}}\n", ":1: '9000' is not of the type of adapter.mtu"),
        ("mine.jumbo.a.unknown", "settings: {adapter/a1: {mtu: {unkown: x}}}\n", ":1: a value, or {unknown: "),
    ],
)
def test_mistake_in_a_case(tmp_path: Path, name: str, text: str, words: str) -> None:
    cases = write_pack(tmp_path) / "cases"
    cases.mkdir()
    (cases / f"{name}.yaml").write_text(text)
    messages = [problem.message for problem in check_folder(tmp_path).problems]
    assert any(message.startswith(f"mine/cases/{name}.yaml{words}") for message in messages), messages


def test_the_check_collects_the_mistakes_of_all_files(tmp_path: Path) -> None:
    mine = write_pack(tmp_path, RULE.replace("kind: recommended", "kind: important"))
    (mine / "rules" / "mine.second.yaml").write_text(RULE.replace("mine.jumbo", "mine.second").replace("paper: paper", "paper: none"))
    lines = [problem.message.split(": ")[0] for problem in check_folder(tmp_path).problems]
    assert lines[:2] == ["mine/rules/mine.jumbo.yaml:2", "mine/rules/mine.second.yaml:14"]


def test_links_into_the_builtin_packs_are_known(tmp_path: Path) -> None:
    write_pack(tmp_path, RULE.replace("impact:", "same_as: [dell-bp1057-2012/bp1057.x520.jumbo]\nimpact:"))
    assert not any("there is no rule" in problem.message for problem in check_folder(tmp_path).problems)
    assert [loaded.pack.id for loaded in load_folder(tmp_path, others=load_folder(RULESETS))] == ["mine"]
    with pytest.raises(RulesetInvalid, match="there is no rule"):
        load_folder(tmp_path)


def test_a_site_may_not_take_the_id_of_a_builtin_rule(tmp_path: Path) -> None:
    mine = write_pack(tmp_path, RULE.replace("mine.jumbo", "bp1057.x520.jumbo"))
    (mine / "rules" / "mine.jumbo.yaml").rename(mine / "rules" / "bp1057.x520.jumbo.yaml")
    with pytest.raises(RulesetInvalid, match=r"mine/rules/bp1057.x520.jumbo.yaml:1: the id .* is taken by pack dell-bp1057-2012"):
        load_folder(tmp_path, others=load_folder(RULESETS))


# --- schema.json ---------------------------------------------------------------------------------------------------------------------


def test_schema_is_current() -> None:
    assert (RULESETS / "schema.json").read_text() == schema.text(), "run: python -m plumbline.packs.files.schema"


def test_schema_accepts_every_builtin_rule() -> None:
    validator = jsonschema.Draft202012Validator(schema.rule_schema())
    validator.check_schema(schema.rule_schema())
    paths = list(RULESETS.glob("*/rules/*.yaml"))
    assert len(paths) > 100
    for path in paths:
        assert [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))] == [], path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: recommended", "kind: important"),
        ("why: Because.\n", ""),
        ("at_least: 9000", "at_least: 9000, at_most: 9600"),
        (", at_least: 9000", ""),
        ("setting: adapter.mtu, at", "setting: adapter.frames, at"),
        ("title: Jumbo frames", "colour: red"),
        ("strength: stated", "strength: guessed"),
    ],
)
def test_schema_refuses_what_the_loader_refuses(old: str, new: str) -> None:
    assert list(jsonschema.Draft202012Validator(schema.rule_schema()).iter_errors(yaml.safe_load(RULE))) == []
    assert list(jsonschema.Draft202012Validator(schema.rule_schema()).iter_errors(yaml.safe_load(RULE.replace(old, new, 1)))) != []


@pytest.mark.parametrize(
    ("condition", "retired", "active"),
    [
        ("os_build: {at_least: 14393}", {"os_build": 14393}, {"os_build": 14392}),
        ("os_build: {at_most: 9200}", {"os_build": 9200}, {"os_build": 9201}),
        ('os_release: "2019"', {"os_release": "2019"}, {"os_release": "2016"}),
        ('os_release: {is_not: "2012"}', {"os_release": "2016"}, {"os_release": "2012"}),
    ],
)
def test_a_rule_is_retired_exactly_from_its_condition_on(
    tmp_path: Path, condition: str, retired: dict[str, object], active: dict[str, object]
) -> None:
    text = RULE.replace("{state: active}", f"{{state: active, retired_on: {{host: {{{condition}}}, why: withdrawn}}}}")
    (rule,) = load_pack(write_pack(tmp_path, text)).pack.rules
    (finding,) = evaluate_rule(rule, san_host(host=retired, a1={}))
    assert (finding.outcome, finding.reason) == ("not_applicable", "withdrawn")
    (finding,) = evaluate_rule(rule, san_host(host=active, a1={}))
    assert finding.outcome == "pass"


@pytest.mark.parametrize(
    ("state", "expect", "words"),
    [
        ("retired", "", "should be pass, came out as nothing"),
        ("active", "expect: {adapter/a1: fail}\n", "should be pass, came out as adapter/a1 fail"),
    ],
)
def test_a_case_that_shows_nothing_is_no_case(tmp_path: Path, state: str, expect: str, words: str) -> None:
    mine = write_pack(tmp_path, RULE.replace("state: active", f"state: {state}"))
    (mine / "cases").mkdir()
    case = f"settings: {{adapter/a1: {{family: x520, role: san_iscsi, mtu: 1500}}}}\n{expect}"
    (mine / "cases" / "mine.jumbo.a.pass.yaml").write_text(case)
    assert any(words in problem.message for problem in check_folder(tmp_path).problems)
