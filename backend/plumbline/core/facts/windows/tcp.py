"""Section `tcp`: templates, transport filters, the templates of live connections, and the registry's per-interface values."""

import ipaddress
from dataclasses import dataclass

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Reading, Subject, Unknown, Value
from plumbline.core.facts.windows.iscsi import address_text
from plumbline.core.facts.windows.reads import Body, Row, as_int, as_text, choice, guid_in, on_off, registry_value

TEMPLATES = "Get-NetTCPSetting"
FILTERS = "Get-NetTransportFilter"
CONNECTIONS = "Get-NetTCPConnection"
REGISTRY = "registry:Tcpip/Parameters/Interfaces"
ISCSI_PORT = 3260
_LAST_PORT = 65535
_LEVEL = choice(
    {
        "disabled": "disabled", "0": "disabled", "highlyrestricted": "highlyrestricted", "1": "highlyrestricted",
        "restricted": "restricted", "2": "restricted", "normal": "normal", "3": "normal",
        "experimental": "experimental", "4": "experimental",
    }
)  # fmt: skip
_FROM = choice({"local": "local", "0": "local", "grouppolicy": "group_policy", "1": "group_policy"})


@dataclass(frozen=True, slots=True)
class Filter:
    """A transport filter: which connections it moves to which template."""

    subject: Subject
    template: str
    is_tcp: bool
    remote_ports: tuple[int, int]
    local_ports: tuple[int, int]
    prefix: str

    @property
    def is_unrestricted(self) -> bool:
        """Every TCP connection falls under it."""
        return self.is_tcp and self.remote_ports == (0, _LAST_PORT) and self.local_ports == (0, _LAST_PORT) and self.prefix in ("*", "")

    def covers(self, portals: list[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> bool:
        """A connection to port 3260 of one of the portals falls under it; with no portal known, only its ports and `*` count."""
        if not self.is_tcp or not self.remote_ports[0] <= ISCSI_PORT <= self.remote_ports[1]:
            return False
        if self.prefix in ("*", ""):
            return True
        try:
            network = ipaddress.ip_network(self.prefix, strict=False)
        except ValueError:
            return False
        return any(portal in network for portal in portals)


def parse(body: Body) -> Facts:
    """Templates and filters as subjects of their own; what the SAN's sessions get is joined later."""
    _templates(body)
    _filters(body)
    applied = body.read(CONNECTIONS)
    live = [row for row in applied.rows if as_int(row.get("RemotePort")) in (ISCSI_PORT, None) and _is_open(row)]
    # An agent sends only the connections to targets: a list that has others too is that of all connections, as a bundle holds it.
    body.facts.observations["lists_all_connections"] = len(live) < len(applied.rows)
    body.facts.observations["applied"] = sorted({as_text(row.get("AppliedSetting")) or "" for row in live} - {""})
    connections = [(address_text(row.get("LocalAddress")), address_text(row.get("RemoteAddress"))) for row in live]
    body.facts.observations["connections"] = connections
    body.facts.observations["live_sources"] = frozenset(local for local, _ in connections if local)
    _registry(body)
    return body.facts


def _is_open(row: Row) -> bool:
    return "State" not in row or (as_text(row["State"]) or "").lower() in ("established", "5")


def _templates(body: Body) -> None:
    names: list[str] = []
    level_from: dict[str, Reading] = {}
    for row in body.rows(TEMPLATES):
        name = as_text(row.get("SettingName"))
        if not name:
            body.facts.problems.append(f"{TEMPLATES}: a template without a name")
            continue
        names.append(name)
        template = Subject("tcp_template", name)
        body.facts.set(template, "auto_tuning", _effective_level(body, row))
        level_from[name.lower()] = body.reading(TEMPLATES, row, "AutoTuningLevelEffective", _FROM)
        if name.lower() == "automatic" and row.get("DelayedAckFrequency") in (None, "") and row.get("AutoTuningLevelLocal") in (None, ""):
            gone = NotOffered(
                "Automatic has no values of its own: it chooses between Internet and Datacenter", body.source(TEMPLATES, "SettingName")
            )
            body.facts.readings[template] = dict.fromkeys(_VALUES, gone)
            continue
        body.set_from_row(
            template,
            {
                "delayed_ack_frequency": ("DelayedAckFrequency", as_int),
                "delayed_ack_timeout_ms": (_of_release(row, "DelayedAckTimeout"), as_int),
                "congestion_provider": ("CongestionProvider", as_text),
                "ecn": ("EcnCapability", on_off),
                "min_rto_ms": (_of_release(row, "MinRto"), as_int),
            },
            TEMPLATES,
            row,
        )
    if level_from:
        body.facts.observations["level_from"] = level_from
    body.facts.observations["templates"] = {name.lower(): (name, body.facts.readings[Subject("tcp_template", name)]) for name in names}


_VALUES = ("auto_tuning", "delayed_ack_frequency", "delayed_ack_timeout_ms", "congestion_provider", "ecn", "min_rto_ms")


def _of_release(row: Row, field: str) -> str:
    """The property of the class; agents before 1.1.0 sent the parameter of the cmdlet that sets it."""
    return field if field in row or f"{field}Ms" not in row else f"{field}Ms"


def _effective_level(body: Body, row: Row) -> Reading:
    decided = body.reading(TEMPLATES, row, "AutoTuningLevelEffective", _FROM)
    by_policy = isinstance(decided, Value) and decided.value == "group_policy"
    level = body.reading(TEMPLATES, row, "AutoTuningLevelGroupPolicy" if by_policy else "AutoTuningLevelLocal", _LEVEL)
    if isinstance(level, Value) and level.value != "disabled" and on_off(row.get("ScalingHeuristics")) == "enabled":
        # The heuristics lower the level of a connection, and no cmdlet shows to what.
        source = body.source(TEMPLATES, "ScalingHeuristics", row.get("ScalingHeuristics"))
        return Unknown(f"window scaling heuristics are on and may hold it below {level.value}", source)
    return level


def _filters(body: Body) -> None:
    filters: list[Filter] = []
    read = body.read(FILTERS)
    for row in body.rows(FILTERS):
        protocol = (as_text(row.get("Protocol")) or "").upper()
        local = (as_int(row.get("LocalPortStart")) or 0, _last(row.get("LocalPortEnd")))
        remote = (as_int(row.get("RemotePortStart")) or 0, _last(row.get("RemotePortEnd")))
        prefix = as_text(row.get("DestinationPrefix")) or "*"
        subject = Subject("transport_filter", f"{protocol},{local[0]}-{local[1]},{remote[0]}-{remote[1]},{prefix}")
        found = Filter(subject, as_text(row.get("SettingName")) or "", protocol in ("TCP", "6", ""), remote, local, prefix)
        filters.append(found)
        if found.template.lower() == "automatic" and subject in body.facts.readings:
            # The default filter has the same tuple as one that moves everything to a template; that one decides.
            continue
        if read.reason and found.template.lower() == "automatic":
            # What has the same tuple and decides may be among the rows that did not come.
            body.facts.set(subject, "template", Unknown(read.reason, body.source(FILTERS, "SettingName", found.template)))
        else:
            body.facts.set(subject, "template", body.reading(FILTERS, row, "SettingName", as_text))
        body.facts.set_value(subject, "unrestricted", found.is_unrestricted, body.source(FILTERS, "RemotePortStart", row))
    body.facts.observations["filters"] = filters
    source = body.source(FILTERS, "SettingName")
    moved = any(found.is_unrestricted and found.template.lower().endswith("custom") for found in filters)
    if read.reason and not moved:
        body.facts.set(HOST, "tcp.unrestricted_custom_filter", Unknown(read.reason, source))
    else:
        body.facts.set_value(HOST, "tcp.unrestricted_custom_filter", moved, source)


def _last(raw: object) -> int:
    port = as_int(raw)
    return _LAST_PORT if port is None else port


def _registry(body: Body) -> None:
    found = body.by_interface()
    for row in body.rows(REGISTRY):
        guid = guid_in(row.get("InterfaceGuid"))
        if not guid:
            continue
        mine = found.setdefault(guid, {})
        # Absent means Windows' own default: every second segment acknowledged, Nagle on (BP1057-A section B.8).
        for key, name in (("delayed_ack_registry", "TcpAckFrequency"), ("nagle_registry", "TcpNoDelay")):
            if name not in row:
                mine[key] = NotOffered(f"{REGISTRY} was sent without {name}", body.source(REGISTRY, name))
                continue
            raw = registry_value(row[name])
            source = body.source(REGISTRY, name, "absent" if raw is None else raw)
            number = as_int(raw) if raw is not None else 0
            if number is None:
                mine[key] = Unknown(f"{name} is {source.raw!r}, which is no number", source)
            else:
                mine[key] = Value("disabled" if number == 1 else "enabled", source)
