"""What the sections of a Windows host mean: settings by subject, and the path map. Pure; nothing here raises on odd input."""

from collections.abc import Callable

from plumbline.core.facts.configuration import Facts
from plumbline.core.facts.windows import (
    bindings,
    iscsi,
    mpio,
    offload,
    probes,
    properties,
    qos,
    storage,
    system,
    tcp,
    vswitch,
    without_inventory,
)
from plumbline.core.facts.windows.join import join_sections
from plumbline.core.facts.windows.reads import Body

_PARSERS: dict[str, Callable[[Body], Facts]] = {
    "system": system.parse,
    "adapters": without_inventory.parse,
    "properties": properties.parse,
    "property_catalogue": properties.parse_catalogue,
    "offload": offload.parse,
    "tcp": tcp.parse,
    "bindings": bindings.parse,
    "iscsi": iscsi.parse,
    "mpio": mpio.parse,
    "qos": qos.parse,
    "vswitch": vswitch.parse,
    "storage": storage.parse,
    "probes": probes.parse,
}
SECTIONS: tuple[str, ...] = tuple(_PARSERS)


def parse_section(section: str, body: bytes) -> Facts:
    """The facts of one section body. A section we do not know yields none and a problem sentence."""
    parser = _PARSERS.get(section)
    if parser is None:
        return Facts(problems=[f"section {section} is not known on Windows"])
    if section == "properties":
        fast = properties.parse_fast(body)
        if fast is not None:
            return fast
    return parser(Body(section, body))


__all__ = ["SECTIONS", "join_sections", "parse_section"]
