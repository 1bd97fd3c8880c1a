"""The token buckets of the check-in endpoint, and random waits, so that refused agents do not come back at the same time.

Before the signature only addresses that sent bad ones are limited; what is signed well has a bucket of its own. So a flood of check-ins
with bad signatures takes nothing from those with good ones.
"""

import ipaddress
import random
import time
from collections import OrderedDict

# Enrolments of one address before the token is looked up.
ENROLMENTS_PER_SECOND, ENROLMENTS_BURST = 10.0, 200
MOST_ADDRESSES = 10_000
MOST_HOSTS = 100_000


class TokenBucket:
    """Lets `per_second` through on average and `burst` at once."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = float(burst)
        self._level = float(burst)
        self._filled_at = time.monotonic()

    def take(self) -> bool:
        """True where one more may pass now."""
        now = time.monotonic()
        self._level = min(self.burst, self._level + (now - self._filled_at) * self.per_second)
        self._filled_at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    @property
    def is_empty(self) -> bool:
        """True where `take` would be refused now. Takes nothing."""
        return min(self.burst, self._level + (time.monotonic() - self._filled_at) * self.per_second) < 1


class AddressBuckets:
    """A token bucket for each address that was seen lately; of IPv6, for each network of 64 bits, which is one customer."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """True where one more of this address may pass now."""
        network = network_of(address)
        bucket = self._buckets.pop(network, None) or TokenBucket(self._per_second, self._burst)
        self._buckets[network] = bucket
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take()

    def is_empty(self, address: str) -> bool:
        """True where this address may send no more now. Takes nothing and keeps nothing."""
        bucket = self._buckets.get(network_of(address))
        return bucket is not None and bucket.is_empty


class KnownHosts:
    """Hosts whose signature was good lately: they are verified also where their address has sent many bad ones."""

    def __init__(self, most: int = MOST_HOSTS) -> None:
        self._most = most
        self._hosts: OrderedDict[str, None] = OrderedDict()

    def add(self, host_id: str) -> None:
        """Remembers the host; the host without a check-in for the longest time is forgotten where there are too many."""
        self._hosts[host_id] = None
        self._hosts.move_to_end(host_id)
        if len(self._hosts) > self._most:
            self._hosts.popitem(last=False)

    def __contains__(self, host_id: str) -> bool:
        return host_id in self._hosts


def network_of(address: str) -> str:
    """The address by which a client is counted."""
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(parsed) >> 64 << 64, 64)))


def spread_seconds(base: int = 15) -> int:
    """A `Retry-After` between `base` and three times that, a different one each time."""
    return random.randint(base, 3 * base)  # noqa: S311 (spreads load; nothing secret hangs on it)
