"""The walk over the papers: every item is a rule, a constant of the method or a line of no-rule.yaml, and nothing else is."""

import re
import shutil
from pathlib import Path

import pytest

from plumbline.core.benchmarks import paper_method
from plumbline.infra.errors import RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.check import check_folder
from plumbline.packs.files.coverage import PaperItem, check_coverage, coverage_of, read_papers
from plumbline.packs.files.load import load_folder, load_pack, pack_from_document

PAPERS = read_papers(RULESETS)
assert PAPERS is not None
ITEMS = list(PAPERS.items.values())
LOADED = load_folder(RULESETS)
COVERAGE = coverage_of(each.pack for each in LOADED)
# The catalogue from which papers.yaml was made, if it is next to the repository.
CATALOGUE = Path(__file__).resolve().parents[5] / "shared" / "domain.md"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_every_item_is_accounted_for(item: PaperItem) -> None:
    items = COVERAGE.get(item.id, [])
    assert items, f"{item.id} ({item.says}) became nothing"
    for pack in item.packs:
        assert any(coverage.pack in (pack, "") for coverage in items), f"{item.id} is forgotten in {pack}"
    for coverage in items:
        assert coverage.name


def test_nothing_is_accounted_for_that_is_in_no_paper() -> None:
    assert COVERAGE.keys() <= {item.id for item in ITEMS}
    assert check_coverage(PAPERS, LOADED) == []


def test_every_family_of_ids_is_there() -> None:
    families = {"W-S", "W-D", "W-V", "W-R", "W-T", "W-B", "W-M", "E-S", "E-R", "E-F", "E-M"}
    families |= {"C-S", "C-R", "C-M", "C-X", "Q-S", "Q-R", "Q-M", "T"}
    assert {item.family for item in ITEMS} == families
    assert len(ITEMS) == 186


def test_the_list_has_every_id_of_the_catalogue() -> None:
    if not CATALOGUE.is_file():
        pytest.skip("the catalogue is not beside the repository")
    first_part = CATALOGUE.read_text(encoding="utf-8").partition("\n# 2. ")[0]
    named = set(re.findall(r"\b(?:[WECQ]-[A-Z]+\d+|T\d+b?)\b", first_part))
    # Table 10 of a paper is written T10 there; these are the ids that open a row.
    rows = set(re.findall(r"^\|\s*((?:[WECQ]-[A-Z]+|T)\d+[a-z]?)\s*\|", first_part, re.M))
    assert len(rows) == 93
    assert rows <= {item.id for item in ITEMS}
    assert {each for each in named if not each.startswith("T")} <= {item.id for item in ITEMS}


def test_recommended_values_and_tests_are_rules() -> None:
    """The tables of recommendations, and what the papers measured as harmful, never end in no-rule.yaml, but for these."""
    without = {item for item, items in COVERAGE.items() if all(coverage.became == "no_rule" for coverage in items)}
    rows = {item.id for item in ITEMS if item.family in ("W-R", "E-R", "C-R", "Q-R", "W-T", "E-F", "W-V")}
    assert rows & without == {"W-R8", "E-R9", "C-R7", "Q-R3", "Q-R4", "Q-R5"}
    guarded = {coverage.item for items in COVERAGE.values() for coverage in items if coverage.kind == "guard_rail"}
    assert {"W-T5", "W-T9", "W-T12", "W-T13"} <= guarded
    # The harm of these is only drawn, so that they count and cap nothing.
    assert not {"E-R5", "E-R6"} & guarded


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        *[(item, "attestation") for item in ("W-D6", "W-D9", "W-D10", "W-D11", "E-S2", "E-R10")],
        *[(item, "informational") for item in ("W-T4", "W-T6", "W-T7", "W-T14", "T7")],
        *[(item, "advisory") for item in ("W-T10", "W-T11", "Q-R1", "Q-R2")],
        *[(item, "capability") for item in ("W-T15", "E-F6", "T15")],
        *[(item, "proof") for item in ("T3", "T18b")],
    ],
)
def test_what_weighs_nothing_is_of_a_kind_that_weighs_nothing(item: str, kind: str) -> None:
    assert kind in {coverage.kind for coverage in COVERAGE[item]}


def test_the_method_as_the_papers_print_it() -> None:
    assert (paper_method.RUNS_PER_WORKLOAD, paper_method.RUN_SECONDS) == (3, 20 * 60)
    assert (paper_method.LARGEST_RELATIVE_DEVIATION_PERCENT, paper_method.SIGNIFICANT_FROM_PERCENT) == (1.0, 5.0)
    items = {(each.paper, each.name): each for each in paper_method.WORKLOADS}
    assert [items["bp1057", name].threads for name in ("8k_random_mix", "256k_seq_read", "256k_seq_write")] == [5, 5, 5]
    assert (items["bp1057", "8k_random_mix"].read_percent, items["esxi55", "8k_random_mix"].read_percent) == (67, 70)
    assert items["bp1057", "256k_seq_read"].file_megabytes == ((2, 30), (4, 45))


