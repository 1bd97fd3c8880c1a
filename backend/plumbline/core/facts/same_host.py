"""Whether two configurations are of the same host, as far as its name and the MAC addresses of its adapters can say. Pure."""

import re
from typing import Literal

import msgspec

from plumbline.core.facts.configuration import Configuration

Likeness = Literal["same", "unsure", "other"]

_ADDRESS = re.compile(r"[\d.]+|.*:.*")
_MAC = re.compile(r"[0-9a-f]{12}")


class Likely(msgspec.Struct, frozen=True):
    """How sure it is that a bundle is of a host, and the marks that say so, as a sentence without a full stop."""

    likeness: Likeness
    words: str
    # The name or an adapter is the same.
    is_candidate: bool = True


def likely_same(bundle: Configuration, bundle_name: str, host: Configuration | None, host_name: str) -> Likely:
    """Whether a bundle's host is this host. Adapters can be moved and names given again: only both marks together, or every adapter, are
    proof."""
    named = is_same_name(bundle_name, host_name)
    told = adapter_macs(bundle)
    known = adapter_macs(host) if host is not None else frozenset()
    shared = len(told & known)
    if not told or not known:
        who = "the bundle lists no adapters" if not told else "the adapters of the host are not known"
        return Likely("unsure", f"{'same name' if named else 'another name'}; {who}, so that MAC addresses cannot be compared", named)
    count = f"{shared} of {len(told)} adapters {'has' if shared == 1 else 'have'} the same MAC address"
    if shared and named:
        return Likely("same", f"same name, and {count}")
    if shared == min(len(told), len(known)):
        return Likely("same", f"another name, but {count}")
    if shared:
        return Likely("unsure", f"another name, and {count}")
    words = "same name, but" if named else "another name, and"
    return Likely("other", f"{words} no adapter in the bundle has a MAC address of this host", named)


def is_same_name(one: str, other: str) -> bool:
    """The same name, with or without its domain. Addresses have no domain."""
    one, other = one.casefold(), other.casefold()
    if one == other or _ADDRESS.fullmatch(one) or _ADDRESS.fullmatch(other):
        return bool(one) and one == other
    short, domain = _parts(one)
    other_short, other_domain = _parts(other)
    return bool(short) and short == other_short and not (domain and other_domain)


def adapter_macs(configuration: Configuration) -> frozenset[str]:
    """The MAC addresses by which its adapters are known."""
    return frozenset(subject.id for subject in configuration.subjects("adapter") if is_mac(subject.id))


def is_mac(identity: str) -> bool:
    """An adapter's id is its MAC address."""
    return _MAC.fullmatch(identity) is not None


def _parts(name: str) -> tuple[str, str]:
    short, _, domain = name.partition(".")
    return short, domain
