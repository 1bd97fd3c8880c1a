"""Settings of a Windows lab host as a runner reads and sets them: the host's own text, by the agreement of `runner-settings.yaml`."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

from lab.host import LabHost
from lab.identity import target_iqn
from lab.initial_state import State
from lab.windows.adapters import keywords
from lab.windows.common import guid_of, mac_of, visible
from lab.windows.stack import filters, template_of_new, template_value, templates

_AGREEMENT = Path(__file__).resolve().parents[2] / "schema" / "runner-settings.yaml"
_FLOW = {"0": "off", "1": "tx", "2": "rx", "3": "rx_tx", "4": "auto"}
_CHECKSUM = {"0": "off", "1": "tx", "2": "rx", "3": "rx_tx"}
_FLAG = {"0": "disabled", "1": "enabled"}
# Driver keyword in lower case -> the state's own field, and how its text is taken.
_FIELDS: dict[str, tuple[str, Callable[[str], object]]] = {
    "*jumbopacket": ("mtu", lambda text: int(text) - 14),
    "maxframesize": ("mtu", int),
    "*flowcontrol": ("flow_control", _FLOW.__getitem__),
    "*receivebuffers": ("receive_buffers", int),
    "*transmitbuffers": ("transmit_buffers", int),
    "*rss": ("rss", _FLAG.__getitem__),
    "*numrssqueues": ("rss_queues", int),
    "*rscipv4": ("rsc_ipv4", _FLAG.__getitem__),
    "*lsov2ipv4": ("lso_ipv4", _FLAG.__getitem__),
    "*lsov2ipv6": ("lso_ipv6", _FLAG.__getitem__),
    "*tcpchecksumoffloadipv4": ("checksum_tcp_ipv4", _CHECKSUM.__getitem__),
    "*tcpudpchecksumoffloadipv4": ("checksum_tcp_ipv4", _CHECKSUM.__getitem__),
    "*tcpconnectionoffloadipv4": ("tcp_connection_offload", _FLAG.__getitem__),
    "*interruptmoderation": ("interrupt_moderation", _FLAG.__getitem__),
    "*networkdirect": ("rdma", _FLAG.__getitem__),
    "*qos": ("qos", _FLAG.__getitem__),
}
_GLOBAL = {"host.tcp.rss", "host.tcp.rsc", "host.tcp.task_offload", "host.tcp.network_direct", "host.tcp.chimney"}


class Unreadable(Exception):
    """The host has no such thing, or cannot read it."""


class NotAllowed(Exception):
    """No setting of the agreement."""


class BadValue(Exception):
    """An id or a value that the agreement does not take."""


@cache
def agreement() -> Mapping[str, Any]:
    """The list of what may be changed, and the patterns of ids."""
    found: Mapping[str, Any] = yaml.safe_load(_AGREEMENT.read_text("utf-8"))
    return found


def known(address: str) -> tuple[str, str, Mapping[str, Any]]:
    """Key, id and entry of an address. Raises NotAllowed or BadValue."""
    parts = address.split("/")
    if len(parts) != 3:
        raise BadValue("a setting is named kind/id/key")
    key, identity = f"{parts[0]}.{parts[2]}", unquote(parts[1])
    entry = agreement()["windows"].get(key)
    if entry is None:
        raise NotAllowed(f"{key} is not among the settings that a runner changes on Windows")
    if not re.fullmatch(agreement()["ids"][entry["id"]], identity):
        raise BadValue(f"the id of {key} is not one that this host could have")
    return key, identity, entry


def is_value(address: str, text: str) -> bool:
    """The agreement takes this text for the setting."""
    return bool(re.fullmatch(known(address)[2]["value"], text))


def role_of(host: LabHost, identity: str) -> str:
    """The adapter of a permanent MAC. Raises Unreadable."""
    for role, _ in visible(host):
        if identity in (mac_of(host, role), guid_of(host, role)[1:-1].lower()):
            return role
    raise Unreadable(f"adapter {identity}: 0 of that id on this host")


def read(host: LabHost, address: str) -> str:
    """The host's own text of a setting. Raises Unreadable."""
    key, identity, entry = known(address)
    if "keywords" in entry:
        port = host.state["ports"][role_of(host, identity)]
        return keywords(port)[_keyword(port, entry)][0]
    if key.startswith("adapter."):
        return _read_interface(host.state["ports"][role_of(host, identity)], key.removeprefix("adapter."))
    if key in _GLOBAL:
        return str(host.state["host"].get(key.removeprefix("host."), "Enabled")).capitalize()
    return _read_other(host, key, identity)


