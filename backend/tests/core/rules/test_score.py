"""The score: its formula by hand, its caps, its coverage, and what must hold of it on any findings whatever."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.core.facts.configuration import HOST, Subject
from plumbline.core.rules.compile import compile_packs
from plumbline.core.rules.rule import AppliesTo, Check, Evidence, Fix, Kind, Outcome, Pack, Paper, Rule, TestBed, Verdict
from plumbline.core.rules.score import CAP, PATHS_RULE, Identity, ScoreExplanation, score, severity
from plumbline.core.rules.weights import Traits, Weights, traits_of
from plumbline.packs.files import load_builtin
from tests.core.rules.builders import configuration, san_host

PAPER = Paper("p", "A paper", "Somebody", "2013", (TestBed("windows", ("2012",), ("x520",)),))
TRAITS = Traits("windows", "2012", {"a1": "x520", "a2": "x520", "a3": "x520"}, frozenset({"x520"}))
A1, A2, A3 = (Subject("adapter", name) for name in ("a1", "a2", "a3"))


def rule(name: str, *, pack: str = "one", kind: Kind = "recommended", evidence: tuple[Evidence, ...] = (), **more: object) -> Rule:
    return Rule(
        pack=pack,
        id=name,
        kind=kind,
        title=name,
        summary="",
        why="",
        subject_kind="adapter",
        applies_to=AppliesTo(),
        expect=Check("at_least", "adapter.mtu", (9000,)),
        impact="none",
        fix=Fix(manual_steps=("x",), because="x"),
        evidence=evidence,
        **more,  # type: ignore[arg-type]
    )


def weights(rules: Iterable[Rule] = ()) -> Weights:
    rules = list(rules)
    return Weights(Pack(name, "1.0.0", "", "", (PAPER,), tuple(each for each in rules if each.pack == name)) for name in ("one", "two"))


MEASURED_30 = Evidence("p", "4", "lost 30 percent", "measured", "effect_25_or_more", change_percent=-30)
STATED = Evidence("p", "5", "recommended", "stated", "stated")


def scored(verdicts: list[Verdict], traits: Traits = TRAITS, waived: set[Identity] | None = None, **more: object) -> ScoreExplanation:
    return score(verdicts, weights({each.rule.address: each.rule for each in verdicts}.values()), traits, waived=waived or set(), **more)  # type: ignore[arg-type]


def test_formula_against_worked_figures() -> None:
    heavy, light = rule("heavy", evidence=(STATED, MEASURED_30)), rule("light", evidence=(STATED,))
    explanation = scored([
        Verdict(heavy, A1, "pass"), Verdict(heavy, A2, "fail"), Verdict(light, A1, "pass"), Verdict(light, A2, "not_applicable"),
    ])  # fmt: skip
    # heavy weighs 8 x 1 x 1 and passes on one of two; light weighs 2 x 0.6 x 1 and passes on its only evaluated item.
    assert explanation.uncapped == int(100 * (Fraction(8, 2) + Fraction(12, 10)) / (8 + Fraction(12, 10)))
    assert explanation.score == 56
    line = next(line for line in explanation.lines if line.title == "heavy")
    assert (line.weight.w, line.passing, line.failing, line.weight.evidence) == (8.0, 1, 1, MEASURED_30)
    assert line.points_lost == pytest.approx(100 * 4 / 9.2)
    assert line.severity == "high"


@pytest.mark.parametrize(
    ("families", "release", "w"),
    [({"x520"}, "2012", 8.0), ({"x520"}, "2019", 6.4), ({"t520"}, "2012", 4.0), (set(), "", 4.0)],
)
def test_fit_by_family_and_release(families: set[str], release: str, w: float) -> None:
    assert weights().of(rule("r", evidence=(MEASURED_30,)), frozenset(families), release, "windows").w == w


def test_a_bed_of_another_platform_does_not_fit() -> None:
    assert weights().of(rule("r", evidence=(MEASURED_30,)), frozenset({"x520"}), "2012", "esxi").w == 4.0


def test_without_evidence_a_rule_weighs_one() -> None:
    assert weights().of(rule("r"), frozenset(), "", "windows").w == 1.0


def test_the_best_fitting_subject_decides() -> None:
    traits = replace(TRAITS, families={"a1": "t520", "a2": "x520"})
    explanation = scored([Verdict(rule("r", evidence=(MEASURED_30,)), each, "pass") for each in (A1, A2)], traits)
    assert explanation.lines[0].weight.w == 8.0


def test_a_host_rule_fits_by_the_sans_adapters() -> None:
    host_rule = replace(rule("r", evidence=(MEASURED_30,)), subject_kind="host")
    fitting = scored([Verdict(host_rule, HOST, "pass")])
    other = scored([Verdict(host_rule, HOST, "pass")], replace(TRAITS, san_families=frozenset({"t520"})))
    assert (fitting.lines[0].weight.w, other.lines[0].weight.w) == (8.0, 4.0)


def test_nothing_evaluated_is_no_score() -> None:
    explanation = scored([Verdict(rule("r"), A1, "unknown"), Verdict(rule("s"), HOST, "not_applicable")])
    assert (explanation.score, explanation.uncapped, explanation.without_waivers) == (None, None, None)
    assert explanation.rule_coverage == 0.0
    assert scored([]).rule_coverage is None


@pytest.mark.parametrize("kind", ["informational", "advisory", "attestation", "capability"])
def test_kinds_that_weigh_nothing(kind: Kind) -> None:
    explanation = scored([Verdict(rule("r"), A1, "pass"), Verdict(rule("s", kind=kind), A1, "fail")])
    assert explanation.score == 100
    assert explanation.rule_coverage == 1.0
    assert explanation.counts["fail"] == 0


def test_a_failing_guard_rail_caps_until_waived_or_excluded() -> None:
    guard = rule("guard", kind="guard_rail")
    verdicts = [*(Verdict(rule(f"r{index}"), A1, "pass") for index in range(20)), Verdict(guard, A1, "fail")]
    capped = scored(verdicts)
    assert (capped.score, capped.uncapped) == (CAP, 95)
    assert [(cap.rule, cap.subject) for cap in capped.caps] == [("one/guard", A1)]
    assert next(line for line in capped.lines if line.title == "guard").severity == "critical"
    waived = scored(verdicts, waived={("one/guard", A1)})
    assert (waived.score, waived.without_waivers, waived.caps) == (100, CAP, ())
    assert scored(verdicts, excluded={("one/guard", A1)}).score == 100


def test_a_volume_on_its_last_path_caps_even_without_the_core_pack() -> None:
    traits = replace(TRAITS, thin_volumes=(("v1", 1),))
    verdicts = [Verdict(rule("r"), A1, "pass")]
    explanation = scored(verdicts, traits)
    assert explanation.score == CAP
    assert explanation.caps[0].reason == "a volume has only one healthy path"
    assert scored(verdicts, traits, waived={(PATHS_RULE, Subject("volume", "v1"))}).score == 100


def test_a_cap_never_raises_a_score() -> None:
    verdicts = [Verdict(rule("guard", kind="guard_rail"), A1, "fail"), Verdict(rule("r"), A1, "fail")]
    assert scored(verdicts).score == 0


def test_linked_rules_count_once_with_the_worst_outcome_and_the_largest_weight() -> None:
    first = rule("r", evidence=(STATED,), same_as=("two/s",))
    second = rule("s", pack="two", evidence=(MEASURED_30,))
    explanation = scored([
        Verdict(first, A1, "fail"), Verdict(second, A1, "pass"),
        Verdict(first, A2, "unknown"), Verdict(second, A2, "pass"),
        Verdict(first, A3, "pass"), Verdict(second, HOST, "not_applicable"),
    ])  # fmt: skip
    (line,) = explanation.lines
    assert (line.passing, line.failing, line.unknown, line.weight.w) == (1, 1, 1, 8.0)
    assert line.rules == ("two/s", "one/r")
    assert explanation.score == 50


def test_a_linked_rule_that_applies_nowhere_lends_no_weight() -> None:
    first, second = rule("r", evidence=(STATED,), same_as=("two/s",)), rule("s", pack="two", evidence=(MEASURED_30,))
    explanation = scored([Verdict(first, A1, "pass"), Verdict(second, HOST, "not_applicable")])
    assert explanation.lines[0].weight.w == pytest.approx(1.2)


def test_a_waived_failure_is_not_hidden_behind_the_other_packs_pass() -> None:
    first, second = rule("r", same_as=("two/s",)), rule("s", pack="two")
    explanation = scored([Verdict(first, A1, "fail"), Verdict(second, A1, "pass")], waived={("one/r", A1)})
    assert (explanation.score, explanation.lines[0].waived) == (None, 1)


def test_rule_coverage_shares_the_weight_by_subjects() -> None:
    heavy, light = rule("heavy", evidence=(MEASURED_30,)), rule("light")
    explanation = scored(
        [Verdict(heavy, A1, "pass"), Verdict(heavy, A2, "unknown"), Verdict(light, A1, "fail"), Verdict(light, A2, "fail")],
        waived={("one/light", A2)},
    )
    assert explanation.rule_coverage == pytest.approx((4 + 0.5 + 0.5) / (8 + 1))
    assert explanation.counts == {"pass": 1, "fail": 1, "not_applicable": 0, "unknown": 1, "waived": 1, "excluded": 0}


def test_severity_words() -> None:
    assert [severity(w, caused_cap=False) for w in (8, 5, 4.9, 2, 1.9)] == ["high", "high", "medium", "medium", "low"]
    assert severity(1, caused_cap=True) == "critical"


def test_traits_of_a_configuration() -> None:
    host = configuration({
        "host": {"os_release": "2012r2"},
        "adapter/a1": {"family": "x520", "role": "san_iscsi"},
        "adapter/a2": {"family": "t520", "role": "management"},
        "adapter/a3": {"family": "bcm57810", "role": "other"},
        "initiator/i1": {"mode": "isoe", "adapter": "a3"},
        "volume/v1": {"paths_healthy": 1},
        "volume/v2": {"paths_healthy": 2},
        "volume/v3": {},
    })  # fmt: skip
    traits = traits_of(host)
    assert traits.san_families == {"x520", "bcm57810"}
    assert traits.adapter_of == {"i1": "a3"}
    assert traits.thin_volumes == (("v1", 1),)
    assert traits.os_release == "2012r2"


def test_the_builtin_packs_on_a_good_host() -> None:
    host = san_host()
    packs = load_builtin()
    explanation = score(compile_packs(packs, "windows").evaluate(host), Weights(packs), traits_of(host))
    assert explanation.score == 100
    assert explanation.caps == ()
    rss = san_host(a1={"rss": "disabled"}, a2={})
    broken = score(compile_packs(packs, "windows").evaluate(rss), Weights(packs), traits_of(rss))
    assert broken.score == CAP
    worst = max(broken.lines, key=lambda line: line.points_lost)
    assert worst.rules == ("dell-bp1057-2012/bp1057.guard.x520_rss", "dell-bp1057-2012r2/bp1057r2.guard.x520_rss")
    assert worst.weight.w == 8.0


# --- on any findings whatever ---------------------------------------------------------------------------------------------------------

RULES = [
    rule("heavy", evidence=(MEASURED_30,)), rule("light", evidence=(STATED,)), rule("bare"), rule("guard", kind="guard_rail"),
    rule("linked", same_as=("two/twin",)), rule("twin", pack="two", evidence=(STATED,)), rule("advice", kind="advisory"),
]  # fmt: skip
OUTCOMES: list[Outcome] = ["pass", "fail", "unknown", "not_applicable"]
FINDINGS = st.dictionaries(
    st.tuples(st.sampled_from(range(len(RULES))), st.sampled_from([A1, A2, A3])),
    st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(["", "waived", "excluded"])),
    max_size=21,
)
Findings = dict[tuple[int, Subject], tuple[Outcome, str]]


def explained(findings: Findings) -> ScoreExplanation:
    def marked(mark: str) -> set[Identity]:
        return {(RULES[index].address, subject) for (index, subject), (_, each) in findings.items() if each == mark}

    verdicts = [Verdict(RULES[index], subject, outcome) for (index, subject), (outcome, _) in findings.items()]
    return scored(verdicts, waived=marked("waived"), excluded=marked("excluded"))


@given(FINDINGS)
@settings(deadline=None)
def test_bounds(findings: Findings) -> None:
    explanation = explained(findings)
    assert explanation.rule_coverage is None or 0 <= explanation.rule_coverage <= 1
    if explanation.score is None:
        assert not any(line.evaluated for line in explanation.lines)
        return
    assert explanation.uncapped is not None
    assert 0 <= explanation.score <= explanation.uncapped <= 100
    assert not explanation.caps or explanation.score <= CAP
    # The lines account for every point: what the score lacks is what the lines lost.
    assert sum(line.points_lost for line in explanation.lines) == pytest.approx(100 - explanation.uncapped, abs=1)


@given(FINDINGS, st.data())
@settings(deadline=None)
def test_putting_one_right_never_lowers_and_breaking_one_never_raises(findings: Findings, data: st.DataObject) -> None:
    failing = sorted((key for key, (outcome, _) in findings.items() if outcome == "fail"), key=str)
    if not failing:
        return
    key = data.draw(st.sampled_from(failing))
    before = explained(findings)
    after = explained({**findings, key: ("pass", findings[key][1])})
    if before.score is not None and after.score is not None:
        assert after.score >= before.score
        assert len(after.caps) <= len(before.caps)


@given(FINDINGS, st.data())
@settings(deadline=None)
def test_reading_more_never_lowers_coverage(findings: Findings, data: st.DataObject) -> None:
    unknown = sorted((key for key, (outcome, _) in findings.items() if outcome == "unknown"), key=str)
    if not unknown:
        return
    key = data.draw(st.sampled_from(unknown))
    before, after = explained(findings).rule_coverage, explained({**findings, key: ("pass", findings[key][1])}).rule_coverage
    if before is not None and after is not None:
        assert after >= before - 1e-12


@given(FINDINGS)
@settings(deadline=None)
def test_order_does_not_matter(findings: Findings) -> None:
    backwards = dict(reversed(list(findings.items())))
    one, other = explained(findings), explained(backwards)
    assert (one.score, one.uncapped, one.without_waivers, one.rule_coverage) == (
        other.score,
        other.uncapped,
        other.without_waivers,
        other.rule_coverage,
    )
