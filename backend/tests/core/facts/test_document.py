"""The stored configuration document."""

import msgspec
import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Source, Subject, Unknown, Value
from plumbline.core.facts.document import Document, decode, decode_path_map, encode
from plumbline.core.facts.paths import PathMap
from tests.core.facts.builders import WINDOWS_SAMPLES, sections_of

SOURCE = Source("section", "command", "field", "raw")


def test_there_and_back() -> None:
    samples = sorted(WINDOWS_SAMPLES.glob("*.checkin"))
    assert len(samples) > 3
    for path in samples:
        assembled = assemble("windows", sections_of(path))
        document = Document(assembled.configuration, assembled.path_map, assembled.problems)
        assert decode(encode(document)) == document
        assert decode_path_map(encode(document)) == document.path_map


def test_every_kind_of_reading_and_value() -> None:
    readings = {
        Subject("adapter", "a/b%\n"): {
            "flag": Value(True, SOURCE),
            "one": Value(1, SOURCE),
            "text": Value("ü", SOURCE),
            "none": Value((), SOURCE),
            "list": Value(("a", 1), SOURCE),
            "gone": NotOffered("no", None),
            "dark": Unknown("why", SOURCE),
        }
    }
    document = Document(Configuration("windows", readings), PathMap(), ("a problem",))
    back = decode(encode(document))
    assert back == document
    assert type(back.configuration.value(Subject("adapter", "a/b%\n"), "flag")) is bool


def test_equal_content_gives_equal_bytes_whatever_the_order() -> None:
    one = {Subject("host", ""): {"b": Value(1, SOURCE), "a": Value(2, SOURCE)}, Subject("adapter", "1"): {"c": Unknown("x")}}
    other = {Subject("adapter", "1"): {"c": Unknown("x")}, HOST: {"a": Value(2, SOURCE), "b": Value(1, SOURCE)}}
    assert encode(Document(Configuration("esxi", one), PathMap())) == encode(Document(Configuration("esxi", other), PathMap()))
    changed = {**other, HOST: {"a": Value(3, SOURCE), "b": Value(1, SOURCE)}}
    assert encode(Document(Configuration("esxi", one), PathMap())) != encode(Document(Configuration("esxi", changed), PathMap()))


@pytest.mark.parametrize("stored", [b"", b"{}", b'[2,"windows",[],{},[]]', b'[1,"linux",[],{},[]]'])
def test_anything_else_is_refused(stored: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(stored)
    with pytest.raises(msgspec.DecodeError):
        decode_path_map(stored)
