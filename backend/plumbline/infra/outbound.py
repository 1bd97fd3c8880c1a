"""Which addresses Plumbline connects to, and connections that are checked when they are made.

Without such a rule, anybody who may enter an address in a form could have this server connect to places that only it can reach. Refused are
link-local addresses (metadata services of clouds among them), multicast, unspecified and reserved ones, and loopback unless a setting
allows it. Private addresses are allowed: the site's hosts and services are there. What is checked is the address that is connected to, so a
later answer of the name server changes nothing.
"""

import ipaddress
import socket

from plumbline.infra.connection_watch import ConnectionWatch
from plumbline.infra.settings import get_settings

# Amazon's over IPv6 (its documentation of the instance metadata service) and Alibaba's (that of its elastic compute service). All others
# are link-local.
_METADATA = frozenset(map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200")))


class HostAddressRefused(OSError):
    """This server does not connect to the address of a host."""


def is_refused(address: str, *, is_loopback_allowed: bool) -> bool:
    """Whether the address is loopback (unless that is allowed), link-local, multicast, unspecified, an IPv6 form of those, or the address
    of a cloud's metadata service that looks private. Raises `ValueError` for a name."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return is_refused(str(inner), is_loopback_allowed=is_loopback_allowed)
    if parsed.is_loopback:
        return not is_loopback_allowed
    if parsed in _METADATA:
        return True
    return parsed.is_link_local or parsed.is_multicast or parsed.is_unspecified or parsed.is_reserved


def check_host_address(address: str) -> None:
    """Raises `HostAddressRefused` for the numeric address of a host or a vCenter that this server does not connect to."""
    if is_refused(address, is_loopback_allowed=get_settings().hosts_on_loopback):
        raise HostAddressRefused(
            f"{address} is an address of this machine, link-local, multicast or reserved, and Plumbline does not connect to those"
        )


def connect_to_host(address: str, port: int, *, seconds: float) -> socket.socket:
    """A TCP connection to a host or a vCenter, by name or number. Raises `HostAddressRefused`, and `OSError` where it cannot be reached."""
    entries = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
    numbers = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    for number in numbers:
        check_host_address(number)
    failed: OSError | None = None
    for number in numbers:
        try:
            return socket.create_connection((number, port), timeout=seconds)
        except OSError as error:
            failed = error
    raise failed or OSError(f"the name {address} has no address")


class HostWatch(ConnectionWatch):
    """Checks the connections that a library makes to a host, and ends them when the time is over."""

    def check(self, made: socket.socket, address: object) -> None:
        """Called before a connection is made. Raises `HostAddressRefused`."""
        if made.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            check_host_address(str(address[0]))
        super().check(made, address)
