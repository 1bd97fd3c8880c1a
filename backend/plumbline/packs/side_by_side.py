"""Two packs that answer for the same advice, such as two editions of one paper, side by side."""

from sqlalchemy import select
from sqlmodel import Session

from plumbline.core.rules import words
from plumbline.core.rules.rule import Pack, Rule
from plumbline.models.packs import PACK_VERSION, PackVersion
from plumbline.packs.files.editions import evidence_lines, pairs_of
from plumbline.packs.in_force import pack_of
from plumbline.packs.queries import PackNotFound
from plumbline.packs.schemas import PacksSideBySide, SideBySidePair, SideBySideRule, SideBySideText


def read_side_by_side(session: Session, *, pack: str, other: str) -> PacksSideBySide:
    """The rules that only one of two packs has, and the differences of linked rules, in their newest versions. Two queries."""
    first, second = _newest(session, pack), _newest(session, other)
    pairs = pairs_of(first, second)
    rows = [
        SideBySidePair(
            first_rule=pair.first.id,
            second_rule=pair.second.id,
            title=pair.first.title,
            differences=[
                SideBySideText(name=name, first=first_text, second=second_text) for name, first_text, second_text in pair.differences
            ],
            first_places=pair.places[0],
            second_places=pair.places[1],
        )
        for pair in pairs
    ]
    unlike = [row for row in rows if row.differences or row.first_places != row.second_places]
    unlike.sort(key=lambda each: not each.differences)
    return PacksSideBySide(
        first=first.id,
        first_version=first.version,
        second=second.id,
        second_version=second.version,
        only_first=_unpaired(first, {pair.first.id for pair in pairs}),
        only_second=_unpaired(second, {pair.second.id for pair in pairs}),
        both=unlike,
        alike=len(rows) - len(unlike),
    )


def _newest(session: Session, pack: str) -> Pack:
    row = session.scalar(select(PackVersion).where(PACK_VERSION.pack == pack).order_by(PACK_VERSION.id.desc()).limit(1))
    if row is None:
        raise PackNotFound(f"there is no pack {pack}")
    return pack_of(row)


def _unpaired(pack: Pack, paired: set[str]) -> list[SideBySideRule]:
    return [_rule(rule) for rule in pack.rules if rule.id not in paired]


def _rule(rule: Rule) -> SideBySideRule:
    return SideBySideRule(rule=rule.id, title=rule.title, kind=rule.kind, asks=words.expected(rule.expect), evidence=evidence_lines(rule))
