"""What breaking a rule costs, in the few words that lists have room for."""

import pytest

from plumbline.core.rules.rule import Evidence
from plumbline.packs.files import load_builtin
from plumbline.packs.rule_text import effect_words, limits_of, place_words, workload_words


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("4.2.7", "BP1057 §4.2.7"),
        ("6, 3.3, Appendix D", "BP1057 §6, §3.3, Appendix D"),
        ("4.1.3, Figures 5-7", "BP1057 §4.1.3, Figures 5-7"),
        ("Table 6, Table 7", "BP1057 Table 6, Table 7"),
        ("B.9, Figure 22", "BP1057 §B.9, Figure 22"),
        ("Commands ii", "BP1057 Commands ii"),
        ("", "BP1057"),
    ],
)
def test_places_name_their_paper(at: str, said: str) -> None:
    assert place_words(Evidence("bp1057", at, "", "stated", "stated")) == said


def test_a_loss_is_shown_with_its_workload_and_place() -> None:
    measured = Evidence("bp1057", "4.2.7", "", "measured", "effect_25_or_more", workload="256k_seq_read", change_percent=-30)
    assert effect_words(measured) == "30% slower 256 KB sequential reads (measured, BP1057 §4.2.7)"


def test_two_figures_are_shown_wrong_one_first_with_their_unit() -> None:
    offload = Evidence(
        "bp1057", "4.2.4, Figure 4", "", "measured", "retransmit", metric="array_retransmit_percent", value_from=0.11, value_to=0
    )
    assert effect_words(offload) == "array retransmits 0.11% vs 0% (measured, BP1057 §4.2.4, Figure 4)"


def test_a_gain_never_reads_as_a_loss() -> None:
    gained = Evidence("qlogic", "Packets and frames work", "", "measured", "effect_10_to_25", change_percent=16)
    assert effect_words(gained) == "up to 16% gain (measured, QLogic QLE3142 Packets and frames work)"


def test_a_harm_without_a_figure_is_no_recommendation() -> None:
    lso = Evidence("bp1057", "4.2.5", "", "stated", "stated")
    assert effect_words(lso, is_guard=True) == "slower (no figure) (stated, BP1057 §4.2.5)"
    assert effect_words(lso) == "recommended (stated, BP1057 §4.2.5)"


def test_every_workload_of_the_packs_has_a_readable_name() -> None:
    named = {each.workload for pack in load_builtin() for rule in pack.rules for each in rule.evidence if each.workload}
    assert {workload_words(one) for one in named if "_" in one} == {"8 KB random, 67% read", "256 KB sequential read"}


def test_a_recommendation_of_plumbline_is_marked_and_a_site_paper_goes_by_its_id() -> None:
    own = Evidence("house-rules", "2", "", "own_judgement", "stated")
    assert effect_words(own) == "recommended (inferred, house-rules §2)"
    assert effect_words(None) == ""


def test_only_what_was_measured_is_marked_as_measured() -> None:
    chart = Evidence("bp1057r2", "4.1.1", "", "chart", "stated", families=("x520",), os_releases=("2012",))
    assert limits_of(chart) == "measured on X520, 2012"
    assert limits_of(Evidence("bp1057", "Table 6", "", "stated", "stated", families=("bcm57810",))) == "stated for BCM57810"
    assert limits_of(Evidence("bp1057", "6", "", "stated", "stated")) == ""
