"""How the packs cover the papers: every row, finding, default and trap of `papers.yaml`, and where each pack handles it.

An item is handled by a rule of any kind, a constant of the papers' method, or a line of the pack's `no-rule.yaml`. `plumbline ruleset
check` reports items without any of these.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec import UnsetType

from plumbline.core.benchmarks.paper_method import covered_items
from plumbline.core.rules.rule import Kind, Pack
from plumbline.infra.errors import RulesetInvalid
from plumbline.packs.files.document import PapersDocument
from plumbline.packs.files.load import LoadedPack
from plumbline.packs.files.structs import converted
from plumbline.packs.files.yaml_lines import Located, Steps, read

PAPERS_FILE = "papers.yaml"


@dataclass(frozen=True, slots=True)
class PaperItem:
    """One statement of a paper: its place, its text, and the packs that must account for it."""

    id: str
    family: str
    at: str
    says: str
    packs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperList:
    """All items of a `papers.yaml`, with their places in the file."""

    items: dict[str, PaperItem]
    located: Located

    def wrong(self, item: PaperItem, message: str) -> RulesetInvalid:
        """The error that names an item's line."""
        return self.located.wrong((item.family, "items", item.id), message)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of an item: a rule with its kind, a constant of the method, or no rule with the reason.

    `pack` is empty for constants, which belong to the method and not to a pack.
    """

    item: str
    became: Literal["rule", "constant", "no_rule"]
    pack: str
    name: str
    kind: Kind | None = None


def read_papers(folder: Path) -> PaperList | None:
    """The list in a folder of packs; None where there is none. Raises `RulesetInvalid` with file and line."""
    path = folder / PAPERS_FILE
    if not path.is_file():
        return None
    located = read(path, path.name)
    document = converted(located, PapersDocument)
    items: dict[str, PaperItem] = {}
    for name, family in document.items():
        for item, written in family.items.items():
            steps: Steps = (name, "items", item)
            if not item.startswith(name):
                raise located.wrong(steps, f"{item!r} is in the family {name!r} and does not start with it")
            if item in items:
                raise located.wrong(steps, f"{item!r} is in the family {items[item].family!r} already")
            packs = family.packs if isinstance(written.packs, UnsetType) else written.packs
            items[item] = PaperItem(item, name, written.at, written.says, tuple(packs))
    return PaperList(items, located)


def coverage_of(packs: Iterable[Pack]) -> dict[str, list[Coverage]]:
    """Where each item is handled, for items that any pack or the method handles."""
    found: dict[str, list[Coverage]] = {}
    for pack in packs:
        for rule in pack.rules:
            for item in rule.covers:
                found.setdefault(item, []).append(Coverage(item, "rule", pack.id, rule.id, rule.kind))
        for none in pack.no_rules:
            found.setdefault(none.id, []).append(Coverage(none.id, "no_rule", pack.id, none.because))
    for item, names in covered_items().items():
        found.setdefault(item, []).extend(Coverage(item, "constant", "", name) for name in names)
    return found


def check_coverage(papers: PaperList, packs: Iterable[LoadedPack]) -> list[RulesetInvalid]:
    """Everything wrong between the list and the packs, each with file and line."""
    loaded = {each.pack.id: each for each in packs}
    problems = [problem for each in loaded.values() for problem in _of_pack(papers, each)]
    became = coverage_of(each.pack for each in loaded.values())
    for item in papers.items.values():
        in_packs = {each.pack for each in became.get(item.id, [])}
        for pack in item.packs:
            if pack not in loaded:
                problems.append(papers.wrong(item, f"{item.id} names the pack {pack!r}, which is not there"))
            elif pack not in in_packs and "" not in in_packs:
                why = "no rule covers it and no-rule.yaml does not say why"
                problems.append(papers.wrong(item, f"{item.id} is forgotten in {pack}: {why}"))
    return problems


def _of_pack(papers: PaperList, loaded: LoadedPack) -> Iterator[RulesetInvalid]:
    covered: dict[str, str] = {}
    for rule in loaded.pack.rules:
        for index, item in enumerate(rule.covers):
            covered.setdefault(item, rule.id)
            if item not in papers.items:
                yield loaded.located[rule.id].wrong(("covers", index), f"{item!r} is no item of {PAPERS_FILE}")
    for none in loaded.pack.no_rules:
        assert loaded.no_rule is not None
        if none.id not in papers.items:
            yield loaded.no_rule.wrong((none.id,), f"{none.id!r} is no item of {PAPERS_FILE}")
        elif none.id in covered:
            yield loaded.no_rule.wrong((none.id,), f"{none.id} is covered by {covered[none.id]}, so it is not without a rule")
