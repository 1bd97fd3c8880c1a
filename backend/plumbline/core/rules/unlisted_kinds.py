"""Which kinds of subjects could not be listed, because the section that lists them was not read.

Without this a host whose adapter section failed would look like a host without adapters, and every adapter rule would claim not to apply.
"""

from collections.abc import Mapping

from plumbline.core.facts.configuration import Platform, SectionReading

# The section whose absence means that subjects of a kind may be missing.
_LISTED_BY: dict[Platform, dict[str, str]] = {
    "windows": {
        "adapter": "adapters",
        "team": "adapters",
        "vnic": "vswitch",
        "vswitch": "vswitch",
        "tcp_template": "tcp",
        "transport_filter": "tcp",
        "initiator": "iscsi",
        "target": "iscsi",
        "volume": "mpio",
        "qos_class": "qos",
        "qos_policy": "qos",
    },
    "esxi": {
        "adapter": "nics",
        "vnic": "vmkernel",
        "vswitch": "vswitch",
        "portgroup": "vswitch",
        "initiator": "iscsi",
        "target": "iscsi",
        "volume": "paths",
        "module": "modules",
    },
}


def unread_kinds(platform: Platform, sections: Mapping[str, SectionReading]) -> dict[str, str]:
    """Subject kinds that could not be listed, with the reason in words. A section that says it is not offered lists nothing, rightly."""
    unread: dict[str, str] = {}
    for kind, name in _LISTED_BY[platform].items():
        section = sections.get(name)
        if section is None:
            unread[kind] = f"section {name} was not collected"
        elif section.status == "failed":
            unread[kind] = f"section {name} failed{f': {section.error}' if section.error else ''}"
    return unread
