"""The names under which this server answers: requests for any other `Host` are refused before anything else looks at them.

Without this, a page of another site could have its own name point at this server (DNS rebinding), and a browser would then send it requests
as if both were one site.

Always allowed: the host of `PLUMBLINE_PUBLIC_URL`, `localhost`, and the address at which the connection arrived, which load balancers name
when they probe. `PLUMBLINE_ALLOWED_HOSTS` adds names. Agents' paths and `/healthz` are not refused: agents sign every check-in and send no
cookie, so a name proves nothing there, and a host that is reached by an old name must not fall silent.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from starlette.types import Scope

from plumbline.infra.settings import Settings

_OPEN_PREFIX = "/agent/"
_OPEN_PATH = "/healthz"
# A name or an address, with a port that does not matter here: a proxy may listen at another one.
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

MISSING = (400, "the request names no host, or more than one: send one Host header")
FOREIGN = (
    421,
    "Plumbline does not answer under this name: use the address of PLUMBLINE_PUBLIC_URL, or add the name to PLUMBLINE_ALLOWED_HOSTS",
)


class HostNames:
    """The allowed names of this process."""

    def __init__(self, settings: Settings) -> None:
        public = urlsplit(settings.public_url).hostname or ""
        self._names = _LOOPBACK | {_plain(public)} | {_plain(name) for name in settings.extra_hosts}

    def problem(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence where the request is refused."""
        path: str = scope["path"]
        if path.startswith(_OPEN_PREFIX) or path == _OPEN_PATH:
            return None
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) != 1:
            return MISSING
        match = _HOST.fullmatch(given[0].decode("latin-1"))
        if match is None:
            return MISSING
        host = _plain(match[1])
        return None if host in self._names or host == _arrived_at(scope) else FOREIGN


def _plain(host: str) -> str:
    """One form for names and addresses: lower case, without brackets and final dot; IPv6 shortened."""
    host = host.strip("[]").casefold().removesuffix(".")
    try:
        return str(ipaddress.ip_address(host.partition("%")[0]))
    except ValueError:
        return host


def _arrived_at(scope: Scope) -> str:
    """The address of this machine at which the connection arrived; empty where the server does not say."""
    server = scope.get("server")
    return _plain(str(server[0])) if server else ""
