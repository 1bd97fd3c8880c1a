"""Kinds of items that were not listed whole, because a section or a command that lists them was not read.

Without this, a host whose adapters could not be listed would look like a host without adapters, and no adapter rule would apply to it.
"""

from collections.abc import Mapping

from plumbline.core.facts.configuration import Configuration, Platform, SectionReading
from plumbline.core.facts.listings import LISTINGS, Listing


def unlisted_kinds(platform: Platform, sections: Mapping[str, SectionReading]) -> dict[str, str]:
    """Kinds of items that could not be listed because of a whole section, each with the reason.

    What single commands did not list is in the configuration itself (`Configuration.unlisted`).
    """
    unlisted: dict[str, str] = {}
    for kind, listings in LISTINGS[platform].items():
        reasons = [reason for listing in listings if (reason := _why_not(listing, sections.get(listing.section)))]
        if reasons:
            unlisted[kind] = "; ".join(dict.fromkeys(reasons))
    return unlisted


def _why_not(listing: Listing, section: SectionReading | None) -> str:
    name = listing.section
    if section is None:
        return f"section {name} not collected"
    if section.status == "ok" or (section.status == "unavailable" and listing.is_optional):
        return ""
    words = "failed" if section.status == "failed" else "is not available"
    return f"section {name} {words}{f': {section.error}' if section.error else ''}"


def all_unlisted(configuration: Configuration, by_section: Mapping[str, str]) -> Mapping[str, str]:
    """Every kind of item that was not listed whole: what whole sections did not list, and what single commands did not."""
    own = configuration.unlisted
    return {**own, **by_section} if own else by_section
