"""PURE: which of Plumbline's hosts a vCenter's hosts are, by name first and by address second. Where it is unclear, a host stays unlinked
and the reason says why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address


@dataclass(frozen=True, slots=True)
class KnownHost:
    """One of Plumbline's ESXi hosts: its name, and the addresses at which it is reached."""

    id: str
    name: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VCenterEntry:
    """A host in a vCenter's list. `linked` is the host that a person linked it with."""

    moid: str
    name: str
    addresses: tuple[str, ...] = ()
    linked: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The host that the entry is, or None, with the reason as text."""

    host_id: str | None
    words: str


BY_HAND = "linked manually"


def match_hosts(entries: Sequence[VCenterEntry], hosts: Iterable[KnownHost]) -> dict[str, Match]:
    """A match for each entry, by `moid`. No two entries get the same host."""
    known = {host.id: host for host in hosts}
    matches = {entry.moid: _match(entry, known) for entry in entries}
    moids_of: dict[str, list[str]] = {}
    for moid, match in matches.items():
        if match.host_id is not None:
            moids_of.setdefault(match.host_id, []).append(moid)
    names = {entry.moid: entry.name for entry in entries}
    for host_id, moids in moids_of.items():
        if len(moids) < 2:
            continue
        for moid in moids:
            others = ", ".join(sorted(names[other] for other in moids if other != moid))
            if matches[moid].words != BY_HAND:
                matches[moid] = Match(None, f"{others} match the same host {known[host_id].name}. Link the right one")
    return matches


def _match(entry: VCenterEntry, known: Mapping[str, KnownHost]) -> Match:
    if entry.linked is not None:
        return Match(entry.linked, BY_HAND) if entry.linked in known else Match(None, "the manually linked host no longer exists")
    hosts = list(known.values())
    criteria = (
        ("the same name", [host for host in hosts if host.name.casefold() == entry.name.casefold()]),
        ("the same short name", [host for host in hosts if _short(host.name) and _short(host.name) == _short(entry.name)]),
        ("the same address", [host for host in hosts if _plain({*host.addresses}) & _plain({*entry.addresses, entry.name})]),
    )
    for words, candidates in criteria:
        if len(candidates) == 1:
            return Match(candidates[0].id, words)
        if len(candidates) > 1:
            return Match(None, f"{len(candidates)} hosts have {words}. Link the right one")
    return Match(None, "no host with its name or address")


def _short(name: str) -> str:
    """A name without its domain; empty for an address."""
    try:
        ip_address(name)
    except ValueError:
        return name.casefold().partition(".")[0]
    return ""


def _plain(addresses: set[str]) -> set[str]:
    """Addresses and full names in one form, so that they can be compared. Loopback addresses are left out: every host has them."""
    plain = set()
    for address in addresses:
        try:
            if not ip_address(address).is_loopback:
                plain.add(str(ip_address(address)))
        except ValueError:
            if "." in address:
                plain.add(address.casefold())
    return plain
