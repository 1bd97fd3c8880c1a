"""The headlines of rules: checked in the file, and true of every case of the built-in packs."""

import re
from pathlib import Path

import pytest

from plumbline.core.rules import headlines, words
from plumbline.core.rules.headlines import counted_items, headline, template, with_items
from plumbline.core.rules.rule import Attested, Rule
from plumbline.infra.errors import RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.cases import evaluate_case, load_cases
from plumbline.packs.files.check import check_folder, summary
from plumbline.packs.files.load import load_folder, load_pack
from tests.packs.files.test_load import RULE, write_pack

LOADED = load_folder(RULESETS)
RULES = {rule.id: rule for loaded in LOADED for rule in loaded.pack.rules}
# Every finding of every case: rule, item, outcome, reason, observed.
FINDINGS = [
    (RULES[case.rule], finding, case.path)
    for loaded in LOADED
    for case in load_cases(loaded.folder, loaded.pack, [])
    for finding in evaluate_case(case, RULES[case.rule])
]


def _headline(rule_id: str, case: str) -> list[str]:
    found = [
        headline(rule, each.subject, each.outcome, each.reason, each.observed, [each.subject.id])
        for rule, each, path in FINDINGS
        if path.endswith(f"/{rule_id}.{case}.yaml")
    ]
    assert found, f"no such case: {rule_id}.{case}"
    return found


def test_every_rule_has_texts_without_a_warning() -> None:
    assert {rule.id: headlines.problems_of(rule) for rule in RULES.values() if headlines.problems_of(rule)} == {}


def test_every_failing_case_says_what_is_wrong() -> None:
    """No case falls back to "not as required", none leaves a placeholder, none says the title."""
    failing = [(rule, each, path) for rule, each, path in FINDINGS if each.outcome == "fail"]
    assert {rule.id for rule, _, _ in failing} == RULES.keys()
    for rule, each, path in failing:
        said = headline(rule, each.subject, each.outcome, each.reason, each.observed, [each.subject.id or "host"])
        assert "not as required" not in said, path
        assert not re.search(r"[{}]|  | on $|: $", said), (path, said)
        assert said != rule.title, path
        assert len(said) <= 100, (path, said)


def test_every_unknown_case_says_what_could_not_be_checked() -> None:
    for rule, each, path in FINDINGS:
        if each.outcome == "unknown":
            said = headline(rule, each.subject, each.outcome, each.reason, each.observed, [each.subject.id])
            assert not re.search(r"[{}]|  | on $", said), (path, said)
            assert "could not be checked" in said or dict(rule.headline_unknown), path


def test_a_pass_shows_the_title() -> None:
    for rule, each, path in FINDINGS:
        if each.outcome in ("pass", "not_applicable"):
            assert headline(rule, each.subject, each.outcome, each.reason, each.observed, ["x"]) == rule.title, path


@pytest.mark.parametrize(
    ("rule_id", "case", "said"),
    [
        ("bp1057.flow_control", "receive_only.fail", ["Flow control is Rx only on a1"]),
        ("bp1057.x520.jumbo", "one_below.fail", ["MTU differs from other SAN adapters on a1", "MTU is below 9000 on a2"]),
        # The part that fails is about Windows itself, so that no adapter is named.
        ("bp1057.guard.x520_rss", "system_off.fail", ["RSS is disabled in Windows"]),
        ("bp1057.guard.x520_rss", "adapter_off.fail", ["RSS is disabled on a1"]),
        ("chelsio.rdma", "half_on.fail", ["RDMA is enabled but not active on a1"]),
        ("qle3142.esxi.offloads", "half_on.fail", ["TSO is disabled on a1"]),
        ("core.paths.two_healthy", "one.fail", ["Fewer than two healthy paths: v1"]),
        ("esxi55.login_timeout.target", "short.fail", ["Login timeout is 5 seconds, below 60 seconds on t1"]),
    ],
)
def test_headlines_read_aloud(rule_id: str, case: str, said: list[str]) -> None:
    assert _headline(rule_id, case) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [("not_run", "Frame test not run on a1"), ("silent", "Frame test got no reply on a1")],
)
def test_an_unknown_frame_test_says_why(value: str, said: str) -> None:
    found = {text for rule, each, _ in FINDINGS if rule.id == "core.probe.adapter" and each.outcome == "unknown"
             for text in [headline(rule, each.subject, each.outcome, each.reason, each.observed, [each.subject.id])]}  # fmt: skip
    assert said in found, found


def test_what_was_not_listed_is_not_said_of_the_setting() -> None:
    """Where the items or a clause are unknown, the rule's own text about the setting would be wrong."""
    for rule, each, path in FINDINGS:
        is_elsewhere = each.reason.startswith(words.CANNOT_TELL) or (each.subject.kind == "host" and rule.subject_kind != "host")
        if each.outcome == "unknown" and is_elsewhere and not isinstance(rule.expect, Attested):
            said = headline(rule, each.subject, each.outcome, each.reason, each.observed, [each.subject.id])
            assert said.startswith(f"{rule.title}: could not be checked"), path


@pytest.mark.parametrize(
    ("items", "said"),
    [
        ([], "Flow control is off on "),
        (["SAN1"], "Flow control is off on SAN1"),
        (["SAN1", "SAN2"], "Flow control is off on SAN1 and SAN2"),
        (["SAN1", "SAN2", "SAN3"], "Flow control is off on SAN1, SAN2 and SAN3"),
        (["SAN1", "SAN2", "SAN3", "SAN4", "SAN5"], "Flow control is off on SAN1, SAN2 and 3 more"),
        (["SAN1", "SAN1"], "Flow control is off on SAN1"),
    ],
)
def test_items_are_named_up_to_three(items: list[str], said: str) -> None:
    assert with_items("Flow control is off on {items}", items) == said


