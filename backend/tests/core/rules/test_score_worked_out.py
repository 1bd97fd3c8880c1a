"""Three small hosts whose scores are worked out in the comments, by hand and with the weights of docs/writing-rules.md: the score,
the figures that the API tells of each rule, and the score if every rule counted the same, are all held to the same sum on paper.

w = band x strength x fit, the largest among a rule's evidence; 1 without evidence:

| rule | kind | evidence | band x strength | fit 1 | fit 0.8 | fit 0.5 |
|---|---|---|---|---|---|---|
| jumbo | recommended | stated, stated | 2 x 0.6 | 1.2 | 0.96 | 0.6 |
| jumbo of the other pack, the same advice | recommended | 10 to 25 percent, own judgement | 5 x 0.4 | 2 | 1.6 | 1 |
| guard | guard_rail | 25 percent or more, measured | 8 x 1 | 8 | 6.4 | 4 |
| loss | recommended | retransmits, chart; and stated, stated | 3 x 0.8 | 2.4 | 1.92 | 1.2 |
| alike | consistency | none | | 1 | 1 | 1 |

The paper was measured on Windows Server 2012 with the X520.
"""

from collections.abc import Collection

import pytest

from plumbline.core.facts.configuration import HOST, Subject
from plumbline.core.rules.rule import AppliesTo, Check, Evidence, Fix, Kind, Pack, Paper, Rule, TestBed, Verdict
from plumbline.core.rules.score import Identity, ScoreExplanation, score
from plumbline.core.rules.weights import Traits, Weights
from plumbline.evaluation.explain import host_score_of
from plumbline.evaluation.schemas import HostScore

PAPER = Paper("paper", "A paper", "Somebody", "2013", (TestBed("windows", ("2012",), ("x520",)),))
STATED = Evidence("paper", "Table 6", "", "stated", "stated")
OWN = Evidence("paper", "5", "", "own_judgement", "effect_10_to_25")
MEASURED = Evidence("paper", "4.2.7", "", "measured", "effect_25_or_more", change_percent=-30)
CHART = Evidence("paper", "Figure 4", "", "chart", "retransmit")
A1, A2, A3 = (Subject("adapter", name) for name in ("a1", "a2", "a3"))


def rule(pack: str, name: str, kind: Kind, evidence: tuple[Evidence, ...], subject: str = "adapter", same_as: tuple[str, ...] = ()) -> Rule:
    return Rule(
        pack=pack,
        id=name,
        kind=kind,
        title=name,
        summary="",
        why="",
        subject_kind=subject,
        applies_to=AppliesTo(),
        expect=Check("at_least", "adapter.mtu", (9000,)),
        impact="none",
        fix=Fix(manual_steps=("x",), because="x"),
        evidence=evidence,
        same_as=same_as,
    )


JUMBO = rule("one", "jumbo", "recommended", (STATED,))
JUMBO_TOO = rule("two", "jumbo", "recommended", (OWN,), same_as=("one/jumbo",))
GUARD = rule("one", "guard", "guard_rail", (MEASURED,))
LOSS = rule("one", "loss", "recommended", (STATED, CHART))
ALIKE = rule("one", "alike", "consistency", (), subject="host")
WEIGHTS = Weights([
    Pack("one", "1.0.0", "", "", (PAPER,), (JUMBO, GUARD, LOSS, ALIKE)),
    Pack("two", "1.0.0", "", "", (PAPER,), (JUMBO_TOO,)),
])  # fmt: skip


def seen(
    verdicts: list[Verdict], traits: Traits, *, waived: Collection[Identity] = (), excluded: Collection[Identity] = ()
) -> tuple[ScoreExplanation, HostScore]:
    """The score and its explanation in the API. For any host, the shown parts must add up to the shown whole."""
    explained = score(verdicts, WEIGHTS, traits, waived=frozenset(waived), excluded=frozenset(excluded))
    shown = host_score_of(explained, stored_score=explained.score, capped_by=explained.caps[0].reason if explained.caps else "")
    assert sum(each.points_possible for each in shown.rules) == pytest.approx(100)
    assert int(100 - sum(each.points_lost for each in shown.rules) + 1e-9) == shown.uncapped
    assert sum(each.counted_possible for each in shown.rules) == pytest.approx(100)
    assert int(100 - sum(each.counted_lost for each in shown.rules) + 1e-9) == shown.count_based
    for each in shown.rules:
        assert each.band_points * each.strength_factor * each.fit == pytest.approx(each.weight)
    return explained, shown