def _copy(tmp_path: Path, pack: str = "qlogic-qle3142") -> Path:
    shutil.copytree(RULESETS / pack, tmp_path / pack)
    return tmp_path / pack


def _list(tmp_path: Path, items: str, packs: str = "[qlogic-qle3142]") -> None:
    (tmp_path / "papers.yaml").write_text(f"Q-R:\n  about: rows\n  packs: {packs}\n  items:\n{items}")


@pytest.mark.parametrize(
    ("items", "error_of"),
    [
        ('    Q-R9: {at: "1", says: "so"}\n', "papers.yaml:5: Q-R9 is forgotten in qlogic-qle3142"),
        ('    Q-X1: {at: "1", says: "so"}\n', "papers.yaml:5: 'Q-X1' is in the family 'Q-R'"),
        ('    Q-R1: {at: "1", says: "so", packs: [acme]}\n', "papers.yaml:5: Q-R1 names the pack 'acme', which is not there"),
        ('    Q-R1: {at: "1"}\n', "papers.yaml:5: missing required field `says`"),
        ('    Q-R1: {at: "1", says: "so"}\n', "qlogic-qle3142/no-rule.yaml:"),
        ('    Q-R1: {at: "1", says: "so"}\n', "'Q-R2' is no item of papers.yaml"),
    ],
)
def test_mistakes_between_list_and_pack_are_reported_with_file_and_line(tmp_path: Path, items: str, error_of: str) -> None:
    _copy(tmp_path)
    _list(tmp_path, items)
    items = [problem.message for problem in check_folder(tmp_path).problems]
    assert any(error_of in each for each in items), items


def test_an_item_is_not_both_a_rule_and_none(tmp_path: Path) -> None:
    pack = _copy(tmp_path)
    shutil.copy(RULESETS / "papers.yaml", tmp_path)
    with (pack / "no-rule.yaml").open("a") as file:
        file.write('Q-R1: "Nothing."\n')
    items = [problem.message for problem in check_folder(tmp_path).problems if "no-rule.yaml" in problem.message]
    line = len((pack / "no-rule.yaml").read_text().splitlines())
    assert items == [f"qlogic-qle3142/no-rule.yaml:{line}: Q-R1 is covered by qle3142.jumbo, so it is not without a rule"]


@pytest.mark.parametrize(
    ("text", "error_of"),
    [
        ("Q-R3: 5\n", "qlogic-qle3142/no-rule.yaml:1: should be text and is a whole number; write it in quotes"),
        ("- Q-R3\n", "qlogic-qle3142/no-rule.yaml:1: should be a mapping and is a list"),
        ('Q-R3: ""\n', "qlogic-qle3142/no-rule.yaml:1:"),
        ('nonsense: "so"\n', "qlogic-qle3142/no-rule.yaml:1:"),
        ('Q-R3: "a"\nQ-R3: "b"\n', "qlogic-qle3142/no-rule.yaml:2: 'Q-R3' is here twice"),
    ],
)
def test_a_mistake_in_no_rule(tmp_path: Path, text: str, error_of: str) -> None:
    (_copy(tmp_path) / "no-rule.yaml").write_text(text)
    with pytest.raises(RulesetInvalid) as caught:
        load_pack(tmp_path / "qlogic-qle3142")
    assert caught.value.message.startswith(error_of)


def test_no_rule_is_part_of_what_is_published(tmp_path: Path) -> None:
    first = load_pack(_copy(tmp_path))
    assert [none.id for none in first.pack.no_rules][:6] == ["Q-M1", "Q-M2", "Q-M6", "Q-M7", "Q-M8", "Q-M9"]
    assert pack_from_document(first.document) == first.pack
    path = tmp_path / "qlogic-qle3142" / "no-rule.yaml"
    path.write_text(path.read_text().replace("Limits of 1GbE", "The limits of 1GbE"))
    assert load_pack(tmp_path / "qlogic-qle3142").pack.content_hash != first.pack.content_hash


def test_a_pack_published_before_the_file_is_still_read() -> None:
    document = dict(load_pack(RULESETS / "qlogic-qle3142").document)
    del document["no_rule"]
    document["pack"] = {**document["pack"], "no_rule": [{"id": "Q-lossless", "because": "So."}]}
    assert [(none.id, none.because) for none in pack_from_document(document).no_rules] == [("Q-lossless", "So.")]
