"""The switch port that an adapter of a host is cabled to, from its configuration."""

from plumbline.core.facts.configuration import NOT_COLLECTED, Configuration, NotOffered, Subject, Unknown, Value
from plumbline.hosts.schemas import AdapterSwitch

_WINDOWS = "Windows has no command that shows the switch; DCBX settings are shown where the switch announces them"


def adapter_switch(configuration: Configuration, adapter: Subject) -> AdapterSwitch | None:
    """What the switch announces on the adapter; None where the host was not asked."""
    reading = configuration.read(adapter, "switch_id")
    remote = configuration.read(adapter, "dcbx_remote_classes")
    if reading is NOT_COLLECTED and remote is NOT_COLLECTED:
        return None
    unknown = ""
    if not isinstance(reading, Value):
        unknown = _WINDOWS if configuration.platform == "windows" else _reason(reading)
    return AdapterSwitch(
        id=_text(configuration, adapter, "switch_id"),
        name=_text(configuration, adapter, "switch"),
        port=_text(configuration, adapter, "switch_port"),
        platform=_text(configuration, adapter, "switch_platform"),
        address=_text(configuration, adapter, "switch_address"),
        mtu=_number(configuration, adapter, "switch_mtu"),
        native_vlan=_number(configuration, adapter, "switch_native_vlan"),
        protocol=_text(configuration, adapter, "switch_protocol"),
        unknown=unknown,
        cause=cause_of_lost_frames(configuration, adapter),
        remote_classes=[str(one) for one in _list(configuration, adapter, "dcbx_remote_classes")],
        own_classes=[str(one) for one in _list(configuration, adapter, "qos_operational_classes")],
        remote_flow_control=[one for one in _list(configuration, adapter, "dcbx_remote_flow_control") if isinstance(one, int)],
        own_flow_control=[one for one in _list(configuration, adapter, "qos_operational_flow_control") if isinstance(one, int)],
    )


def cause_of_lost_frames(configuration: Configuration, adapter: Subject) -> str:
    """Names the switch port where frames of the host's size do not get through and the port announces less; else empty.

    A low MTU by itself proves nothing: some switches announce 1500 whatever the port carries.
    """
    announced, sent = _number(configuration, adapter, "switch_mtu"), _number(configuration, adapter, "mtu")
    if configuration.value(adapter, "frame_probe") not in ("too_big", "silent") or not 0 < announced < sent:
        return ""
    where = " ".join(_text(configuration, adapter, key) for key in ("switch", "switch_port")).strip()
    return f"{where} announces MTU {announced}, and the host sends {sent}: the likely cause of the frames that do not get through"


def _reason(reading: object) -> str:
    return reading.reason if isinstance(reading, Unknown | NotOffered) else ""


def _text(configuration: Configuration, adapter: Subject, key: str) -> str:
    value = configuration.value(adapter, key)
    return value if isinstance(value, str) else ""


def _number(configuration: Configuration, adapter: Subject, key: str) -> int:
    value = configuration.value(adapter, key)
    return value if isinstance(value, int) else 0


def _list(configuration: Configuration, adapter: Subject, key: str) -> tuple[object, ...]:
    value = configuration.value(adapter, key)
    return value if isinstance(value, tuple) else ()
