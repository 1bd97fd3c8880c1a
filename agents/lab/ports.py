"""Ports of the lab's doors, picked before the doors are opened."""

import random
import socket
from collections.abc import Sequence

# Below what Linux gives away by itself (ip_local_port_range, 32768 and up): no outgoing connection takes one
# between the moment it is picked and the moment its server listens.
_FIRST, _LAST = 20_000, 32_000


def pick_ports(count: int, *, but: Sequence[int] = ()) -> list[int]:
    """So many free ports, all different and none of `but`, in a row from a chance beginning, so that two labs seldom meet."""
    start = random.randrange(_FIRST, _LAST)
    found: list[int] = []
    for port in [*range(start, _LAST), *range(_FIRST, start)]:
        if len(found) == count:
            break
        if port not in but and is_free(port):
            found.append(port)
    if len(found) < count:
        raise OSError(f"{count} free ports on 127.0.0.1 between {_FIRST} and {_LAST} were looked for, {len(found)} found")
    return found


def is_free(port: int) -> bool:
    """Whether this port of the loopback address is free."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
