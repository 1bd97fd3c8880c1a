"""The stored form of a host's configuration: compact bytes, the same for the same content, and back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from plumbline.facts.configuration import Configuration, Platform, Reading, Subject
from plumbline.facts.paths import PathMap

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


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(_Stored)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A document's bytes in their parts, so that the host's next document is encoded only where it differs."""

    # By subject, sorted: the settings as they are, and their bytes.
    subjects: dict[Subject, tuple[Mapping[str, Reading], bytes]]
    path_map: tuple[PathMap, bytes]


def encode(document: Document) -> bytes:
    """Canonical bytes: equal documents give equal bytes, so their digest is a name for the content."""
    return encode_again(document, None)[0]


def encode_again(document: Document, before: Encoded | None, differing: Iterable[Subject] | None = None) -> tuple[bytes, Encoded]:
    """As `encode`, and what to give as `before` with the host's next document. A part is taken over where it is the very object.

    `differing`: the only subjects that read otherwise than in the document of `before`, where the subjects are the same.
    """
    configuration, path_map = document.configuration, document.path_map
    known = before.subjects if before is not None else {}
    subjects: dict[Subject, tuple[Mapping[str, Reading], bytes]] = {}
    if differing is not None and before is not None:
        subjects |= known
        order = list(differing)
    else:
        order = configuration.all_subjects() if configuration.subject_set() != known.keys() else list(known)
    for subject in order:
        keys = configuration.keys(subject)
        held = known.get(subject)
        subjects[subject] = held if held is not None and held[0] is keys else (keys, _ENCODER.encode((subject.kind, subject.id, keys)))
    paths = before.path_map if before is not None and before.path_map[0] is path_map else (path_map, _ENCODER.encode(path_map))
    content = b'[%d,"%s",[%s],%s,%s]' % (
        FORM,
        configuration.platform.encode(),
        b",".join([piece for _, piece in subjects.values()]),
        paths[1],
        _ENCODER.encode(document.problems),
    )
    return content, Encoded(subjects, paths)


def decode(stored: bytes) -> Document:
    """The document of `encode`'s bytes. Raises msgspec.DecodeError on anything else."""
    read = _DECODER.decode(stored)
    if read.form != FORM:
        raise msgspec.ValidationError(f"configuration document of form {read.form}, this program reads form {FORM}")
    readings = {Subject(kind, identity): keys for kind, identity, keys in read.subjects}
    return Document(Configuration.taking(read.platform, readings), read.path_map, read.problems)
