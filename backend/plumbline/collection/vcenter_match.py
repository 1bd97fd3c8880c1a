"""PURE: which of our hosts a vCenter speaks of, by name first and by address second. A doubt leaves a host unlinked, and says so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address


@dataclass(frozen=True, slots=True)
class Ours:
    """One of our ESXi hosts: its name, and the addresses at which Plumbline reaches it."""

    id: str
    name: str
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Theirs:
    """A host as the vCenter tells of it. `linked` is the host that a person said it is."""

    moid: str
    name: str
    addresses: tuple[str, ...] = ()
    linked: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Which of our hosts it is, or None; and why, in words."""

    host_id: str | None
    words: str


BY_HAND = "linked by a person"


def match_hosts(theirs: Sequence[Theirs], ours: Iterable[Ours]) -> dict[str, Match]:
    """A match for each of theirs, by `moid`. No two of theirs are ever the same host of ours."""
    known = {one.id: one for one in ours}
    found = {each.moid: _match(each, known) for each in theirs}
    claims: dict[str, list[str]] = {}
    for moid, match in found.items():
        if match.host_id is not None:
            claims.setdefault(match.host_id, []).append(moid)
    names = {each.moid: each.name for each in theirs}
    for host_id, moids in claims.items():
        if len(moids) < 2:
            continue
        for moid in moids:
            others = ", ".join(sorted(names[other] for other in moids if other != moid))
            if found[moid].words != BY_HAND:
                found[moid] = Match(None, f"{others} would be the same host {known[host_id].name}: a person links the right one")
    return found


def _match(each: Theirs, known: Mapping[str, Ours]) -> Match:
    if each.linked is not None:
        return Match(each.linked, BY_HAND) if each.linked in known else Match(None, "the host that a person linked is no longer here")
    ways = (
        ("the same name", [one for one in known.values() if one.name.casefold() == each.name.casefold()]),
        ("the same short name", [one for one in known.values() if _short(one.name) and _short(one.name) == _short(each.name)]),
        ("the same address", [one for one in known.values() if _plain({*one.addresses}) & _plain({*each.addresses, each.name})]),
    )
    for words, candidates in ways:
        if len(candidates) == 1:
            return Match(candidates[0].id, words)
        if len(candidates) > 1:
            return Match(None, f"{len(candidates)} hosts here have {words}: a person links the right one")
    return Match(None, "no host here has its name or one of its addresses")


def _short(name: str) -> str:
    """A name up to its domain; nothing for an address, whose parts mean nothing."""
    try:
        ip_address(name)
    except ValueError:
        return name.casefold().partition(".")[0]
    return ""


def _plain(addresses: set[str]) -> set[str]:
    """Addresses and full names that two sides may share. Loopback is everybody's."""
    found = set()
    for address in addresses:
        try:
            if not ip_address(address).is_loopback:
                found.add(str(ip_address(address)))
        except ValueError:
            if "." in address:
                found.add(address.casefold())
    return found
