"""Values of an offload engine that a person entered fill in what cannot be read, and never override what a host reports."""

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST
from plumbline.core.facts.entered import CLUSTER, CLUSTER_FROM, entered_value
from plumbline.infra.resources import SCHEMA
from tests.core.facts.builders import WINDOWS_SAMPLES, at, sections_of, value, why

SECTIONS = sections_of(WINDOWS_SAMPLES / "bcm57810-2012-isoe.checkin")
ENGINES = assemble("windows", SECTIONS).configuration.subjects("initiator")


def test_engines_are_unknown_until_their_settings_are_entered() -> None:
    first, second = ENGINES[0], ENGINES[1]
    entered = {first.address("mtu"): "9600", first.address("flow_control"): "rx_tx"}
    configuration = assemble("windows", SECTIONS, entered).configuration
    assert configuration.value(first, "mtu") == 9600
    assert configuration.value(first, "flow_control") == "rx_tx"
    assert configuration.read(first, "mtu").source.section == "person"  # type: ignore[union-attr]
    assert "vendor tool" in configuration.read(second, "mtu").reason  # type: ignore[union-attr]
    # Given back, it is unknown again.
    assert why(assemble("windows", SECTIONS, {}).configuration, f"initiator/{first.id}/mtu")


def test_a_value_that_was_read_overrides_an_entered_one() -> None:
    """The mode of an engine is read, and a software initiator has no such settings to enter."""
    first = ENGINES[0]
    configuration = assemble("windows", SECTIONS, {first.address("mode"): "software"}).configuration
    assert configuration.value(first, "mode") == "isoe"
    plain = sections_of(WINDOWS_SAMPLES / "bcm57810-2012-default.checkin")
    (software,) = assemble("windows", plain).configuration.subjects("initiator")
    assert assemble("windows", plain, {software.address("mtu"): "9600"}).configuration.value(software, "mtu") is None


def test_an_engine_that_is_gone_is_not_made_up() -> None:
    configuration = assemble("windows", SECTIONS, {"initiator/gone/mtu": "9600"}).configuration
    assert configuration.subjects("initiator") == ENGINES
    assert value(configuration, "os_release") == "2012"
    assert at(configuration, "initiator/gone/mtu") == assemble("windows", {}).configuration.read(ENGINES[0], "mtu")


@pytest.mark.parametrize(
    ("key", "text", "taken"),
    [
        ("initiator.mtu", "9600", 9600),
        ("initiator.mtu", "0", None),
        ("initiator.mtu", "70000", None),
        ("initiator.mtu", "-1", None),
        ("initiator.mtu", "9600 ", None),
        ("initiator.mtu", "\u0669", None),
        ("initiator.mtu", "", None),
        ("initiator.flow_control", "rx_tx", "rx_tx"),
        ("initiator.flow_control", "on", None),
        ("initiator.delayed_ack", "disabled", None),
        ("adapter.mtu", "9000", None),
        ("nonsense", "1", None),
        ("host.cluster", " PROD-01 ", "PROD-01"),
        ("host.cluster", " ", None),
        ("host.cluster", "PROD\n01", None),
        ("host.cluster", "x" * 121, None),
    ],
)
def test_only_settings_that_no_host_reports_can_be_entered(key: str, text: str, taken: int | str | None) -> None:
    assert entered_value(key, text) == taken


def test_the_cluster_of_an_esxi_host_is_entered_or_imported_with_its_source() -> None:
    sections = sections_of(SCHEMA / "samples" / "esxi" / "7.0.checkin")
    assert "import it from vCenter" in why(assemble("esxi", sections).configuration, "host//cluster")
    by_hand = assemble("esxi", sections, {CLUSTER: "PROD-01"}).configuration
    assert (by_hand.value(HOST, "cluster"), by_hand.value(HOST, "is_clustered")) == ("PROD-01", True)
    assert by_hand.read(HOST, "cluster").source.section == "person"  # type: ignore[union-attr]
    imported = assemble("esxi", sections, {CLUSTER: "PROD-01", CLUSTER_FROM: "vc-berlin"}).configuration
    source = imported.read(HOST, "cluster").source  # type: ignore[union-attr]
    assert (source.section, source.command) == ("vcenter", "vc-berlin")


def test_a_failover_cluster_that_was_read_overrides_an_entered_one() -> None:
    sections = sections_of(WINDOWS_SAMPLES / "t520-2016-s2d.checkin")
    shown = assemble("windows", sections).configuration.value(HOST, "cluster")
    assert shown
    assert assemble("windows", sections, {CLUSTER: "another"}).configuration.value(HOST, "cluster") == shown
