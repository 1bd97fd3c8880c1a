"""Builders: configurations from plain dictionaries, and every operator in one pack."""

from collections.abc import Mapping
from typing import Any

from plumbline.core.facts.configuration import Configuration, NotOffered, Platform, Reading, Source, Subject, Unknown, Value

READ_AT = Source("test", "test", "test", "raw")
UNKNOWN = Unknown("the section failed")
NOT_OFFERED = NotOffered("")


def reading(value: Any) -> Reading:
    """A reading of a plain value; readings pass as they are."""
    if isinstance(value, Value | NotOffered | Unknown):
        return value
    return Value(tuple(value) if isinstance(value, list) else value, READ_AT)


def configuration(subjects: Mapping[str, Mapping[str, Any]], platform: Platform = "windows") -> Configuration:
    """`{"host": {...}, "adapter/a1": {...}}` as a configuration."""
    readings = {}
    for address, keys in subjects.items():
        kind, _, identity = address.partition("/")
        readings[Subject(kind, identity)] = {key: reading(value) for key, value in keys.items()}
    return Configuration(platform, readings)


def san_host(**adapters: Mapping[str, Any]) -> Configuration:
    """A Windows Server 2012 host with X520 SAN adapters that meet every rule, but for what is given by adapter."""
    good = {
        "family": "x520",
        "role": "san_iscsi",
        "mtu": 9000,
        "receive_buffers": 4096,
        "transmit_buffers": 16384,
        "flow_control": "rx_tx",
        "team": "",
        "rss": "enabled",
        "rsc_ipv4": "enabled",
        "lso_ipv4": "enabled",
        "checksum_tcp_ipv4": "rx_tx",
        "interrupt_moderation": "enabled",
        "bindings": ["ms_tcpip"],
        "netbios": "disabled",
        "nagle_registry": "enabled",
        "frame_probe": "ok",
    }
    host = {
        "os_release": "2012",
        "os_build": 9200,
        "is_clustered": False,
        "mpio.installed": True,
        "tcp.rss": "enabled",
        "tcp.rsc": "enabled",
        "tcp.chimney": "disabled",
        "tcp.auto_tuning": "normal",
        "tcp.delayed_ack_iscsi": "enabled",
        "san_sessions_spread": 0,
    }
    subjects: dict[str, Mapping[str, Any]] = {"host": host, "volume/v1": {"paths_healthy": 2, "adapters": 2}}
    for name, keys in (adapters or {"a1": {}, "a2": {}}).items():
        if name == "host":
            subjects["host"] = {**host, **keys}
        elif name == "volume":
            subjects["volume/v1"] = {"paths_healthy": 2, "adapters": 2, **keys}
        else:
            subjects[f"adapter/{name}"] = {**good, **keys}
    return configuration(subjects)
