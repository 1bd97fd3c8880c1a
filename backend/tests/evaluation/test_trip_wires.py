"""What a waiver rests on, and the words for what became of it. Pure: no database."""

from plumbline.core.facts.configuration import HOST, Configuration, Reading, Source, Subject, Unknown, Value
from plumbline.evaluation.trip_wires import SAN_ADAPTERS, touched, wires_of

READ_AT = Source("adapters", "Get-NetAdapter", "DriverVersion")
SAN1, SAN2, LAN = (Subject("adapter", each) for each in ("aa", "bb", "cc"))


def host(**changes: dict[str, Reading | str]) -> Configuration:
    readings: dict[Subject, dict[str, Reading]] = {
        HOST: {"cluster": said("SQL"), "os_release": said("2016")},
        SAN1: {"name": said("SAN1"), "role": said("san_iscsi"), "driver_version": said("7.4")},
        SAN2: {"name": said("SAN2"), "role": said("san_iscsi"), "driver_version": said("7.4")},
        LAN: {"name": said("LAN"), "role": said("management"), "driver_version": said("1.0")},
    }
    for name, keys in changes.items():
        subject = {"host": HOST, "san1": SAN1, "san2": SAN2, "lan": LAN}[name]
        for key, reading in keys.items():
            readings[subject][key] = said(reading) if isinstance(reading, str) else reading
    return Configuration("windows", readings)


def said(value: str) -> Value:
    return Value(value, READ_AT)


def test_the_same_host_touches_nothing() -> None:
    assert touched(host(), wires_of(host())) == ""


def test_another_driver_is_named_with_both_values() -> None:
    assert touched(host(san1={"driver_version": "7.8"}), wires_of(host())) == "Driver version of SAN1 changed from 7.4 to 7.8"


def test_a_driver_that_carries_no_storage_is_not_watched() -> None:
    assert touched(host(lan={"driver_version": "2.0"}), wires_of(host())) == ""


def test_what_cannot_be_read_trips_nothing() -> None:
    assert touched(host(san1={"driver_version": Unknown("no rights")}), wires_of(host())) == ""
    assert touched(Configuration("windows", {HOST: {}}), wires_of(host())) == ""


def test_a_waiver_on_one_adapter_depends_on_that_adapter_only() -> None:
    wires = wires_of(host(), SAN2)
    assert touched(host(san1={"driver_version": "7.8"}), wires) == ""
    assert touched(host(san2={"driver_version": "7.8"}), wires) != ""


def test_one_storage_adapter_more_or_less_is_another_topology() -> None:
    wires = wires_of(host())
    assert wires[SAN_ADAPTERS] == ["aa", "bb"]
    assert "LAN was added as a storage adapter" in touched(host(lan={"role": "s2d_storage"}), wires)
    assert "SAN2 is no longer a storage adapter" in touched(host(san2={"role": "other"}), wires)


def test_another_cluster_is_another_topology() -> None:
    assert touched(host(host={"cluster": "SQL2"}), wires_of(host())) == "Cluster changed from SQL to SQL2"
