"""HTTP requests that Plumbline itself makes: to the identity provider and to the addresses of notices.

Without a guard, anybody who may enter an address in a form could make this server fetch from places that only it can reach. So: https, no
redirects, no proxy from the environment, and every address that a name resolves to is checked before one of them is connected to. The
connection goes to the checked address itself, so that a later answer of the name server changes nothing. Loopback, link-local (metadata
services of clouds), multicast and unspecified addresses are refused. Private ones are allowed: the site's own services are there.

Libraries that connect by themselves (chats and mail) run within `guarded_connections`, which checks each connection as it is made.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import httpx

from plumbline.infra import outbound
from plumbline.infra.connection_watch import ConnectionWatch, watching
from plumbline.infra.settings import get_settings

CONNECT_SECONDS = 5.0
READ_SECONDS = 10.0
# For a whole request: a receiver that sends a byte now and then would otherwise never end.
WHOLE_SECONDS = 30.0
# A discovery document or a set of keys is a few kilobytes.
LARGEST_ANSWER = 512 * 1024


class AddressRefused(httpx.TransportError):
    """This server may not call the address."""


class AnswerTooLarge(httpx.TransportError):
    """The answer is longer than any that is expected."""


def check_url(url: str) -> httpx.URL:
    """Checks an address without resolving it. Raises `AddressRefused` with what is wrong with it."""
    try:
        parsed = httpx.URL(url)
        # httpx decodes internationalised names only when `host` is read, and may raise then.
        host, port = parsed.host, parsed.port
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise AddressRefused("Not a valid URL.") from error
    if port is not None and not 0 < port < 2**16:
        raise AddressRefused("Invalid port.")
    if not host or parsed.userinfo or parsed.fragment:
        raise AddressRefused("The URL needs a host name and must not contain a password or fragment.")
    if parsed.scheme == "https" or (parsed.scheme == "http" and get_settings().outbound_loopback and _is_loopback_name(parsed.host)):
        return parsed
    raise AddressRefused("The URL must start with https://.")


def _is_loopback_name(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def allowed_addresses(host: str, port: int) -> list[str]:
    """The addresses that a name resolves to. Raises `AddressRefused` if one is refused, `httpx.ConnectError` if there is none."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpx.ConnectError(f"the name {host} is not known") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    for address in addresses:
        if is_refused(address):
            raise AddressRefused(f"{host} resolves to {address}, which is not allowed")
    return addresses


def is_refused(address: str) -> bool:
    """Whether this server does not call the address (`outbound.is_refused`)."""
    return outbound.is_refused(address, is_loopback_allowed=get_settings().outbound_loopback)


class _NotConnected(OSError):
    """Why a connection is refused, for libraries that connect by themselves."""


class Watch(ConnectionWatch):
    """Checks the connections of one thread, and notes whether one was refused, the time ran out, or too much arrived."""

    def __init__(self) -> None:
        super().__init__(most_bytes=2 * LARGEST_ANSWER)
        self.refused = ""

    def check(self, made: socket.socket, address: object) -> None:
        """Checks a connection before it is made. Raises `OSError` where it is refused."""
        if made.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
            return
        host = str(address[0])
        try:
            is_bad = is_refused(host)
        except ValueError:  # a name, whose address is not known yet
            is_bad = True
        if is_bad:
            self.refused = f"redirects to {host}, which is not allowed"
            raise _NotConnected(self.refused)
        self._keep(made)


@contextmanager
def guarded_connections(seconds: float) -> Iterator[Watch]:
    """While the block runs, every connection of this thread must go to an address that this server may call, and is shut down when the
    time is over or far more arrives than any answer holds. The library inside sees an error of its own; the watch has the reason."""
    watch = Watch()
    try:
        with watching(watch, seconds):
            yield watch
    finally:
        watch.end()


class _Bounded(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, until: float) -> None:
        self.inner = inner
        self.until = until

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for part in self.inner:
            if time.monotonic() > self.until:
                raise httpx.ReadTimeout("incomplete response")
            read += len(part)
            if read > LARGEST_ANSWER:
                raise AnswerTooLarge(f"the answer is longer than {LARGEST_ANSWER} bytes")
            yield part

    def close(self) -> None:
        self.inner.close()


class GuardedTransport(httpx.HTTPTransport):
    """Connects to a checked address, under the name in the URL, and ends within `WHOLE_SECONDS`."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Overrides httpx's. Raises `AddressRefused`, `AnswerTooLarge` and httpx's transport errors."""
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
        raise failed or httpx.ConnectError(f"{host} isn't responding")

    def _answer(self, request: httpx.Request, until: float) -> httpx.Response:
        with guarded_connections(until - time.monotonic()) as watch:
            try:
                return super().handle_request(request)
            except httpx.TransportError as error:
                if not watch.is_timed_out or isinstance(error, httpx.TimeoutException):
                    raise
                raise httpx.ReadTimeout("incomplete response") from error


def client_options(ca_certificate: str = "") -> dict[str, Any]:
    """The options of a guarded httpx client. `ca_certificate`: PEM of a further authority to trust."""
    trusted = ssl.create_default_context()
    if ca_certificate:
        trusted.load_verify_locations(cadata=ca_certificate)
    return {
        # Each request has a connection of its own, which is checked when it is made.
        "transport": GuardedTransport(verify=trusted, limits=httpx.Limits(max_keepalive_connections=0)),
        "timeout": httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        "follow_redirects": False,
        "trust_env": False,
        # Uncompressed, so that the size limit is on the real size.
        "headers": {"accept-encoding": "identity", "user-agent": "plumbline"},
    }


def get_json(url: str, *, ca_certificate: str = "", bearer: str = "") -> Any:
    """One JSON document. Raises httpx's errors, `ValueError` where the answer is none."""
    with closing(httpx.Client(**client_options(ca_certificate))) as client:
        answer = client.get(url, headers={"authorization": f"Bearer {bearer}"} if bearer else None)
        if answer.is_redirect:
            raise httpx.HTTPStatusError("redirects to another address", request=answer.request, response=answer)
        answer.raise_for_status()
        return answer.json()
