"""Settings of the TCP stack as they hold for iSCSI: delayed ACK by release (papers.yaml, T9), auto-tuning, Chimney (T6)."""

from typing import Any

import pytest

from tests.core.facts.builders import GUID, iscsi, not_there, read, refused, san_adapters, session, system, value, why, windows


def template(
    name: str, frequency: int | None = 2, level: str | None = "Normal", effective: str | None = "Local", **more: Any
) -> dict[str, Any]:
    return {
        "SettingName": name,
        "DelayedAckFrequency": frequency,
        "AutoTuningLevelLocal": level,
        "AutoTuningLevelEffective": effective,
        **more,
    }


def transport_filter(name: str, first: int = 0, last: int = 65535, prefix: str = "*") -> dict[str, Any]:
    ports = {"LocalPortStart": 0, "LocalPortEnd": 65535, "RemotePortStart": first, "RemotePortEnd": last}
    return {"SettingName": name, "Protocol": "TCP", **ports, "DestinationPrefix": prefix}


AUTOMATIC = template("Automatic", None, None, None)
DEFAULTS = (AUTOMATIC, template("Internet"), template("Datacenter"), template("DatacenterCustom", 1))


def tcp(*filters: dict[str, Any], templates: tuple[dict[str, Any], ...] = DEFAULTS, **more: Any) -> dict[str, Any]:
    return {"Get-NetTCPSetting": read(*templates), "Get-NetTransportFilter": read(transport_filter("Automatic"), *filters), **more}


def registry(*present: int, value_: int = 1) -> dict[str, Any]:
    rows = [
        {
            "InterfaceGuid": GUID.format(n),
            "TcpAckFrequency": {"state": "present", "kind": "DWord", "value": value_} if n in present else {"state": "absent"},
            "TcpNoDelay": {"state": "absent"},
        }
        for n in (1, 2, 3)
    ]
    return {"registry:Tcpip/Parameters/Interfaces": read(*rows)}


def host(build: int, section: dict[str, Any], **more: Any) -> Any:
    sections = {
        "system": system(build),
        "adapters": san_adapters(),
        "iscsi": iscsi(session("10.10.5.1"), session("10.10.5.2")),
        "tcp": section,
    }
    return windows(**{**sections, **more}).configuration


@pytest.mark.parametrize(
    ("present", "value_", "delayed_ack"),
    [((), 1, "enabled"), ((1,), 1, "enabled"), ((1, 2), 1, "disabled"), ((1, 2, 3), 1, "disabled"), ((1, 2), 2, "enabled")],
)
def test_on_2012_the_registry_of_every_san_interface_decides(present: tuple[int, ...], value_: int, delayed_ack: str) -> None:
    assert value(host(9200, tcp(**registry(*present, value_=value_))), "tcp.delayed_ack_iscsi") == delayed_ack


def test_from_2012_r2_on_the_registry_by_itself_is_no_evidence() -> None:
    assert value(host(9600, tcp(**registry(1, 2))), "tcp.delayed_ack_iscsi") == "enabled"


@pytest.mark.parametrize(
    ("filters", "delayed_ack"),
    [
        ((), "enabled"),
        ((transport_filter("DatacenterCustom", 3260, 3260),), "disabled"),
        ((transport_filter("DatacenterCustom", 3000, 4000),), "disabled"),
        ((transport_filter("DatacenterCustom", prefix="10.10.5.0/24"),), "disabled"),
        ((transport_filter("DatacenterCustom", prefix="172.28.45.0/24"),), "enabled"),  # not where the SAN is
        ((transport_filter("DatacenterCustom", 445, 445),), "enabled"),
        ((transport_filter("DatacenterCustom"),), "disabled"),  # the unrestricted one of BP1057-B appendix B, taken literally
    ],
)
def test_from_2012_r2_on_the_filter_that_covers_the_san_decides(filters: tuple[dict[str, Any], ...], delayed_ack: str) -> None:
    assert value(host(9600, tcp(*filters)), "tcp.delayed_ack_iscsi") == delayed_ack


def test_two_filters_with_different_templates_are_not_guessed_between() -> None:
    both = (transport_filter("DatacenterCustom", 3260, 3260), transport_filter("Internet", prefix="10.10.5.0/24"))
    assert why(host(9600, tcp(*both)), "tcp.delayed_ack_iscsi").startswith("templates that the SAN may get differ")