def _read_interface(port: State, name: str) -> str:
    if name.startswith("binding."):
        return "True" if port["bindings"][name.removeprefix("binding.")] == "enabled" else "False"
    if name == "netbios":
        return str(port["netbios"])
    field = {"delayed_ack_registry": "ack_frequency", "nagle_registry": "no_delay"}[name]
    return str(port[field] or "absent")


def _read_other(host: LabHost, key: str, identity: str) -> str:
    state = host.state
    if key == "host.tcp.auto_tuning":
        return _of_template(host, "Internet", "AutoTuningLevelLocal")
    if key == "tcp_template.auto_tuning":
        return _of_template(host, identity, "AutoTuningLevelLocal")
    if key == "tcp_template.delayed_ack_frequency":
        if host.spec.data["release"] == "2012":
            raise Unreadable("this release has no DelayedAckFrequency")
        return _of_template(host, identity, "DelayedAckFrequency")
    if key == "transport_filter.template":
        return filters(host).get(identity, "absent")
    if key == "host.qos.dcbx_willing":
        return str(bool(state["host"].get("qos.dcbx_willing", False)))
    if key == "host.mpio.policy":
        return str(state["host"]["mpio.policy"])
    items = state["qos_policy" if key == "qos_policy.rule" else "qos_class"]
    item = items.get(_name_in(items, identity))
    if item is None:
        return "absent"
    if key == "qos_policy.rule":
        return f"{item['net_direct_port']}:{item['priority']}"
    return f"{item['algorithm'].lower()}:{item['bandwidth_percent']}:{','.join(str(one) for one in item['priorities'])}"


def _name_in(items: Mapping[str, Any], identity: str) -> str:
    """The name that a store has for one, whatever its case."""
    return next((name for name in items if name.lower() == identity.lower()), identity)


def _of_template(host: LabHost, name: str, field: str) -> str:
    if name not in templates(host):
        raise Unreadable(f"this host has no TCP template {name}")
    found = template_value(host, name, field)
    if found is None:
        raise Unreadable(f"TCP templates of this release have no {field}")
    return found


def write(host: LabHost, address: str, value: str) -> None:
    """Sets a setting to a text of the host's own. Raises Unreadable."""
    key, identity, entry = known(address)
    if "keywords" in entry:
        port = host.state["ports"][role_of(host, identity)]
        keyword = _keyword(port, entry)
        field, typed = _FIELDS.get(keyword.lower(), ("", str))
        if field == "mtu":
            # In force after the adapter's restart.
            port.setdefault("running", {}).setdefault("mtu", port["mtu"])
        if field:
            port[field] = typed(value)
        else:
            port["keywords"][keyword] = value
    elif key.startswith("adapter."):
        _write_interface(host.state["ports"][role_of(host, identity)], key.removeprefix("adapter."), value)
    elif key in _GLOBAL:
        host.state["host"][key.removeprefix("host.")] = value
    else:
        _write_other(host, key, identity, value)


def _write_interface(port: State, name: str, value: str) -> None:
    if name.startswith("binding."):
        port["bindings"][name.removeprefix("binding.")] = "enabled" if value == "True" else "disabled"
    elif name == "netbios":
        port["netbios"] = int(value)
    else:
        port[{"delayed_ack_registry": "ack_frequency", "nagle_registry": "no_delay"}[name]] = "" if value == "absent" else value


