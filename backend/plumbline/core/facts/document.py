"""The stored form of a host's configuration: compact bytes, the same for the same content, and back."""

import msgspec

from plumbline.core.facts.configuration import Configuration, Platform, Reading, Subject
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
    # Kinds of subject that were not listed whole. Left out where all were, as it was in documents from before there was this field.
    unlisted: dict[str, str] = {}


class _StoredPaths(msgspec.Struct, frozen=True, array_like=True):
    """The same without its settings."""

    form: int
    platform: Platform
    subjects: msgspec.Raw
    path_map: PathMap


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(_Stored)
_PATHS_DECODER = msgspec.json.Decoder(_StoredPaths)


def encode(document: Document) -> bytes:
    """Canonical bytes: equal documents give equal bytes, so their digest identifies the content."""
    configuration = document.configuration
    subjects = [(subject.kind, subject.id, configuration.keys(subject)) for subject in configuration.all_subjects()]
    # In the order of `_Stored`.
    stored: tuple[object, ...] = (FORM, configuration.platform, subjects, document.path_map, document.problems)
    return _ENCODER.encode((*stored, configuration.unlisted) if configuration.unlisted else stored)


def decode(stored: bytes) -> Document:
    """The document of `encode`'s bytes. Raises msgspec.DecodeError on anything else."""
    read = _DECODER.decode(stored)
    _check(read.form)
    readings = {Subject(kind, identity): keys for kind, identity, keys in read.subjects}
    return Document(Configuration.taking(read.platform, readings, read.unlisted), read.path_map, read.problems)


def decode_path_map(stored: bytes) -> PathMap:
    """The path map alone of `encode`'s bytes, in a fraction of the time. Raises msgspec.DecodeError on anything else."""
    read = _PATHS_DECODER.decode(stored)
    _check(read.form)
    return read.path_map


def _check(form: int) -> None:
    if form != FORM:
        raise msgspec.ValidationError(f"configuration document of form {form}, this program reads form {FORM}")
