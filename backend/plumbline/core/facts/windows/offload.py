"""Section `offload`: the typed cmdlets for RSS, RSC, LSO, checksum and RDMA, and the system's own switches."""

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Reading, Source, Unknown, Value
from plumbline.core.facts.windows.reads import Body, Convert, Row, as_bool, as_int, as_text, choice, interface_key, on_off

# Names as the cmdlets print them and numbers as the CIM class holds them.
_PROFILE = choice(
    {
        "closest": "closest", "closestprocessor": "closest", "1": "closest",
        "closeststatic": "closest_static", "closestprocessorstatic": "closest_static", "2": "closest_static",
        "numa": "numa_scaling", "numascaling": "numa_scaling", "3": "numa_scaling",
        "numastatic": "numa_scaling_static", "numascalingstatic": "numa_scaling_static", "4": "numa_scaling_static",
        "conservative": "conservative", "conservativescaling": "conservative", "5": "conservative",
    }
)  # fmt: skip
_CHECKSUM = choice(
    {
        "disabled": "off", "0": "off", "txenabled": "tx", "tx": "tx", "1": "tx", "rxenabled": "rx", "rx": "rx", "2": "rx",
        "rxtxenabled": "rx_tx", "txrxenabled": "rx_tx", "rxtx": "rx_tx", "3": "rx_tx",
    }
)  # fmt: skip
_TECHNOLOGY = choice(
    {
        "iwarp": "iwarp", "1": "iwarp", "infiniband": "infiniband", "2": "infiniband",
        "roce": "roce", "3": "roce", "rocev2": "rocev2", "4": "rocev2",
    }
)  # fmt: skip
_CHIMNEY = choice(
    {"enabled": "enabled", "1": "enabled", "disabled": "disabled", "0": "disabled", "automatic": "automatic", "2": "automatic"}
)
_LEVEL = choice({name: name for name in ("disabled", "highlyrestricted", "restricted", "normal", "experimental")})
_REASONS = {
    "0": "NoFailure", "1": "NicPropertyDisabled", "2": "WFPCompatibility", "3": "NDISCompatibility", "4": "ForwardingEnabled",
    "5": "NetOffloadGlobalDisabled", "6": "Capability",
}  # fmt: skip


def _rsc_reason(raw: object) -> str | None:
    text = as_text(raw)
    name = None if text is None else _REASONS.get(text, text)
    return "" if name == "NoFailure" else name


def _technology(raw: object) -> str | None:
    """The technology inside `RdmaAdapterInfo`, an object of the adapter's RDMA capabilities."""
    found = _TECHNOLOGY(raw.get("RdmaTechnology")) if isinstance(raw, dict) else None
    return found if isinstance(found, str) else None


RDMA = "Get-NetAdapterRdma"
# Command -> setting -> (property, how to read it).
PER_ADAPTER: dict[str, dict[str, tuple[str, Convert]]] = {
    "Get-NetAdapterRss": {
        "rss": ("Enabled", on_off),
        "rss_queues": ("NumberOfReceiveQueues", as_int),
        "rss_profile": ("Profile", _PROFILE),
    },
    "Get-NetAdapterRsc": {
        "rsc_ipv4": ("IPv4Enabled", on_off),
        "rsc_ipv6": ("IPv6Enabled", on_off),
        "rsc_ipv4_operational": ("IPv4OperationalState", on_off),
        "rsc_ipv6_operational": ("IPv6OperationalState", on_off),
        "rsc_ipv4_failure_reason": ("IPv4FailureReason", _rsc_reason),
    },
    "Get-NetAdapterLso": {"lso_ipv4": ("IPv4Enabled", on_off), "lso_ipv6": ("IPv6Enabled", on_off)},
    "Get-NetAdapterChecksumOffload": {
        "checksum_ip_ipv4": ("IpIPv4Enabled", _CHECKSUM),
        "checksum_tcp_ipv4": ("TcpIPv4Enabled", _CHECKSUM),
        "checksum_tcp_ipv6": ("TcpIPv6Enabled", _CHECKSUM),
        "checksum_udp_ipv4": ("UdpIPv4Enabled", _CHECKSUM),
        "checksum_udp_ipv6": ("UdpIPv6Enabled", _CHECKSUM),
    },
    RDMA: {
        "rdma": ("Enabled", on_off),
        "rdma_operational": ("OperationalState", on_off),
        "rdma_technology": ("RdmaAdapterInfo", _technology),
    },
}
COMMAND_OF: dict[str, tuple[str, str]] = {
    key: (command, field) for command, settings in PER_ADAPTER.items() for key, (field, _) in settings.items()
}
GLOBAL = "Get-NetOffloadGlobalSetting"
_GLOBAL: dict[str, tuple[str, Convert]] = {
    "tcp.rss": ("ReceiveSideScaling", on_off),
    "tcp.rsc": ("ReceiveSegmentCoalescing", on_off),
    "tcp.task_offload": ("TaskOffload", on_off),
    "tcp.network_direct": ("NetworkDirect", on_off),
}
# Only in folders of captured text, and only in English: an agent has the cmdlet.
NETSH = "netsh int tcp show global"
_NETSH: dict[str, tuple[str, Convert]] = {
    "tcp.rss": ("Receive-Side Scaling State", on_off),
    "tcp.rsc": ("Receive Segment Coalescing State", on_off),
}


