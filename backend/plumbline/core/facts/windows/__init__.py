"""What the sections of a Windows host mean: settings by subject, and the path map. Pure; nothing here raises on odd input."""

from collections.abc import Callable, Mapping

from plumbline.core.facts.configuration import Facts, Subject
from plumbline.core.facts.join import Steps
from plumbline.core.facts.paths import PathMap
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
from plumbline.core.facts.windows.join import Join
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


def understand(
    parts: Mapping[str, Facts], unread: Mapping[str, str] | None = None, roles: Mapping[Subject, str] | None = None
) -> tuple[Facts, PathMap]:
    """What several sections together tell. `unread`: failed sections with their words; `roles`: what a person set."""
    return join(Steps(parts, unread or {}, roles or {}))


def join(steps: Steps) -> tuple[Facts, PathMap]:
    """What several sections together tell, taken over from the check-in before wherever nothing moved."""
    return Join(steps).run()


def derive(parts: Mapping[str, Facts]) -> Facts:
    """The derived facts alone."""
    return understand(parts)[0]


def path_map(parts: Mapping[str, Facts]) -> PathMap:
    """The path map alone."""
    return understand(parts)[1]