def by_rule(shown: HostScore) -> dict[str, tuple[float, int, int, float, float]]:
    """(weight, passing, evaluated, points possible, points lost) by the rule that gave the weight."""
    return {
        f"{each.pack}/{each.rule}": (each.weight, each.passing, each.judged, round(each.points_possible, 2), round(each.points_lost, 2))
        for each in shown.rules
    }


def test_the_papers_own_bed_with_one_adapter_left_behind() -> None:
    """Windows Server 2012, two X520: fit 1 for every rule.

    jumbo   2 (the larger of 1.2 and 2); a1 passes in both packs, a2 fails in one, which is the worst: 1 of 2   2 x 1/2 = 1
    guard   8; both pass                                                                                       8 x 2/2 = 8
    loss    2.4; a1 passes, a2 could not be read and is not judged: 1 of 1                                     2.4 x 1/1 = 2.4
    alike   1; the host fails: 0 of 1                                                                          0
    score   100 x 11.4 / 13.4 = 85.07, rounded down 85
    counted 100 x (1/2 + 1 + 1 + 0) / 4 = 62.5, rounded down 62
    cover   (2 + 8 + 2.4 x 1/2 + 1) / 13.4 = 12.2 / 13.4
    """
    explained, shown = seen(
        [
            Verdict(JUMBO, A1, "pass"), Verdict(JUMBO, A2, "fail"), Verdict(JUMBO_TOO, A1, "pass"), Verdict(JUMBO_TOO, A2, "pass"),
            Verdict(GUARD, A1, "pass"), Verdict(GUARD, A2, "pass"),
            Verdict(LOSS, A1, "pass"), Verdict(LOSS, A2, "unknown"),
            Verdict(ALIKE, HOST, "fail"),
        ],
        Traits("windows", "2012", {"a1": "x520", "a2": "x520"}, frozenset({"x520"})),
    )  # fmt: skip
    assert (explained.score, explained.uncapped, explained.without_waivers, explained.caps) == (85, 85, 85, ())
    assert explained.rule_coverage == pytest.approx(12.2 / 13.4)
    assert (shown.score, shown.count_based) == (85, 62)
    assert by_rule(shown) == {
        "two/jumbo": (2.0, 1, 2, 14.93, 7.46),  # 100 x 2 / 13.4, and half of it
        "one/guard": (8.0, 2, 2, 59.70, 0.0),
        "one/loss": (2.4, 1, 1, 17.91, 0.0),
        "one/alike": (1.0, 0, 1, 7.46, 7.46),
    }
    jumbo = next(each for each in shown.rules if each.rule == "jumbo")
    assert (jumbo.also_asked_by, jumbo.counted_possible, jumbo.counted_lost) == (["one/jumbo"], 25.0, 12.5)


MIXED = [
    Verdict(JUMBO, A1, "pass"), Verdict(JUMBO, A2, "pass"),
    Verdict(GUARD, A1, "pass"), Verdict(GUARD, A2, "fail"),
    Verdict(LOSS, A1, "pass"), Verdict(LOSS, A2, "not_applicable"),
    Verdict(ALIKE, HOST, "pass"),
]  # fmt: skip
MIXED_TRAITS = Traits("windows", "2019", {"a1": "x520", "a2": "t520"}, frozenset({"x520", "t520"}))


