"""An ESXi host whose lists fail keeps its items, and what the other reads of the section gave."""

import json

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.configuration import SectionReading, Unknown, Value
from plumbline.core.facts.same_items import renamed, renamed_paths, same_items
from tests.core.facts.esxi.reading import sample

ROOTS = {
    "nics": "esxcli network nic list",
    "nic_tuning": "esxcli network nic pauseParams list",
    "vswitch": "esxcli network vswitch standard list",
    "vmkernel": "esxcli network ip interface list",
    "iscsi": "esxcli iscsi adapter list",
    "paths": "esxcli storage core path list",
    "system": "esxcli system version get",
}
FAILED = {"status": "failed", "format": "text", "exit": None, "output": "", "error": "no answer within 8 s"}
Values = dict[tuple[str, str, str], object]


def read(sections: dict[str, bytes], before: Assembled | None = None) -> Assembled:
    known = before.configuration.all_subjects() if before is not None else ()
    return assemble("esxi", {name: SectionReading("ok", body) for name, body in sections.items()}, known_subjects=known)


def without(sections: dict[str, bytes], section: str) -> dict[str, bytes]:
    """The same sections with the list of one failed."""
    reads = json.loads(sections[section])
    assert ROOTS[section] in reads
    return {**sections, section: json.dumps({**reads, ROOTS[section]: FAILED}).encode()}


def values(assembled: Assembled, names: bool = False, before: Assembled | None = None) -> Values:
    held = assembled.configuration
    if names and before is not None:
        held = renamed(held, same_items(before.configuration, held))
    return {(subject.kind, subject.id, key): reading.value for subject, key, reading in held if isinstance(reading, Value)}


@pytest.mark.parametrize("section", ROOTS)
@pytest.mark.parametrize("name", ["5.5-isoe", "6.7", "8.0"])
def test_what_was_read_stays_under_its_known_ids(name: str, section: str) -> None:
    sections = sample(name)
    before = read(sections)
    now = read(without(sections, section), before)
    whole = values(before)
    kept = values(now, names=True, before=before)
    # Nothing is invented, and no item is new. Why a role is what it is may be shown by another read.
    wrong = {place: (whole.get(place), value) for place, value in kept.items() if whole.get(place) != value and place[2] != "role_reason"}
    assert wrong == {}
    # More than nothing was read besides the list.
    lost = read({each: body for each, body in sections.items() if each != section}, before)
    assert len(kept) > len(values(lost)), "a section without its list gave nothing"
    assert now.internal_errors == ()


def test_what_the_list_alone_shows_is_unknown_with_the_command() -> None:
    sections = sample("6.7")
    before = read(sections)
    now = read(without(sections, "nics"), before)
    held = renamed(now.configuration, same_items(before.configuration, now.configuration))
    (san, *_) = (one for one in before.configuration.subjects("adapter") if before.configuration.value(one, "role") == "san_iscsi")
    assert held.value(san, "family") == "x520"
    speed = held.read(san, "link_speed_bps")
    assert isinstance(speed, Unknown)
    assert held.unlisted["adapter"] == "esxcli network nic list: no answer within 8 s"
    names = same_items(before.configuration, now.configuration)
    assert {path.adapter for path in renamed_paths(now.path_map, names).paths} == {path.adapter for path in before.path_map.paths}


def test_without_the_list_two_that_look_alike_are_no_known_one() -> None:
    sections = sample("6.7")
    before = read(sections)
    now = read(without(sections, "nics"), before)
    twins = renamed(before.configuration, {})
    for subject in twins.subjects("adapter"):
        for key in ("pci", "name"):
            twins.keys(subject)[key] = Value("0000:00:00.0", twins.keys(subject)["name"].source)  # type: ignore[index,union-attr]
    assert {old for old in same_items(twins, now.configuration) if old.kind == "adapter"} == set()
    # With whole lists nothing is taken for something else.
    assert same_items(before.configuration, before.configuration) == {}
