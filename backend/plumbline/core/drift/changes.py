"""What differs between two configurations of one host: the entries of the setting-change log. Pure."""

from collections.abc import Sequence

import msgspec

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, Difference, NotOffered, Reading, SettingValue, Subject, Unknown, Value


class Change(msgspec.Struct, frozen=True):
    """One setting that reads otherwise than before; None where the setting was not there at all."""

    subject: Subject
    key: str
    old: Reading | None
    new: Reading | None

    @property
    def is_real(self) -> bool:
        """Both sides are known and differ: the host was changed, not only our sight of it."""
        return isinstance(self.old, Value) and isinstance(self.new, Value)


def diff(old: Configuration | None, new: Configuration) -> list[Change]:
    """All changes, by subject and key. The raw text, the command and the words of an unknown may differ without being a change.

    A first configuration (`old` is None) is a beginning, not a change. Path maps are observations: they show here by their counts, the
    settings `volume/{id}/paths_healthy` and its siblings.
    """
    return [] if old is None else changes_among(old.differences(new))


def changes_among(differences: Sequence[Difference]) -> list[Change]:
    """As `diff`, where everything that reads otherwise is known."""
    return [Change(*each) for each in differences if not _reads_alike(each.was, each.now)]


def _reads_alike(old: Reading | None, new: Reading | None) -> bool:
    if isinstance(old, Value) and isinstance(new, Value):
        # A key has one type for ever, so that True == 1 cannot hide a change.
        return old.value == new.value
    if old is None or new is None:
        # Never mentioned and mentioned as unknown say the same: we do not know.
        return old is new or isinstance(old, Unknown) or isinstance(new, Unknown)
    return isinstance(old, NotOffered | Unknown) and type(old) is type(new)


def words(reading: Reading | None) -> str:
    """A reading in the words of the timeline: the value with its unit, `not offered` or `unknown`."""
    if isinstance(reading, Value):
        return spoken(reading.value)
    if isinstance(reading, NotOffered):
        return "not offered"
    return "unknown" if isinstance(reading, Unknown) else "not there"


def spoken(value: SettingValue) -> str:
    """A value as text: lists joined by commas, booleans as yes and no."""
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def label(change: Change) -> str:
    """The catalogue's label of the changed setting."""
    entry = BY_KEY.get(f"{change.subject.kind}.{change.key}")
    return entry.label if entry is not None else change.key
