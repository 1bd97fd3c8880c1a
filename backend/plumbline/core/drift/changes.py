"""What differs between two configurations of one host: the entries of the setting-change log. Pure."""

from collections.abc import Sequence

import msgspec

from plumbline.core.facts.configuration import Configuration, Difference, NotOffered, Reading, Subject, Unknown, Value


class Change(msgspec.Struct, frozen=True):
    """One setting that changed; None where the setting was not there at all."""

    subject: Subject
    key: str
    old: Reading | None
    new: Reading | None


def diff(old: Configuration | None, new: Configuration) -> list[Change]:
    """All changes, by subject and key. The raw text, the command and the reason of an unknown may differ without being a change.

    A first configuration (`old` is None) has no changes. Path maps are observations: they show here by their counts, the
    settings `volume/{id}/paths_healthy` and its siblings.
    """
    return [] if old is None else changes_among(old.differences(new))


def changes_among(differences: Sequence[Difference]) -> list[Change]:
    """As `diff`, from all differences of two configurations."""
    return [Change(*difference) for difference in differences if not _reads_alike(difference.old, difference.new)]


def _reads_alike(old: Reading | None, new: Reading | None) -> bool:
    if isinstance(old, Value) and isinstance(new, Value):
        # A key never changes its type, so True == 1 cannot hide a change.
        return old.value == new.value
    if old is None or new is None:
        # Not mentioned and mentioned as unknown mean the same: it is not known.
        return old is new or isinstance(old, Unknown) or isinstance(new, Unknown)
    return isinstance(old, NotOffered | Unknown) and type(old) is type(new)
