"""The sample check-ins of `agents/schema/samples/windows/`, with the values that each must give, derived from the host it describes."""

from typing import Any

import pytest

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import NotOffered, Source, Value
from plumbline.core.facts.windows.sources import SOURCES
from tests.core.facts.builders import WINDOWS_SAMPLES, at, sections_of, value

SAMPLES = sorted(path.stem for path in WINDOWS_SAMPLES.glob("*.checkin"))
PYTHON_TYPES: dict[str, type] = {"bool": bool, "int": int, "text": str, "version": str, "enum": str, "list": tuple}


def sample(name: str) -> Assembled:
    return assemble("windows", sections_of(WINDOWS_SAMPLES / f"{name}.checkin"))


def names(assembled: Assembled) -> dict[str, str]:
    """Name of each adapter -> its id."""
    configuration = assembled.configuration
    return {str(configuration.value(subject, "name")): subject.id for subject in configuration.subjects("adapter")}


def test_there_are_samples() -> None:
    assert len(SAMPLES) >= 7


@pytest.mark.parametrize("name", SAMPLES)
def test_every_reading_is_a_key_of_the_catalogue_with_a_value_of_its_type(name: str) -> None:
    assembled = sample(name)
    assert assembled.internal_errors == ()
    for subject, key, reading in assembled.configuration:
        entry = BY_KEY.get(f"{subject.kind}.{key}")
        assert entry is not None, f"{subject.kind}.{key} is not in the catalogue"
        if isinstance(reading, Value):
            assert type(reading.value) is PYTHON_TYPES[entry.type], f"{subject.kind}.{key} = {reading.value!r}"
            assert not entry.values or reading.value in entry.values, f"{subject.kind}.{key} = {reading.value!r}"


def is_declared(key: str, source: Source) -> bool:
    return any((place.section, place.command) == (source.section, source.command) for place in SOURCES.get(key, ()))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_value_has_a_source_of_the_catalogue(name: str) -> None:
    wrong = {
        f"{subject.kind}.{key} from {reading.source.section}/{reading.source.command}"
        for subject, key, reading in sample(name).configuration
        if isinstance(reading, Value) and not is_declared(f"{subject.kind}.{key}", reading.source)
    }
    assert wrong == set()


def test_every_declared_source_is_a_read_that_agents_send() -> None:
    import yaml

    agreed = yaml.safe_load((WINDOWS_SAMPLES.parents[1] / "windows-sections.yaml").read_text())
    for key, places in SOURCES.items():
        assert key in BY_KEY
        for place in places:
            assert place.command in agreed[place.section], f"{key}: {place.section}/{place.command}"


UNTOUCHED = {"mtu": 1500, "receive_buffers": 0, "transmit_buffers": 0, "tcp_connection_offload": "disabled", "flow_control": "rx_tx"}
RECOMMENDED = {
    "mtu": 9600,
    "receive_buffers": 3000,
    "receive_buffers_maximum": 3000,
    "transmit_buffers": 5000,
    "transmit_buffers_maximum": 5000,
    "tcp_connection_offload": "enabled",
    "flow_control": "rx_tx",
    "netbios": "disabled",
}


@pytest.mark.parametrize(
    ("name", "expected", "chimney", "delayed_ack"),
    [("bcm57810-2012-default", UNTOUCHED, "disabled", "enabled"), ("bcm57810-2012-recommended", RECOMMENDED, "enabled", "disabled")],
)
def test_bcm57810_on_2012(name: str, expected: dict[str, Any], chimney: str, delayed_ack: str) -> None:
    assembled = sample(name)
    configuration, adapters = assembled.configuration, names(assembled)
    for port in ("SAN1", "SAN2"):
        subject = f"adapter/{adapters[port]}"
        assert value(configuration, f"{subject}/family") == "bcm57810"
        assert value(configuration, f"{subject}/role") == "san_iscsi"
        assert {key: value(configuration, f"{subject}/{key}") for key in expected} == expected
    assert value(configuration, f"adapter/{adapters['LOM1']}/role") == "management"
    assert value(configuration, "tcp.chimney") == chimney
    assert value(configuration, "tcp.delayed_ack_iscsi") == delayed_ack
    (initiator,) = configuration.subjects("initiator")
    assert configuration.value(initiator, "mode") == "ndis"
    assert assembled.path_map.problem == ""
    assert {configuration.value(volume, "paths_healthy") for volume in configuration.subjects("volume")} == {2}
    assert all(path.adapter in (adapters["SAN1"], adapters["SAN2"]) for path in assembled.path_map.paths)


