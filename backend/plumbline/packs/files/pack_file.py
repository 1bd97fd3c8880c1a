"""The files of a pack as documents, the papers it is based on, and the items of the papers that became no rule."""

import re

from plumbline.core.facts.catalogue import BY_KEY, FAMILIES
from plumbline.core.rules.rule import NoRule, Paper, TestBed
from plumbline.packs.files.document import NoRuleDocument, PackDocument, RuleDocument
from plumbline.packs.files.fitting import must_be_known
from plumbline.packs.files.structs import converted
from plumbline.packs.files.yaml_lines import Located, Steps

_ITEM = re.compile(r"(.*?)([0-9]+)([a-z]?)")


def pack_document(located: Located) -> PackDocument:
    """pack.yaml as a document, or `RulesetInvalid` with the line."""
    return converted(located, PackDocument)


def rule_document(located: Located) -> RuleDocument:
    """A rule file as a document, or `RulesetInvalid` with the line."""
    return converted(located, RuleDocument)


def papers_of(document: PackDocument) -> tuple[Paper, ...]:
    """The papers of a pack."""
    return tuple(
        Paper(
            id=paper_id,
            title=paper.title,
            publisher=paper.publisher,
            edition=paper.edition,
            beds=tuple(TestBed(bed.platform, tuple(bed.os_releases), tuple(bed.families), bed.words) for bed in paper.beds),
            notes=paper.notes,
        )
        for paper_id, paper in sorted(document.papers.items())
    )


def no_rules_of(located: Located) -> tuple[NoRule, ...]:
    """The items of the papers that became no rule, by their numbers, or `RulesetInvalid` with the line."""
    document = converted(located, NoRuleDocument)
    return tuple(NoRule(item, document[item]) for item in sorted(document, key=item_order))


def item_order(item: str) -> tuple[str, int, str]:
    """Sorts W-R2 before W-R10."""
    parts = _ITEM.fullmatch(item)
    return (parts[1], int(parts[2]), parts[3]) if parts else (item, 0, "")


def check_pack(located: Located, document: PackDocument) -> None:
    """What the schema of pack.yaml cannot express.

    A pack supersedes other packs only, and beds name adapter families and releases that the catalogue knows.
    """
    if document.pack in document.supersedes:
        raise located.wrong(("supersedes", document.supersedes.index(document.pack)), "a pack can't supersede itself")
    releases = BY_KEY["host.os_release"].values
    for paper_id, paper in document.papers.items():
        for index, bed in enumerate(paper.beds):
            steps: Steps = ("papers", paper_id, "beds", index)
            must_be_known(located, (*steps, "families"), bed.families, FAMILIES, "adapter family")
            must_be_known(located, (*steps, "os_releases"), bed.os_releases, releases, "release")
