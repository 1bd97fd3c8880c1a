"""The stored form of a host's configuration: compact bytes, the same for the same content, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from plumbline.core.facts.configuration import Configuration, Difference, Platform, Reading, Subject
from plumbline.core.facts.paths import PathMap

# Raised when the form changes; `decode` reads every form that was ever stored.
FORM = 1


class Document(msgspec.Struct, frozen=True):
    """What is stored of one host at one time."""

    configuration: Configuration
    path_map: PathMap
    problems: tuple[str, ...] = ()


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    form: int
    platform: Platform
    # (kind, id, key -> reading), sorted by kind and id; keys sorted.
    subjects: list[tuple[str, str, dict[str, Reading]]]
    path_map: PathMap
    problems: tuple[str, ...]


class _StoredPaths(msgspec.Struct, frozen=True, array_like=True):
    """The same, its settings passed over."""

    form: int
    platform: Platform
    subjects: msgspec.Raw
    path_map: PathMap


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(_Stored)
_PATHS_DECODER = msgspec.json.Decoder(_StoredPaths)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A document's bytes in their parts, so that the host's next document is encoded only where it differs."""

    # By subject, sorted: the settings as they are, and their bytes.
    subjects: dict[Subject, tuple[Mapping[str, Reading], bytes]]
    path_map: tuple[PathMap, bytes]


def encode(document: Document) -> bytes:
    """Canonical bytes: equal documents give equal bytes, so their digest is a name for the content."""
    return encode_again(document, None)[0]


def encode_again(document: Document, before: Encoded | None, differences: Sequence[Difference] | None = None) -> tuple[bytes, Encoded]:
    """As `encode`, and what to give as `before` with the host's next document. A part is taken over where it is the very object.

    `differences`: all from the document of `before` to this one, where the subjects are the same.
    """
    configuration, path_map = document.configuration, document.path_map
    known = before.subjects if before is not None else {}
    subjects: dict[Subject, tuple[Mapping[str, Reading], bytes]] = {}
    if differences is not None and before is not None:
        subjects |= known
        for each in differences:
            # One by one into the bytes of before.
            subjects[each.subject] = (configuration.keys(each.subject), _replaced(subjects[each.subject][1], each, configuration))
    else:
        for subject in configuration.all_subjects() if configuration.subject_set() != known.keys() else list(known):
            keys = configuration.keys(subject)
            held = known.get(subject)
            subjects[subject] = held if held is not None and held[0] is keys else (keys, _encoded(subject, keys))
    paths = before.path_map if before is not None and before.path_map[0] is path_map else (path_map, _ENCODER.encode(path_map))
    # Joined at once: the whole is copied no second time.
    pieces = [piece for _, piece in subjects.values()] or [b""]
    pieces[0] = b'[%d,"%s",[%s' % (FORM, configuration.platform.encode(), pieces[0])
    pieces[-1] += b"],%s,%s]" % (paths[1], _ENCODER.encode(document.problems))
    return b",".join(pieces), Encoded(subjects, paths)


def _encoded(subject: Subject, keys: Mapping[str, Reading]) -> bytes:
    return _ENCODER.encode((subject.kind, subject.id, keys))


def _replaced(piece: bytes, it: Difference, configuration: Configuration) -> bytes:
    """The bytes of a subject with one of its readings replaced: readings hold no keys, and a quote in a text is escaped, so that a key
    with its reading stands nowhere else."""
    if it.was is not None and it.now is not None:
        found = piece.split(_member(it.key, it.was))
        if len(found) == 2:
            return _member(it.key, it.now).join(found)
    return _encoded(it.subject, configuration.keys(it.subject))


def _member(key: str, reading: Reading) -> bytes:
    return b'"%s":%s' % (key.encode(), _ENCODER.encode(reading))


def decode(stored: bytes) -> Document:
    """The document of `encode`'s bytes. Raises msgspec.DecodeError on anything else."""
    read = _DECODER.decode(stored)
    _check(read.form)
    readings = {Subject(kind, identity): keys for kind, identity, keys in read.subjects}
    return Document(Configuration.taking(read.platform, readings), read.path_map, read.problems)


def decode_path_map(stored: bytes) -> PathMap:
    """The paths alone of `encode`'s bytes, for a fraction of the time. Raises msgspec.DecodeError on anything else."""
    read = _PATHS_DECODER.decode(stored)
    _check(read.form)
    return read.path_map


def _check(form: int) -> None:
    if form != FORM:
        raise msgspec.ValidationError(f"configuration document of form {form}, this program reads form {FORM}")
