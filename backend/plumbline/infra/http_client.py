"""HTTP that Plumbline itself begins: to the identity provider and to the addresses of notices.

Whoever may name an address in a form could otherwise make this server fetch from places that only it can reach. So: https, no redirects,
no proxy out of the environment, and every address that a name resolves to is looked at before one of them is connected to; the connection
then goes to that very address, so that a second answer of the name server changes nothing. Loopback, link-local (the metadata services of
clouds), multicast and unspecified addresses are refused. Private ones are not: the site's own provider lives there.

What speaks for us without that client (chats and mail) is `watched`: its connections are looked at as they are made.
"""

import ipaddress
import os
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from typing import Any

import httpx

from plumbline.infra.settings import get_settings

CONNECT_SECONDS = 5.0
READ_SECONDS = 10.0
# A receiver that sends a byte now and then would otherwise never be through.
WHOLE_SECONDS = 30.0
# A discovery document or a set of keys is a few kilobytes.
LARGEST_ANSWER = 512 * 1024
# Amazon's over IPv6 (its documentation of the instance metadata service) and Alibaba's (that of its elastic compute service). All others
# are link-local.
_METADATA = frozenset(map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200")))


class AddressRefused(httpx.TransportError):
    """The address is none that this server may call."""


class AnswerTooLarge(httpx.TransportError):
    """The answer is longer than anything that is asked for."""


def check_url(url: str) -> httpx.URL:
    """The address as it may be called; nothing is resolved yet. Raises `AddressRefused` with what is wrong with it."""
    try:
        parsed = httpx.URL(url)
        # Decoded when it is asked for, from however a name of another alphabet is written.
        host, port = parsed.host, parsed.port
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise AddressRefused("this is no address") from error
    if port is not None and not 0 < port < 2**16:
        raise AddressRefused("the address has a port that is none")
    if not host or parsed.userinfo or parsed.fragment:
        raise AddressRefused("the address needs a host, and holds no password and no fragment")
    if parsed.scheme == "https" or (parsed.scheme == "http" and get_settings().outbound_loopback and _is_loopback_name(parsed.host)):
        return parsed
    raise AddressRefused("the address has to begin with https://")


def _is_loopback_name(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def allowed_addresses(host: str, port: int) -> list[str]:
    """What the name resolves to. Raises `AddressRefused` if one of them is refused, `httpx.ConnectError` if there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpx.ConnectError(f"the name {host} is not known") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for each in addresses:
        if is_refused(each):
            raise AddressRefused(f"{host} is {each}, which this server does not call")
    return addresses


def is_refused(address: str) -> bool:
    """Loopback (unless the operator of this server allowed it), link-local, multicast, unspecified, IPv6 forms of those, and the addresses
    of clouds' metadata services that look private."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return is_refused(str(inner))
    if parsed.is_loopback:
        return not get_settings().outbound_loopback
    if parsed in _METADATA:
        return True
    return parsed.is_link_local or parsed.is_multicast or parsed.is_unspecified or parsed.is_reserved


class _NotConnected(OSError):
    """Why a connection is not made, for those who speak without our client."""


class Watch:
    """What a thread connects to meanwhile, and whether that was refused or took too long."""

    def __init__(self) -> None:
        self.refused = ""
        self.is_over = False
        self._held: list[int] = []
        self._lock = threading.Lock()

    def connects(self, made: socket.socket, address: object) -> None:
        """Looks at a connection before it is made. Raises `OSError` where it may not be."""
        if made.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
            return
        host = str(address[0])
        try:
            is_bad = is_refused(host)
        except ValueError:  # a name: what it stands for is not known before it is called
            is_bad = True
        if is_bad:
            self.refused = f"it leads to {host}, which this server does not call"
            raise _NotConnected(self.refused)
        with self._lock:
            if self.is_over:
                raise _NotConnected("the time is over")
            # The socket itself goes away where TLS begins on it; what it stands for stays, and ends with either.
            self._held.append(os.dup(made.fileno()))

    def cut(self) -> None:
        """Ends what is still open; whoever reads from it reads no more."""
        with self._lock:
            self.is_over = True
            for each in self._held:
                with suppress(OSError), closing(socket.socket(fileno=os.dup(each))) as other:
                    other.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Lets go of the connections."""
        with self._lock:
            for each in self._held:
                os.close(each)
            self._held.clear()


class _Mine(threading.local):
    watch: Watch | None = None


_MINE = _Mine()


@cache
def _look_at_connections() -> None:
    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "socket.connect" and _MINE.watch is not None:
            _MINE.watch.connects(*arguments)

    sys.addaudithook(look)


@contextmanager
def watched(seconds: float) -> Iterator[Watch]:
    """Every connection that this thread makes meanwhile goes to an address that this server may call, whatever a name server says from one
    moment to the next, and is cut when the time is over. Whatever speaks sees an error of its own; the watch says why."""
    _look_at_connections()
    watch = Watch()
    timer = threading.Timer(seconds, watch.cut)
    timer.daemon = True
    _MINE.watch = watch
    timer.start()
    try:
        yield watch
    finally:
        _MINE.watch = None
        timer.cancel()
        watch.end()


class _Bounded(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, until: float) -> None:
        self.inner = inner
        self.until = until

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for part in self.inner:
            if time.monotonic() > self.until:
                raise httpx.ReadTimeout("the answer has no end")
            read += len(part)
            if read > LARGEST_ANSWER:
                raise AnswerTooLarge(f"the answer is longer than {LARGEST_ANSWER} bytes")
            yield part

    def close(self) -> None:
        self.inner.close()


class GuardedTransport(httpx.HTTPTransport):
    """Connects to an address that was looked at, under the name that was asked for, and is through in `WHOLE_SECONDS`."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """As httpx has it; raises `AddressRefused`, `AnswerTooLarge` and httpx's transport errors."""
        url = check_url(str(request.url))
        host, until = url.host, time.monotonic() + WHOLE_SECONDS
        failed: httpx.ConnectError | httpx.ConnectTimeout | None = None
        for address in allowed_addresses(host, url.port or (443 if url.scheme == "https" else 80)):
            request.url = url.copy_with(host=address.partition("%")[0])
            request.extensions = {**request.extensions, "sni_hostname": host}
            try:
                answer = self._answer(request, until)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed = error
                continue
            assert isinstance(answer.stream, httpx.SyncByteStream)
            answer.stream = _Bounded(answer.stream, until)
            request.url = url
            return answer
        raise failed or httpx.ConnectError(f"{host} does not answer")

    def _answer(self, request: httpx.Request, until: float) -> httpx.Response:
        with watched(until - time.monotonic()) as watch:
            try:
                return super().handle_request(request)
            except httpx.TransportError as error:
                if not watch.is_over or isinstance(error, httpx.TimeoutException):
                    raise
                raise httpx.ReadTimeout("the answer has no end") from error


def client_options(ca_certificate: str = "") -> dict[str, Any]:
    """What makes an httpx client a guarded one. `ca_certificate`: PEM of a further authority to trust."""
    trusted = ssl.create_default_context()
    if ca_certificate:
        trusted.load_verify_locations(cadata=ca_certificate)
    return {
        # Each request has a connection of its own, which is watched from its beginning.
        "transport": GuardedTransport(verify=trusted, limits=httpx.Limits(max_keepalive_connections=0)),
        "timeout": httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        "follow_redirects": False,
        "trust_env": False,
        # Nothing compressed: what is counted is what is kept.
        "headers": {"accept-encoding": "identity", "user-agent": "plumbline"},
    }


def get_json(url: str, *, ca_certificate: str = "", bearer: str = "") -> Any:
    """One JSON document. Raises httpx's errors, `ValueError` where the answer is none."""
    with closing(httpx.Client(**client_options(ca_certificate))) as client:
        answer = client.get(url, headers={"authorization": f"Bearer {bearer}"} if bearer else None)
        if answer.is_redirect:
            raise httpx.HTTPStatusError("it redirects elsewhere", request=answer.request, response=answer)
        answer.raise_for_status()
        return answer.json()
