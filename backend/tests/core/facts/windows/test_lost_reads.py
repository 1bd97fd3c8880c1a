"""A read that fails, wholly or after some rows: what came gives values, what did not come is unknown and never absent."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import Configuration, NotOffered, SectionReading, Value
from tests.core.facts.builders import (
    GUID,
    WINDOWS_SAMPLES,
    at,
    ip,
    iscsi,
    mac,
    not_there,
    read,
    san_adapters,
    sections_of,
    session,
    system,
    value,
    why,
    windows,
)

SAMPLES = sorted(path.stem for path in WINDOWS_SAMPLES.glob("*.checkin"))
Sections = dict[str, dict[str, Any]]


def half(*rows: dict[str, Any], error: str = "the provider stopped") -> dict[str, Any]:
    """A read that gave these rows and then an error."""
    return {"status": "failed", "error": error, "rows": list(rows)}


def _configuration(sections: Sections) -> Configuration:
    assembled = assemble("windows", {name: SectionReading("ok", json.dumps(reads).encode()) for name, reads in sections.items()})
    assert assembled.internal_errors == ()
    return assembled.configuration


def _losses(reads: dict[str, Any], command: str) -> Iterator[dict[str, Any]]:
    """The section with one read failed: without rows, without the last row, without the first."""
    rows = reads[command]["rows"]
    for left in ([], rows[:-1], rows[1:]) if rows else ([],):
        yield {**reads, command: half(*left)}


@pytest.mark.parametrize("name", SAMPLES)
def test_rows_that_are_lost_never_make_another_value_or_a_thing_that_is_not_offered(name: str) -> None:
    sections: Sections = {section: json.loads(one.body) for section, one in sections_of(WINDOWS_SAMPLES / f"{name}.checkin").items()}
    whole = _configuration(sections)
    wrong: set[str] = set()
    tried = 0
    for section, reads in sections.items():
        for command in reads:
            for lost in _losses(reads, command):
                tried += 1
                for subject, key, reading in _configuration({**sections, section: lost}):
                    before = whole.read(subject, key)
                    is_other = isinstance(reading, Value) and (not isinstance(before, Value) or before.value != reading.value)
                    is_denied = isinstance(reading, NotOffered) and not isinstance(before, NotOffered)
                    # Why a card has its role may have several grounds.
                    if (is_other or is_denied) and key != "role_reason":
                        wrong.add(f"{section}/{command}: {subject.kind} {key} was {before}, became {reading}")
    assert tried > 100
    assert wrong == set()


def test_rows_before_an_error_give_values_and_the_missing_one_is_unknown() -> None:
    rss = half({"Name": "SAN1", "InstanceID": GUID.format(1), "Enabled": True, "NumberOfReceiveQueues": 8})
    found = windows(adapters=san_adapters(), offload={"Get-NetAdapterRss": rss}).configuration
    assert value(found, f"adapter/{mac(1)}/rss_queues") == 8
    assert why(found, f"adapter/{mac(2)}/rss_queues") == "Get-NetAdapterRss failed: the provider stopped"


def test_a_list_that_broke_off_has_no_count_and_no_whole() -> None:
    rows = [session("10.10.5.1"), session("10.10.5.2")]
    reads = iscsi(**{"Get-IscsiSession": half(*rows)})
    bound = half({"Name": "SAN1", "InstanceID": GUID.format(1), "ComponentID": "ms_tcpip", "Enabled": True})
    found = windows(system=system(), adapters=san_adapters(), iscsi=reads, bindings={"Get-NetAdapterBinding": bound}).configuration
    (target,) = found.subjects("target")
    for key in ("sessions", "persistent"):
        assert why(found, f"target/{target.id}/{key}") == "Get-IscsiSession failed: the provider stopped"
    assert why(found, "san_sessions_spread") == "Get-IscsiSession failed: the provider stopped"
    assert why(found, f"adapter/{mac(1)}/bindings") == "Get-NetAdapterBinding failed: the provider stopped"


def test_one_bad_row_is_enough_where_one_decides() -> None:
    rows = [session("10.10.5.1", IsPersistent=False)]
    nodes = half({"Name": "SQL-03", "State": "Up"}, {"Name": "SQL-04", "State": "Down"})
    member = system(**{"Get-Cluster": read({"Name": "CL1"}), "Get-ClusterNode": nodes})
    found = windows(system=member, adapters=san_adapters(), iscsi=iscsi(**{"Get-IscsiSession": half(*rows)})).configuration
    (target,) = found.subjects("target")
    assert value(found, f"target/{target.id}/persistent") is False
    assert value(found, "cluster_others_up") is False
    fine = windows(system=system(**{"Get-Cluster": read({"Name": "CL1"}), "Get-ClusterNode": half({"Name": "SQL-03", "State": "Up"})}))
    assert value(fine.configuration, "cluster_node") == "up"
    assert why(fine.configuration, "cluster_others_up") == "Get-ClusterNode failed: the provider stopped"


@pytest.mark.parametrize(
    ("section", "command", "what"),
    [
        ("iscsi", "Get-IscsiSession", "whether it carries iSCSI"),
        ("iscsi", "Get-IscsiTargetPortal", "whether it carries iSCSI"),
        ("adapters", "Get-NetIPAddress", "which addresses it has"),
        ("adapters", "Get-NetRoute", "whether it has the default route"),
    ],
)
def test_a_role_that_rests_on_absence_needs_the_whole_list(section: str, command: str, what: str) -> None:
    sections: Sections = {"system": system(), "adapters": san_adapters(), "iscsi": iscsi(session("10.10.5.1"))}
    assert value(windows(**sections).configuration, f"adapter/{mac(3)}/role") == "management"
    sections[section] = {**sections[section], command: half()}
    assert why(windows(**sections).configuration, f"adapter/{mac(3)}/role").startswith(f"can't tell {what}: {command} failed")


def test_a_card_below_a_team_that_could_not_be_read_is_not_without_a_role() -> None:
    team = {
        **san_adapters()["Get-NetAdapter"]["rows"][0],
        "Name": "Team",
        "InterfaceGuid": GUID.format(9),
        "ifIndex": 9,
        "Virtual": True,
        "PnPDeviceID": "COMPOSITEBUS\\MS_IMPLAT_MP\\1",
    }
    adapters = san_adapters(
        **{
            "Get-NetAdapter": read(*san_adapters()["Get-NetAdapter"]["rows"], team),
            "Get-NetIPAddress": read(ip(9, "10.10.5.9"), ip(3, "192.168.1.1")),
            "Get-NetLbfoTeam": half(),
        }
    )
    found = windows(system=system(), adapters=adapters, iscsi=iscsi(session("10.10.5.9"))).configuration
    assert value(found, f"vnic/{GUID.format(9)[1:-1]}/role") == "san_iscsi"
    assert why(found, f"adapter/{mac(1)}/role") == "can't tell what it carries: Get-NetLbfoTeam failed: the provider stopped"


def test_probes_that_broke_off_say_nothing_good() -> None:
    ping = {"source": "10.10.5.1", "interface_guid": GUID.format(1), "portal": "10.10.5.20", "size": 9000}
    sections: Sections = {"adapters": san_adapters(), "iscsi": iscsi(session("10.10.5.1"))}
    good = windows(**sections, probes={"ping": half({**ping, "outcome": "ok"})}).configuration
    assert why(good, f"adapter/{mac(1)}/frame_probe") == "ping failed: the provider stopped"
    bad = windows(**sections, probes={"ping": half({**ping, "outcome": "too_big"})}).configuration
    assert value(bad, f"adapter/{mac(1)}/frame_probe") == "too_big"
    assert why(bad, f"adapter/{mac(1)}/frame_probe_size") == "ping failed: the provider stopped"


def test_only_a_release_without_it_has_no_storage_spaces_direct() -> None:
    missing = {"status": "unavailable", "error": "this host has no command Get-ClusterStorageSpacesDirect", "rows": []}
    member = {"Get-Cluster": read({"Name": "CL1"}), "Get-ClusterStorageSpacesDirect": missing}
    assert not_there(windows(system=system(9600, **member)).configuration, "s2d") == "this release has no Storage Spaces Direct"
    assert "is not available here" in why(windows(system=system(17763, **member)).configuration, "s2d")


def test_a_driver_offers_what_neither_its_keywords_nor_a_cmdlet_deny() -> None:
    words = read(*({"InterfaceGuid": GUID.format(n), "properties": {"*RSS": ["1"]}} for n in (1, 2)))
    listed = {"Name": "SAN1", "InstanceID": GUID.format(1), "IPv4Enabled": True, "IPv6Enabled": True}
    sections: Sections = {"adapters": san_adapters(), "properties": {"Get-NetAdapterAdvancedProperty": words}}
    whole = windows(**sections, offload={"Get-NetAdapterLso": read(listed)}).configuration
    assert not_there(whole, f"adapter/{mac(2)}/lso_ipv4") == "driver does not offer it"
    broken = windows(**sections, offload={"Get-NetAdapterLso": half(listed)}).configuration
    assert isinstance(at(broken, f"adapter/{mac(1)}/lso_ipv4"), Value)
    assert why(broken, f"adapter/{mac(2)}/lso_ipv4") == "Get-NetAdapterLso failed: the provider stopped"