def parse(body: Body) -> Facts:
    """Typed offload settings by interface, and the system's switches."""
    _per_adapter(body)
    netsh = body.first(NETSH)
    if netsh is not None and not body.rows(GLOBAL):
        body.set_from_row(HOST, _NETSH, NETSH, netsh)
        level = body.reading(NETSH, netsh, "Receive Window Auto-Tuning Level", _LEVEL)
        if "Window Scaling heuristics" in netsh and isinstance(level, Value) and level.value != "disabled":
            level = Unknown(
                f"according to its footnote, window scaling heuristics override the level it shows ({level.value})", level.source
            )
        body.facts.observations["auto_tuning"] = level
        if "Chimney Offload State" in netsh or "Receive Window Auto-Tuning Level" not in netsh:
            body.facts.observations["chimney"] = body.reading(NETSH, netsh, "Chimney Offload State", _CHIMNEY)
        else:
            gone = "this release has no Chimney line any more"
            body.facts.observations["chimney"] = NotOffered(gone, Source(body.section, NETSH, "Chimney Offload State"))
        return body.facts
    body.set_from_row(HOST, _GLOBAL, GLOBAL)
    row = body.first(GLOBAL)
    # Whether this switch still does anything depends on the release, which is in another section.
    body.facts.observations["chimney"] = body.missing(GLOBAL, "Chimney") if row is None else body.reading(GLOBAL, row, "Chimney", _CHIMNEY)
    return body.facts


def _rdma(body: Body, row: Row, mine: dict[str, Reading]) -> None:
    """What few releases show: whether RDMA works (none before 2022), and its technology. Neither is a thing that the adapter lacks."""
    if "OperationalState" not in row:
        # Agents before 1.1.0 and copied tables may have the property under this name.
        mine["rdma_operational"] = (
            body.reading(RDMA, row, "Operational", on_off)
            if "Operational" in row
            else Unknown(f"{RDMA} of this release does not show whether RDMA works", body.source(RDMA, "OperationalState"))
        )
    if "RdmaAdapterInfo" not in row:
        mine["rdma_technology"] = (
            body.reading(RDMA, row, "RdmaTechnology", _TECHNOLOGY)
            if "RdmaTechnology" in row
            else Unknown(f"{RDMA} does not show the technology here", body.source(RDMA, "RdmaAdapterInfo"))
        )


def _per_adapter(body: Body) -> None:
    found = body.by_interface()
    for command, settings in PER_ADAPTER.items():
        for row in body.rows(command):
            key = interface_key(row, "InstanceID", "InterfaceGuid")
            if not key:
                body.facts.problems.append(f"{command}: a row without interface")
                continue
            mine = found.setdefault(key, {})
            body.note_name(key, row)
            for setting, (field, convert) in settings.items():
                mine[setting] = body.reading(command, row, field, convert)
            if command == "Get-NetAdapterLso" and as_bool(row.get("V1IPv4Enabled")) and not as_bool(row.get("IPv4Enabled")):
                # An adapter with version 1 alone shows version 2 as off.
                mine["lso_ipv4"] = body.reading(command, row, "V1IPv4Enabled", on_off)
            if command == RDMA:
                _rdma(body, row, mine)
