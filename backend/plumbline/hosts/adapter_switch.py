"""The switch port that an adapter of a host is cabled to, from its configuration."""

from typing import TypeVar

from plumbline.core.facts.configuration import NOT_COLLECTED, Configuration, Subject, Value
from plumbline.core.facts.switch_port import LOST_FRAMES, SwitchPortSettings, number_of, switch_port_of
from plumbline.core.rules.reading_words import reason_of
from plumbline.hosts.schemas import AdapterSwitch

Item = TypeVar("Item", str, int)

_WINDOWS = "Windows has no command that shows the switch; DCBX settings are shown where the switch announces them"


def adapter_switch(configuration: Configuration, adapter: Subject) -> AdapterSwitch | None:
    """What the switch announces on the adapter; None where the host was not asked."""
    reading = configuration.read(adapter, "switch_id")
    if reading is NOT_COLLECTED and configuration.read(adapter, "dcbx_remote_classes") is NOT_COLLECTED:
        return None
    unknown = "" if isinstance(reading, Value) else _WINDOWS if configuration.platform == "windows" else reason_of(reading)
    heard = switch_port_of(configuration, adapter)
    return AdapterSwitch(
        id=heard.switch_id,
        name=heard.switch,
        port=heard.port,
        platform=heard.platform,
        address=heard.address,
        mtu=heard.mtu,
        native_vlan=heard.native_vlan,
        protocol=heard.protocol,
        unknown=unknown,
        cause=_cause_of_lost_frames(configuration, adapter, heard),
        remote_classes=_list(configuration, adapter, "dcbx_remote_classes", str),
        own_classes=_list(configuration, adapter, "qos_operational_classes", str),
        remote_flow_control=_list(configuration, adapter, "dcbx_remote_flow_control", int),
        own_flow_control=_list(configuration, adapter, "qos_operational_flow_control", int),
    )


def _cause_of_lost_frames(configuration: Configuration, adapter: Subject, heard: SwitchPortSettings) -> str:
    """Names the switch port where frames of the host's size do not get through and the port announces less; else empty.

    A low MTU by itself proves nothing: some switches announce 1500 whatever the port carries.
    """
    sent = number_of(configuration, adapter, "mtu")
    if configuration.value(adapter, "frame_probe") not in LOST_FRAMES or heard.mtu is None or sent is None or heard.mtu >= sent:
        return ""
    where = f"{heard.switch} {heard.port}".strip()
    return f"{where} announces MTU {heard.mtu}, and the host sends {sent}: the likely cause of the frames that do not get through"


def _list(configuration: Configuration, adapter: Subject, key: str, item: type[Item]) -> list[Item]:
    """The members of a list setting; none where it has no value."""
    value = configuration.value(adapter, key)
    return [one for one in value if isinstance(one, item)] if isinstance(value, tuple) else []