def test_delayed_ack_is_unknown_where_filters_or_release_are() -> None:
    assert "Get-NetTransportFilter failed" in why(host(9600, {**tcp(), "Get-NetTransportFilter": refused()}), "tcp.delayed_ack_iscsi")
    assert "release" in why(host(9600, tcp(), system={}), "tcp.delayed_ack_iscsi")


def test_a_host_without_san_has_no_delayed_ack_for_it_on_2012() -> None:
    stopped = {"Get-Service": read({"Name": "MSiSCSI", "Status": "Stopped"})}
    assert not_there(host(9200, tcp(**registry()), iscsi=stopped), "tcp.delayed_ack_iscsi") == "no iSCSI adapters on this host"


def test_an_unrestricted_custom_filter_counts_before_the_default_of_the_same_tuple() -> None:
    found = host(9600, tcp(transport_filter("DatacenterCustom")))
    assert value(found, "tcp.unrestricted_custom_filter") is True
    assert value(found, "transport_filter/TCP,0-65535,0-65535,*/template") == "DatacenterCustom"
    assert value(host(9600, tcp(transport_filter("DatacenterCustom", 3260, 3260))), "tcp.unrestricted_custom_filter") is False


def test_group_policy_decides_auto_tuning_where_it_is_set() -> None:
    by_policy = template("Internet", level="Normal", effective="GroupPolicy", AutoTuningLevelGroupPolicy="Disabled")
    found = host(17763, tcp(templates=(AUTOMATIC, by_policy, {**by_policy, "SettingName": "Datacenter"})))
    assert value(found, "tcp.auto_tuning") == "disabled"
    assert value(found, "tcp.auto_tuning_from") == "group_policy"


def test_auto_tuning_is_that_of_the_sans_template() -> None:
    restricted = template("DatacenterCustom", 1, "HighlyRestricted")
    found = host(17763, tcp(transport_filter("DatacenterCustom", 3260, 3260), templates=(*DEFAULTS[:3], restricted)))
    assert value(found, "tcp.auto_tuning") == "highlyrestricted"
    assert value(host(17763, tcp(templates=(*DEFAULTS[:3], restricted))), "tcp.auto_tuning") == "normal"


def test_what_live_connections_got_wins_for_the_template_in_use() -> None:
    connections = read(
        {"LocalAddress": "10.10.5.1", "RemoteAddress": "10.10.5.20", "RemotePort": 3260, "AppliedSetting": "DatacenterCustom"}
    )
    assert value(host(9600, tcp(**{"Get-NetTCPConnection": connections})), "tcp.san_template") == "DatacenterCustom"
    assert why(host(9600, tcp(**{"Get-NetTCPConnection": read()})), "tcp.san_template") == "no iSCSI connection (port 3260) to read it from"


@pytest.mark.parametrize(
    ("build", "is_offered"), [(9200, True), (9600, True), (14393, False), (17763, False), (20348, False), (26100, False)]
)
def test_chimney_is_gone_from_2016_on(build: int, is_offered: bool) -> None:
    offload = {"Get-NetOffloadGlobalSetting": read({"ReceiveSideScaling": "Enabled", "Chimney": "Disabled"})}
    found = host(build, tcp(), offload=offload)
    if is_offered:
        assert value(found, "tcp.chimney") == "disabled"
    else:
        assert not_there(found, "tcp.chimney") == "Chimney offload was removed in Windows Server 2016"


@pytest.mark.parametrize(
    ("build", "release", "name"),
    [
        (9200, "2012", "Windows Server 2012"),
        (9600, "2012r2", "Windows Server 2012 R2"),
        (14393, "2016", "Windows Server 2016"),
        (17763, "2019", "Windows Server 2019"),
        (20348, "2022", "Windows Server 2022"),
        (25398, "2022", "Windows Server 2022"),
        (26100, "2025", "Windows Server 2025"),
    ],
)
def test_release_by_build(build: int, release: str, name: str) -> None:
    found = windows(system=system(build)).configuration
    assert (value(found, "os_release"), value(found, "os_name"), value(found, "os_build")) == (release, name, build)


def test_an_older_build_or_a_client_edition_has_no_release() -> None:
    assert "older than" in why(windows(system=system(7601)).configuration, "os_release")
    client = system(22631)
    client["Win32_OperatingSystem"]["rows"][0]["ProductType"] = 1
    assert "client edition" in why(windows(system=client).configuration, "os_release")