def test_lists_may_count_the_items() -> None:
    assert counted_items("Flow control is off on {items}", "adapter", 1) == "Flow control is off on 1 adapter"
    assert counted_items("Flow control is off on {items}", "qos_policy", 2) == "Flow control is off on 2 QoS policies"


def test_the_reason_alone_gives_the_same_headline() -> None:
    """The overview reads the log of findings, which has the reason and not the observed value."""
    for rule, each, path in FINDINGS:
        if each.outcome == "fail":
            whole = template(rule, each.subject, "fail", each.reason, each.observed)
            assert template(rule, each.subject, "fail", each.reason, "") == whole, path


def test_several_ways_to_fail_name_the_most_frequent() -> None:
    rule = RULES["bp1057.flow_control"]
    off, receive = "Flow control is off; expected Rx & Tx", "Flow control is Rx only; expected Rx & Tx"
    failing = [headlines.Failing(headlines.Subject("adapter", f"a{at}"), reason) for at, reason in enumerate((receive, off, off))]
    assert headlines.failing_headline(rule, failing) == "Flow control is off on 2 adapters, and 1 more"
    assert headlines.failing_headline(rule, failing[1:], lambda subject: subject.id.upper()) == "Flow control is off on A1 and A2"
    assert headlines.failing_headline(rule, []) == "Flow control on SAN adapters: not as required"


def _mine(folder: Path, headline_lines: str) -> Rule:
    rule = RULE.replace("title: Jumbo frames\n", f"title: Jumbo frames\n{headline_lines}")
    return load_pack(write_pack(folder, rule)).pack.rules[0]


def test_a_rule_without_a_headline_never_reads_as_its_opposite(tmp_path: Path) -> None:
    rule = _mine(tmp_path, "")
    subject = headlines.Subject("adapter", "a1")
    assert template(rule, subject, "fail", "L3 MTU is 1500 bytes", "L3 MTU 1500 bytes") == "Jumbo frames: not as required on {items}"
    assert template(rule, subject, "unknown", "L3 MTU: no rights", "") == "Jumbo frames: could not be checked on {items}"


def test_stored_texts_of_another_form_give_no_false_value(tmp_path: Path) -> None:
    """A row that an older version wrote may call the setting otherwise."""
    rule = _mine(tmp_path, 'headline: "MTU is {value}"\n')
    subject = headlines.Subject("adapter", "a1")
    assert template(rule, subject, "fail", "", "L3 MTU 1500 bytes") == "MTU is 1500 bytes on {items}"
    assert template(rule, subject, "fail", "", "Frame size 1500 bytes") == "Jumbo frames: not as required on {items}"


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ('headline: ["a", "b"]\n', 4, "this rule has no all_of: write one text"),
        ('headline: "MTU is {size}"\n', 4, "{size} is not known in a headline"),
        ('headline: "MTU is {value"\n', 4, "{value is not known in a headline"),
        ("headline: {a: b}\n", 4, "should be text or a list and is a mapping"),
        ('headline_unknown: "{value}"\n', 4, "{value} is not known here"),
        ('headline_unknown: {silent: "no reply"}\n', 4, "'silent' is not a value of the setting"),
        ('headline: ""\n', 4, ""),
    ],
)
def test_a_mistake_in_a_headline_is_refused_with_its_line(tmp_path: Path, lines: str, line: int, message: str) -> None:
    with pytest.raises(RulesetInvalid) as caught:
        _mine(tmp_path, lines)
    assert caught.value.message.startswith(f"mine/rules/mine.jumbo.yaml:{line}: ")
    assert message in caught.value.message


def test_parts_have_a_headline_each(tmp_path: Path) -> None:
    text = RULE.replace(
        "expect: {setting: adapter.mtu, at_least: 9000}",
        "expect: {all_of: [{setting: adapter.mtu, at_least: 9000}, {setting: host.tcp.rss, equals: enabled}]}",
    )
    with pytest.raises(RulesetInvalid, match="this one has 2 parts"):
        load_pack(write_pack(tmp_path, text.replace("summary:", 'headline: ["MTU is below 9000"]\nsummary:')))


def test_the_check_warns_and_prints_the_headlines(tmp_path: Path) -> None:
    mine = write_pack(tmp_path, RULE.replace("title: Jumbo frames", "title: Jumbo frames stay on").replace(
        "summary:", f"headline: \"{'MTU is below 9000 ' * 4}\"\nsummary:"
    ))  # fmt: skip
    (mine / "cases").mkdir()
    for name, mtu in (("large.pass", "9000"), ("small.fail", "1500"), ("unread.unknown", '{unknown: "why"}')):
        text = f"settings: {{adapter/a1: {{family: x520, role: san_iscsi, mtu: {mtu}}}}}\n"
        (mine / "cases" / f"mine.jumbo.{name}.yaml").write_text(text)
    (mine / "cases" / "mine.jumbo.other.not_applicable.yaml").write_text("settings: {adapter/a1: {family: x520, role: management}}\n")
    checked = check_folder(tmp_path)
    assert [problem.message for problem in checked.problems] == []
    lines = summary(checked, with_headlines=True)
    assert any(line.startswith("warning: mine/rules/mine.jumbo.yaml:4: the title has the verb 'stay'") for line in lines)
    assert any("characters; at most 60 fit into a list" in line for line in lines)
    assert any(line.startswith("  mine/cases/mine.jumbo.small.fail.yaml: MTU is below 9000 ") for line in lines)
    assert "headlines of the failing cases:" not in summary(checked)
