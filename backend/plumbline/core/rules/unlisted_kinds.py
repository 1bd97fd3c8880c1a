"""Kinds of items that could not be listed, because the section that lists them was not read.

Without this, a host whose adapter section failed would look like a host without adapters, and no adapter rule would apply to it.
"""

from collections.abc import Mapping

from plumbline.core.facts.catalogue import INVENTORIES
from plumbline.core.facts.configuration import Platform, SectionReading


def unlisted_kinds(platform: Platform, sections: Mapping[str, SectionReading]) -> dict[str, str]:
    """Kinds of items that could not be listed, each with the reason. A section that does not exist on the host lists nothing."""
    unlisted: dict[str, str] = {}
    for kind, inventory in INVENTORIES[platform].items():
        name = inventory.section
        section = sections.get(name)
        if section is None:
            unlisted[kind] = f"section {name} was not collected"
        elif section.status == "failed":
            unlisted[kind] = f"section {name} failed{f': {section.error}' if section.error else ''}"
    return unlisted