def test_a_failing_guard_rail_on_a_later_release_holds_the_score_at_59() -> None:
    """Windows Server 2019, an X520 and a T520: the X520 fits best, same family and another release, 0.8.

    jumbo   0.96; 2 of 2    0.96
    guard   6.4; 1 of 2     3.2, and its failure caps at 59
    loss    1.92; 1 of 1    1.92; a2 is not applicable and shares nothing
    alike   1; 1 of 1       1
    score   100 x 7.08 / 10.28 = 68.87, rounded down 68, capped 59
    counted 100 x (1 + 1/2 + 1 + 1) / 4 = 87.5, rounded down 87, never capped
    """
    explained, shown = seen(MIXED, MIXED_TRAITS)
    assert (explained.score, explained.uncapped, explained.without_waivers, explained.rule_coverage) == (59, 68, 59, 1.0)
    assert (shown.score, shown.uncapped, shown.count_based) == (59, 68, 87)
    assert [(cap.limit, cap.because) for cap in shown.caps] == [(59, "guardrail: guard")]
    assert by_rule(shown) == {
        "one/jumbo": (0.96, 2, 2, 9.34, 0.0),
        "one/guard": (6.4, 1, 2, 62.26, 31.13),
        "one/loss": (1.92, 1, 1, 18.68, 0.0),
        "one/alike": (1.0, 1, 1, 9.73, 0.0),
    }
    assert [each.rule for each in shown.rules if each.has_capped] == ["guard"]


def test_the_same_host_with_the_failure_waived() -> None:
    """The waived adapter is judged no more: guard passes 1 of 1, all rules pass, 100. Without waivers it would be 59 as before.

    A waived subject is known, so coverage stays (0.96 + 6.4 + 1.92 + 1) / 10.28 = 1.
    """
    explained, shown = seen(MIXED, MIXED_TRAITS, waived={(GUARD.address, A2)})
    assert (explained.score, explained.uncapped, explained.without_waivers, explained.caps) == (100, 100, 59, ())
    assert explained.rule_coverage == 1.0
    assert (shown.without_waivers, shown.count_based) == (59, 100)
    guard = next(each for each in shown.rules if each.rule == "guard")
    assert (guard.passing, guard.judged, guard.waived) == (1, 1, 1)


def test_a_host_on_another_platform_on_its_last_path_and_half_read() -> None:
    """ESXi with adapters of the paper's family: the bed is Windows, so the fit is 0.5 for every rule.

    jumbo   0.6; 2 of 3         0.4
    guard   not applicable, weighs nothing here
    loss    1.2; all unknown    not judged
    alike   1; its failure is in conflict with another pack: neither judged nor asked for
    score   100 x 0.4 / 0.6 = 66.67, rounded down 66; a volume has one healthy path, capped 59
    counted 100 x 2/3 / 1, rounded down 66
    cover   0.6 / (0.6 + 1.2) = 1/3, below 0.8, so the figure is grey
    """
    explained, shown = seen(
        [
            *(Verdict(JUMBO, each, outcome) for each, outcome in ((A1, "pass"), (A2, "pass"), (A3, "fail"))),  # type: ignore[arg-type]
            Verdict(GUARD, HOST, "not_applicable"),
            *(Verdict(LOSS, each, "unknown") for each in (A1, A2, A3)),
            Verdict(ALIKE, HOST, "fail"),
        ],
        Traits("esxi", "5.5", dict.fromkeys(("a1", "a2", "a3"), "x520"), frozenset({"x520"}), thin_volumes=(("naa.1", 1),)),
        excluded={(ALIKE.address, HOST)},
    )  # fmt: skip
    assert (explained.score, explained.uncapped, explained.without_waivers) == (59, 66, 59)
    assert explained.rule_coverage == pytest.approx(1 / 3)
    assert (shown.score, shown.uncapped, shown.count_based) == (59, 66, 66)
    assert [cap.because for cap in shown.caps] == ["volume naa.1 has only one healthy path"]
    assert by_rule(shown) == {
        "one/jumbo": (0.6, 2, 3, 100.0, 33.33),
        "one/loss": (1.2, 0, 0, 0.0, 0.0),
        "one/alike": (1.0, 0, 0, 0.0, 0.0),
    }
    assert {each.rule: (each.unknown, each.excluded) for each in shown.rules} == {"jumbo": (0, 0), "loss": (3, 0), "alike": (0, 1)}