def _write_other(host: LabHost, key: str, identity: str, value: str) -> None:
    state = host.state
    templates = state.setdefault("templates", {})
    if key == "host.tcp.auto_tuning":
        state["host"]["tcp.auto_tuning"] = value
    elif key == "tcp_template.auto_tuning":
        templates.setdefault(identity, {})["AutoTuningLevelLocal"] = value
    elif key == "tcp_template.delayed_ack_frequency":
        templates.setdefault(identity, {})["DelayedAckFrequency"] = int(value)
    elif key == "transport_filter.template":
        state.setdefault("session_template", template_of_new(host))
        state.setdefault("filters", {})[identity] = value
    elif key == "host.qos.dcbx_willing":
        state["host"]["qos.dcbx_willing"] = value == "True"
    elif key == "host.mpio.policy":
        state["host"]["mpio.policy"] = value
    elif value == "absent":
        items = state["qos_policy" if key == "qos_policy.rule" else "qos_class"]
        items.pop(_name_in(items, identity), None)
    elif key == "qos_policy.rule":
        port, priority = value.split(":")
        state["qos_policy"][_name_in(state["qos_policy"], identity)] = {"net_direct_port": int(port), "priority": int(priority)}
    else:
        algorithm, share, priorities = value.split(":")
        row = {"algorithm": algorithm.upper(), "bandwidth_percent": int(share), "priorities": [int(one) for one in priorities.split(",")]}
        state["qos_class"][_name_in(state["qos_class"], identity)] = row


def is_cutting(address: str) -> bool:
    """Writing the setting itself interrupts the adapter."""
    return bool(known(address)[2]["cuts"])


def is_running(host: LabHost, identity: str) -> bool:
    """An adapter runs what is configured: nothing waits for its restart."""
    return not host.state["ports"][role_of(host, identity)].get("running")


def restart(host: LabHost, identity: str) -> float:
    """An adapter is restarted: its paths go for a while, and what was configured runs. Answers for how long."""
    role = role_of(host, identity)
    seconds = host.restart_port(role)
    host.state["ports"][role].pop("running", None)
    host.save()
    return seconds


def health(host: LabHost) -> dict[str, int | None]:
    """The figures that may not fall. Standby paths are no healthy ones; a volume whose module shows no path makes all of them unknown."""
    alive = [path for path in host.sessions() if path["alive"]]
    healthy = [path for path in alive if not path["standby"]]
    counts = [sum(path["volume"] == volume for path in healthy) for volume in host.state["volumes"]]
    is_known = not any(host.is_hidden(volume) for volume in host.state["volumes"])
    return {
        "sessions": len(alive),
        "paths_healthy": len(healthy) if is_known else None,
        "least_paths": min(counts, default=0) if is_known else None,
        "volumes": sum(1 for count in counts if count) if is_known else None,
        "adapters_up": sum(1 for _, port in visible(host) if port["link"] == "up"),
    }


def stop_fault(host: LabHost, role: str) -> str:
    """Why an adapter may not stop now; empty where it may. Every target keeps a session over another adapter with link."""
    if host.faults()["no_path_gate"] or host.state["ports"][role]["link"] != "up":
        return ""
    alive = [path for path in host.sessions() if path["alive"]]
    for volume in host.state["volumes"]:
        ports = {path["port"] for path in alive if path["volume"] == volume}
        if ports and not ports - {role}:
            return f"it would take the last path of {target_iqn(host.spec.group, volume)}"
    return ""


def _keyword(port: State, entry: Mapping[str, Any]) -> str:
    """The first keyword of the agreement that the driver has, as the driver writes it. Raises Unreadable."""
    has = {keyword.lower(): keyword for keyword in keywords(port)}
    for wanted in entry["keywords"]:
        if wanted.lower() in has:
            return has[wanted.lower()]
    raise Unreadable(f"the driver offers none of {', '.join(entry['keywords'])}")
