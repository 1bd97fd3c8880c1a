"""Reads only some settings of a stored configuration, which makes re-evaluating a fleet several times faster.

The stored form (`document.py`) is read by a decoder made for the wanted keys, so that no objects are built for the others. Where another
setting is read after all, the whole document is decoded: the answer is always the same, only slower.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import GenericAlias
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import NOT_COLLECTED, Configuration, Platform, Reading, Subject
from plumbline.core.facts.document import FORM, decode

_NONE: frozenset[str] = frozenset()


class PartialConfiguration(Configuration):
    """The settings of one host of which only some have been read so far."""

    __slots__ = ("_stored", "_wanted")

    def __init__(self, read: Configuration, wanted: Mapping[str, frozenset[str]], stored: bytes):
        """`wanted`: keys by kind, all of whose readings are in `read`; `stored` is the whole document."""
        self.platform: Platform = read.platform
        self.unlisted = read.unlisted
        self._readings, self._by_kind = read._readings, {}
        self._wanted: Mapping[str, frozenset[str]] | None = wanted
        self._stored = stored

    @property
    def is_whole(self) -> bool:
        """Another setting was read, and so the whole document was decoded."""
        return self._wanted is None

    def whole(self) -> Configuration:
        """This configuration with every setting read."""
        if self._wanted is not None:
            self._readings, self._by_kind = decode(self._stored).configuration._readings, {}
            self._wanted, self._stored = None, b""
        return self

    def read(self, subject: Subject, key: str) -> Reading:
        """As `Configuration.read`."""
        if self._wanted is not None and key not in self._wanted.get(subject.kind, _NONE):
            self.whole()
        return self._readings.get(subject, {}).get(key, NOT_COLLECTED)

    def keys(self, subject: Subject) -> Mapping[str, Reading]:
        """As `Configuration.keys`."""
        return Configuration.keys(self.whole(), subject)

    def differing(self, other: Configuration) -> list[Subject]:
        """As `Configuration.differing`."""
        return Configuration.differing(self.whole(), other.whole() if isinstance(other, PartialConfiguration) else other)

    def __iter__(self) -> Iterator[tuple[Subject, str, Reading]]:
        return Configuration.__iter__(self.whole())

    def __len__(self) -> int:
        return Configuration.__len__(self.whole())

    def __eq__(self, other: object) -> bool:
        return Configuration.__eq__(self.whole(), other.whole() if isinstance(other, PartialConfiguration) else other)

    __hash__ = None


class PartialReader:
    """Reads stored documents for evaluations that need only some keys."""

    def __init__(self, keys: frozenset[str]) -> None:
        """`keys` as rules write them: `kind.key`."""
        names: dict[str, list[str]] = {kind: [] for kind in _KINDS}
        for key in sorted(keys):
            kind, _, name = key.partition(".")
            if kind in names:
                names[kind].append(name)
        self._wanted = {kind: frozenset(mine) for kind, mine in names.items()}
        self._rows: dict[type, tuple[str, tuple[str, ...]]] = {}
        for kind, mine in names.items():
            fields = [(f"f{number}", Union[Reading, UnsetType], UNSET) for number in range(len(mine))]  # noqa: UP007 (made at run time)
            shown = {f"f{number}": name for number, name in enumerate(mine)}
            held = msgspec.defstruct(f"Keys_{kind}", fields, rename=shown, frozen=True, gc=False)
            row = msgspec.defstruct(f"Row_{kind}", [("id", str), ("keys", held)], tag=kind, array_like=True, frozen=True, gc=False)
            self._rows[row] = (kind, tuple(mine))
        stored = msgspec.defstruct(
            "Stored",
            [
                ("form", int),
                ("platform", Platform),
                ("subjects", GenericAlias(list, (Union[tuple(self._rows)],))),  # noqa: UP007 (made at run time)
                ("path_map", msgspec.Raw, msgspec.Raw()),
                ("problems", msgspec.Raw, msgspec.Raw()),
                ("unlisted", dict[str, str], msgspec.field(default_factory=dict)),
            ],
            array_like=True,
        )
        self._decode = msgspec.json.Decoder(stored).decode

    def read(self, stored: bytes) -> Configuration:
        """The configuration of `encode`'s bytes. Raises `msgspec.DecodeError` on anything else."""
        try:
            read: Any = self._decode(stored)
        except msgspec.ValidationError:
            # A kind that this program does not list: then all of it is read.
            return decode(stored).configuration
        if read.form != FORM:
            return decode(stored).configuration
        readings: dict[Subject, dict[str, Reading]] = {}
        for row in read.subjects:
            kind, names = self._rows[row.__class__]
            held = zip(names, astuple(row.keys), strict=True) if names else ()
            readings[Subject(kind, row.id)] = {name: reading for name, reading in held if reading is not UNSET}
        return PartialConfiguration(Configuration.taking(read.platform, readings, read.unlisted), self._wanted, stored)


@lru_cache(maxsize=32)
def reader_of(keys: frozenset[str]) -> PartialReader:
    """The reader for these keys. Making one takes some milliseconds, so each process keeps those it used last."""
    return PartialReader(keys)


_KINDS = tuple(dict.fromkeys(key.partition(".")[0] for key in BY_KEY))
