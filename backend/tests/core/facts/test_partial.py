"""What is read of a stored configuration in part is what is read of it as a whole."""

from functools import cache

import msgspec
import pytest

from plumbline.cli.evaluate import _check_in
from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, NOT_COLLECTED, Configuration, Platform, Subject
from plumbline.core.facts.document import Document, decode, encode
from plumbline.core.facts.partial import PartialConfiguration, PartialReader
from plumbline.core.rules.compile import compile_packs, describe
from plumbline.core.rules.weights import traits_of
from plumbline.evaluation.inputs import keys_read
from plumbline.infra.resources import CHECKOUT
from plumbline.packs.files import load_builtin
from plumbline.packs.in_force import ActiveRules, GroupRules

SAMPLES = sorted((CHECKOUT / "agents" / "schema" / "samples").glob("*/*.checkin"))


@cache
def stored_of(name: str) -> bytes:
    platform, sections, version = _check_in(next(path for path in SAMPLES if path.name == name))
    assembled = assemble(platform, sections, agent_version=version)
    return encode(Document(assembled.configuration, assembled.path_map, assembled.problems))


@pytest.fixture(scope="module")
def reader() -> PartialReader:
    rules = ActiveRules(rules_epoch=1, by_group={1: GroupRules(tuple(load_builtin()), {}, {})})
    return PartialReader(keys_read(rules))


@pytest.mark.parametrize("name", [path.name for path in SAMPLES])
def test_a_partial_read_gives_the_findings_of_the_whole(name: str, reader: PartialReader) -> None:
    part, whole = reader.read(stored_of(name)), decode(stored_of(name)).configuration
    assert isinstance(part, PartialConfiguration)
    compiled = compile_packs(load_builtin(), whole.platform)
    verdicts = compiled.evaluate(part)
    assert verdicts == compiled.evaluate(whole)
    assert traits_of(part) == traits_of(whole)
    assert [describe(verdict, part) for verdict in verdicts] == [describe(verdict, whole) for verdict in verdicts]
    # Nothing that evaluation or its texts need is left out, or every host would be read twice.
    assert not part.is_whole
    assert part == whole
    assert part.is_whole


def readings_of(platform: Platform = "windows") -> tuple[bytes, Configuration]:
    name = next(path.name for path in SAMPLES if path.parent.name == platform)
    return stored_of(name), decode(stored_of(name)).configuration


def test_another_setting_is_read_from_the_whole_document() -> None:
    stored, whole = readings_of()
    asked = frozenset({"host.os_release"})
    for subject, key, reading in whole:
        assert PartialReader(asked).read(stored).read(subject, key) == reading
        break
    part = PartialReader(asked).read(stored)
    assert part.read(HOST, "os_release") == whole.read(HOST, "os_release")
    assert part.subjects("adapter") == whole.subjects("adapter")
    assert isinstance(part, PartialConfiguration)
    assert not part.is_whole
    adapter = whole.subjects("adapter")[0]
    assert part.value(adapter, "name") == whole.value(adapter, "name") is not None
    assert part.is_whole
    assert part.read(Subject("adapter", "none"), "name") is NOT_COLLECTED
    for read in (list, len):
        assert read(PartialReader(asked).read(stored)) == read(whole)  # type: ignore[operator]
    assert PartialReader(asked).read(stored).keys(adapter) == whole.keys(adapter)
    assert PartialReader(asked).read(stored).differing(whole) == []


def test_a_kind_that_is_no_longer_listed_is_read_all_the_same() -> None:
    stored = msgspec.json.encode([1, "windows", [["gone", "1", {"x": ["v", 1, ["s", "c", "f"]]}]], {}, []])
    found = PartialReader(frozenset({"host.os_release"})).read(stored)
    assert found.value(Subject("gone", "1"), "x") == 1
    with pytest.raises(msgspec.DecodeError):
        PartialReader(frozenset()).read(b"[1")