def test_isoe_on_2012_has_hidden_adapters_and_no_ndis_settings() -> None:
    assembled = sample("bcm57810-2012-isoe")
    configuration = assembled.configuration
    modes = [configuration.value(subject, "mode") for subject in configuration.subjects("initiator")]
    assert modes.count("isoe") == 2
    hidden = [subject for subject in configuration.subjects("adapter") if configuration.value(subject, "family") == "bcm57810"]
    assert len(hidden) == 2
    assert {configuration.value(subject, "mtu") for subject in hidden} == {None}
    assert {configuration.value(subject, "role") for subject in hidden} == {"san_iscsi"}
    assert {path.adapter for path in assembled.path_map.paths} == {subject.id for subject in hidden}


def test_chelsio_on_an_s2d_node() -> None:
    assembled = sample("t520-2016-s2d")
    configuration, adapters = assembled.configuration, names(assembled)
    for port in ("ch_p0", "ch_p1"):
        subject = f"adapter/{adapters[port]}"
        assert value(configuration, f"{subject}/family") == "t520"
        assert value(configuration, f"{subject}/role") == "s2d_storage"
        assert value(configuration, f"{subject}/rdma_technology") == "iwarp"
        assert value(configuration, f"{subject}/qos") == "enabled"
        assert value(configuration, f"{subject}/vswitch") == "sw0"
        assert value(configuration, f"{subject}/mtu") == 1500
    assert value(configuration, "qos_policy/rdma/net_direct_port") == 445
    assert value(configuration, "qos_policy/rdma/priority") == 5
    assert value(configuration, "qos_class/rdma/bandwidth_percent") == 80
    assert value(configuration, "vswitch/sw0/embedded_teaming") is True
    assert value(configuration, "cluster") == "S2D-CL1"
    assert {configuration.value(subject, "role") for subject in configuration.subjects("vnic")} == {"s2d_storage"}
    assert isinstance(at(configuration, "tcp.chimney"), NotOffered)
    assert assembled.path_map.problem == ""


def test_x520_with_the_recommended_values_on_2022() -> None:
    assembled = sample("x520-2022-recommended")
    configuration, adapters = assembled.configuration, names(assembled)
    for port in ("iSCSI A", "iSCSI B"):
        subject = f"adapter/{adapters[port]}"
        wanted = {"mtu": 9000, "receive_buffers": 4096, "transmit_buffers": 16384, "family": "x520", "frame_probe": "ok"}
        assert {key: value(configuration, f"{subject}/{key}") for key in wanted} == wanted
    assert value(configuration, "tcp.delayed_ack_iscsi") == "disabled"
    assert value(configuration, "tcp.san_template") == "DatacenterCustom"
    assert value(configuration, "tcp.unrestricted_custom_filter") is False
    assert value(configuration, "pending_reboot") is True


def test_x520_untouched_on_2012_r2_with_the_unrestricted_filter_and_a_dead_path() -> None:
    assembled = sample("x520-2012r2-default")
    configuration = assembled.configuration
    assert value(configuration, "tcp.unrestricted_custom_filter") is True
    assert value(configuration, "tcp.delayed_ack_iscsi") == "disabled"
    counts = [configuration.value(volume, "paths_healthy") for volume in configuration.subjects("volume")]
    assert counts == [2, 1, 2]
    assert [path.state for path in assembled.path_map.paths].count("dead") == 1


def test_the_hosts_language_does_not_matter() -> None:
    assembled = sample("x520-2019-german")
    configuration, adapters = assembled.configuration, names(assembled)
    assert value(configuration, "language") == "de-DE"
    subject = f"adapter/{adapters['Ethernet SAN 1']}"
    wanted = {"mtu": 9000, "flow_control": "off", "role": "san_iscsi", "frame_probe": "too_big", "rss": "enabled"}
    assert {key: value(configuration, f"{subject}/{key}") for key in wanted} == wanted
    assert assembled.path_map.problem == ""
