"""The switch port that an adapter is cabled to, as the settings of its configuration have it."""

from dataclasses import dataclass

from plumbline.core.facts.configuration import Configuration, Subject

# Answers of the do-not-fragment pings that say, or may say, that frames of the host's size do not get through. A switch that carries less
# drops them without a word.
LOST_FRAMES = ("too_big", "silent")


@dataclass(frozen=True, slots=True)
class SwitchPortSettings:
    """What is heard on an adapter; texts are empty and figures None where it is not."""

    switch_id: str
    switch: str
    port: str
    platform: str
    address: str
    mtu: int | None
    native_vlan: int | None
    protocol: str


def switch_port_of(configuration: Configuration, adapter: Subject) -> SwitchPortSettings:
    """What the switch announces on an adapter."""
    return SwitchPortSettings(
        switch_id=text_of(configuration, adapter, "switch_id"),
        switch=text_of(configuration, adapter, "switch"),
        port=text_of(configuration, adapter, "switch_port"),
        platform=text_of(configuration, adapter, "switch_platform"),
        address=text_of(configuration, adapter, "switch_address"),
        mtu=number_of(configuration, adapter, "switch_mtu"),
        native_vlan=number_of(configuration, adapter, "switch_native_vlan"),
        protocol=text_of(configuration, adapter, "switch_protocol"),
    )


def text_of(configuration: Configuration, adapter: Subject, key: str) -> str:
    """A setting that is a text; empty where it has no value."""
    value = configuration.value(adapter, key)
    return value if isinstance(value, str) else ""


def number_of(configuration: Configuration, adapter: Subject, key: str) -> int | None:
    """A setting that is a number; None where it has no value."""
    value = configuration.value(adapter, key)
    return value if isinstance(value, int) else None
