"""The stored form of a host's configuration: compact bytes, the same for the same content, and back."""

from collections.abc import Mapping

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
    subjects: list[tuple[str, str, Mapping[str, Reading]]]
    path_map: PathMap
    problems: tuple[str, ...]


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(_Stored)


def encode(document: Document) -> bytes:
    """Canonical bytes: equal documents give equal bytes, so their digest is a name for the content."""
    configuration = document.configuration
    subjects = [(subject.kind, subject.id, configuration.keys(subject)) for subject in configuration.all_subjects()]
    return _ENCODER.encode(_Stored(FORM, configuration.platform, subjects, document.path_map, document.problems))


def decode(stored: bytes) -> Document:
    """The document of `encode`'s bytes. Raises msgspec.DecodeError on anything else."""
    read = _DECODER.decode(stored)
    if read.form != FORM:
        raise msgspec.ValidationError(f"configuration document of form {read.form}, this program reads form {FORM}")
    readings = {Subject(kind, identity): dict(keys) for kind, identity, keys in read.subjects}
    return Document(Configuration.taking(read.platform, readings), read.path_map, read.problems)
