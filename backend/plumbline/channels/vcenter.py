"""vCenter (pyVmomi): reads what it knows of its ESXi hosts and changes nothing. The certificate is pinned on every connection.

A host in lockdown mode answers only its vCenter, so this is the second channel to it: properties of the vSphere API, and those read-only
esxcli commands that a host runs for its vCenter. This module and `vcenter_esxcli` are the only ones that import pyVmomi.
"""

import hashlib
import http.client
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self, TypeVar
from xml.parsers.expat import ExpatError

from defusedxml import ElementTree
from pyVmomi import SoapStubAdapter, VmomiSupport, vim, vmodl

from plumbline.channels import vcenter_esxcli as esxcli
from plumbline.channels.errors import (
    AuthenticationRejected,
    ChannelError,
    CommandFailed,
    HostIdentityUnknown,
    HostIdentityWrong,
    HostUnreachable,
)
from plumbline.infra.connection_watch import watching
from plumbline.infra.outbound import HostWatch, connect_to_host

T = TypeVar("T")

_PAGE = 100
# Of one call. A page of a hundred hosts with all that is asked of them has a few megabytes.
_LARGEST_ANSWER = 64 * 1024 * 1024
_PIECE = 64 * 1024
_VERSIONS_PATH = "/sdk/vimServiceVersions.xml"
_HOST_PATHS = (
    "name", "runtime.connectionState", "runtime.inMaintenanceMode", "config.lockdownMode", "config.adminDisabled", "config.certificate",
    "config.service", "config.network.vnic", "configManager.advancedOption", "configManager.hostAccessManager",
)  # fmt: skip
_LOCKDOWN = {"lockdownDisabled": "disabled", "lockdownNormal": "normal", "lockdownStrict": "strict"}
_CONNECTION = {"connected": "connected", "disconnected": "disconnected", "notResponding": "not_responding"}
_SSH_SERVICE = "TSM-SSH"
_SHELL_TIMEOUT, _IDLE_TIMEOUT = "UserVars.ESXiShellTimeOut", "UserVars.ESXiShellInteractiveTimeOut"


class _Answer(http.client.HTTPResponse):
    """An answer that is read no further than any vCenter's is long."""

    _read = 0

    def read(self, amt: int | None = None) -> bytes:
        """Overrides http.client's. Raises `HTTPException` where the answer is too long."""
        if amt is None:
            return b"".join(iter(lambda: self.read(_PIECE), b""))
        data = super().read(amt)
        self._read += len(data)
        if self._read > _LARGEST_ANSWER:
            raise http.client.HTTPException(f"an answer of more than {_LARGEST_ANSWER} bytes")
        return data


class _Connection(http.client.HTTPSConnection):
    response_class = _Answer


@dataclass(frozen=True, slots=True)
class VCenterTarget:
    """Where a vCenter listens, and the SHA-256 (hex) of the certificate that it must show."""

    address: str
    port: int = 443
    pin: str = ""


@dataclass(frozen=True, slots=True)
class ReportedHost:
    """One ESXi host as its vCenter reports it. None: not reported; `unread` has the reason by the field's name."""

    moid: str
    name: str
    cluster: str = ""
    addresses: tuple[str, ...] = ()
    connection: str = ""
    is_in_maintenance: bool | None = None
    lockdown: str | None = None
    exception_users: tuple[str, ...] | None = None
    is_ssh_running: bool | None = None
    shell_timeout_seconds: int | None = None
    idle_timeout_seconds: int | None = None
    certificate_sha256: str | None = None
    reads: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)


class VCenterChannel:
    """One session with a vCenter. Use as a context manager, which always signs out."""

    def __init__(self, target: VCenterTarget, account: str, password: str, *, call_seconds: float = 20.0) -> None:
        self.target = target
        self._account, self._password = account, password
        self._seconds = call_seconds
        self._stub: SoapStubAdapter | None = None
        self._content: Any = None
        self._watch = HostWatch()

    def __enter__(self) -> Self:
        try:
            self.open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Checks the vCenter's certificate, then signs in, once. It all ends within three times the limit of a call."""
        target = self.target
        if not target.pin:
            raise HostIdentityUnknown(f"Certificate of {target.address} not verified; nothing was sent")
        context = self._pinned()
        with self._channel_errors(), watching(self._watch, 3 * self._seconds):
            self._stub = SoapStubAdapter(
                host=target.address,
                port=target.port,
                version=self._version(context),
                sslContext=context,
                httpConnectionTimeout=self._seconds,
            )
            self._stub.scheme = _Connection
            self._content = vim.ServiceInstance("ServiceInstance", self._stub).RetrieveContent()
            try:
                self._content.sessionManager.Login(self._account, self._password, None)
            except vim.fault.InvalidLogin as error:
                raise AuthenticationRejected(f"{target.address} rejected the credential of {self._account}") from error
            except vim.fault.NoPermission as error:
                raise AuthenticationRejected(f"{self._account} has no role on {target.address}") from error

    def _pinned(self) -> ssl.SSLContext:
        """A context that trusts the pinned certificate and no other, on every connection.

        pyVmomi skips its own thumbprint check once a first connection has switched verification off, so the pinned certificate becomes
        the context's only trust anchor.
        """
        target = self.target
        unverified = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
        try:
            with (
                connect_to_host(target.address, target.port, seconds=self._seconds) as plain,
                unverified.wrap_socket(plain, server_hostname=target.address) as connection,
            ):
                shown = connection.getpeercert(binary_form=True) or b""
        except OSError as error:
            raise HostUnreachable(f"{target.address}:{target.port} is unreachable: {error}") from error
        sha256 = hashlib.sha256(shown).hexdigest()
        if sha256 != target.pin.replace(":", "").lower():
            raise HostIdentityWrong(
                f"{target.address} presented certificate {sha256}, which does not match the verified one; nothing was sent"
            )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        context.load_verify_locations(cadata=shown)
        return context

    def _version(self, context: ssl.SSLContext) -> str:
        """The newest version of the API that both sides know. pyVmomi's own request for it has no time limit."""
        connection = http.client.HTTPSConnection(self.target.address, self.target.port, timeout=self._seconds, context=context)
        try:
            connection.request("GET", _VERSIONS_PATH)
            answer = connection.getresponse()
            body = answer.read(1_000_000)
        finally:
            connection.close()
        try:
            versions = {str(element.text) for element in ElementTree.fromstring(body).iter("version")} if answer.status == 200 else set()
        except ElementTree.ParseError as error:
            raise HostUnreachable(f"{self.target.address} is not a vCenter (no API version information)") from error
        for version in VmomiSupport.GetServiceVersions("vim25"):
            if VmomiSupport.versionIdMap[version] in versions:
                return str(version)
        raise HostUnreachable(f"{self.target.address} supports no vSphere API version that Plumbline supports (status {answer.status})")

    @property
    def product(self) -> str:
        """Product name and version, as the vCenter reports them."""
        return str(self._content.about.fullName)

    def read_hosts(self, *, deadline_seconds: float) -> list[ReportedHost]:
        """Every ESXi host that the account may see, by name. Raises a ChannelError where not all of them could be read in time."""
        deadline = time.monotonic() + deadline_seconds
        # Between two calls the deadline is checked; a call that drips is cut when its own limit after that is over.
        with self._channel_errors(), watching(self._watch, deadline_seconds + self._seconds):
            clusters = self._clusters(deadline)
            hosts = []
            for reference, values, missing in self._properties(vim.HostSystem, _HOST_PATHS, deadline):
                hosts.append(self._host(reference, values, missing, clusters.get(reference._moId, ""), deadline))
        return sorted(hosts, key=lambda host: (host.name, host.moid))

    def _clusters(self, deadline: float) -> dict[str, str]:
        """The cluster of each host by the host's id. Clusters of the same name get their id added."""
        clusters = [
            (reference._moId, str(values["name"]), [host._moId for host in values.get("host") or ()])
            for reference, values, _ in self._properties(vim.ClusterComputeResource, ("name", "host"), deadline)
        ]
        names = [name for _, name, _ in clusters]
        return {host: name if names.count(name) == 1 else f"{name} ({moid})" for moid, name, hosts in clusters for host in hosts}

    def _properties(self, kind: Any, paths: Sequence[str], deadline: float) -> Iterator[tuple[Any, dict[str, Any], dict[str, str]]]:
        """Each object of a kind with its properties, and the reasons for those that are missing, a page at a time."""
        query = vmodl.query.PropertyCollector
        view = self._content.viewManager.CreateContainerView(self._content.rootFolder, [kind], True)
        try:
            walk = query.TraversalSpec(name="view", path="view", skip=False, type=vim.view.ContainerView)
            filter_spec = query.FilterSpec(
                objectSet=[query.ObjectSpec(obj=view, skip=True, selectSet=[walk])],
                propSet=[query.PropertySpec(type=kind, pathSet=list(paths))],
            )
            collector = self._content.propertyCollector
            page = collector.RetrievePropertiesEx([filter_spec], query.RetrieveOptions(maxObjects=_PAGE))
            while page is not None:
                for item in page.objects:
                    missing = {entry.path: _fault_words(entry.fault) for entry in item.missingSet}
                    yield item.obj, {entry.name: entry.val for entry in item.propSet}, missing
                self._in_time(deadline)
                page = collector.ContinueRetrievePropertiesEx(page.token) if page.token else None
        finally:
            view.Destroy()

    def _host(self, reference: Any, values: dict[str, Any], missing: dict[str, str], cluster: str, deadline: float) -> ReportedHost:
        unread: dict[str, str] = {}
        lockdown = _lockdown(values)
        if lockdown is None:
            unread["lockdown"] = missing.get("config.lockdownMode", "not reported by vCenter")
        services = getattr(values.get("config.service"), "service", ())
        ssh = next((service.running for service in services if service.key == _SSH_SERVICE), None)
        if ssh is None:
            unread["is_ssh_running"] = missing.get("config.service", "vCenter reports no SSH service")
        pem = values.get("config.certificate")
        if pem is None:
            unread["certificate_sha256"] = missing.get("config.certificate", "not reported by vCenter")
        options = values.get("configManager.advancedOption")
        users = self._call(unread, "exception_users", deadline, lambda: _exceptions(values.get("configManager.hostAccessManager")))
        return ReportedHost(
            moid=reference._moId,
            name=str(values.get("name", "")),
            cluster=cluster,
            addresses=tuple(sorted({str(nic.spec.ip.ipAddress) for nic in values.get("config.network.vnic") or () if _has_address(nic)})),
            connection=_CONNECTION.get(str(values.get("runtime.connectionState", "")), ""),
            is_in_maintenance=values.get("runtime.inMaintenanceMode"),
            lockdown=lockdown,
            exception_users=users,
            is_ssh_running=ssh,
            shell_timeout_seconds=self._call(unread, "shell_timeout_seconds", deadline, lambda: _option(options, _SHELL_TIMEOUT)),
            idle_timeout_seconds=self._call(unread, "idle_timeout_seconds", deadline, lambda: _option(options, _IDLE_TIMEOUT)),
            certificate_sha256=_certificate(bytes(byte % 256 for byte in pem)) if pem is not None else None,
            reads=self._reads(reference, deadline) if lockdown in ("normal", "strict") else {},
            unread=unread,
        )

    def _call(self, unread: dict[str, str], name: str, deadline: float, method: Callable[[], T]) -> T | None:
        """The result of a further call for one field; where it fails, `unread` gets the reason and the other fields are still read."""
        self._in_time(deadline)
        try:
            return method()
        except vmodl.MethodFault as error:
            unread[name] = _fault_words(error)
        except LookupError as error:
            unread[name] = str(error.args[0])
        return None

    def _reads(self, reference: Any, deadline: float) -> dict[str, dict[str, Any]]:
        """The host's answers to esxcli through its vCenter, by command."""
        try:
            executer = esxcli.find_executer(reference)
        except (vmodl.MethodFault, KeyError) as error:
            words = f"this vCenter carries out no esxcli command on the host: {_fault_words(error)}"
            return {command: {"status": "failed", "error": words, "rows": []} for command in esxcli.COMMANDS}
        answers: dict[str, dict[str, Any]] = {}
        for command in esxcli.COMMANDS:
            self._in_time(deadline)
            try:
                answers[command] = {"status": "ok", "error": "", "rows": esxcli.run(executer, command)}
            except esxcli.Refused as error:
                answers[command] = {"status": "failed", "error": str(error)[:300], "rows": []}
            except vmodl.MethodFault as error:
                answers[command] = {"status": "failed", "error": _fault_words(error), "rows": []}
        return answers

    def _in_time(self, deadline: float) -> None:
        if time.monotonic() > deadline:
            raise HostUnreachable(f"{self.target.address} did not list all its hosts in time")

    @contextmanager
    def _channel_errors(self) -> Iterator[None]:
        """Turns the library's exceptions into `ChannelError`s."""
        address = self.target.address
        try:
            yield
        except ChannelError:
            raise
        except ssl.SSLCertVerificationError as error:
            raise HostIdentityWrong(
                f"{address} presented a certificate that does not match the verified one: {error.verify_message}"
            ) from error
        except vmodl.MethodFault as error:
            raise CommandFailed(f"{address} returned an error: {_fault_words(error)}") from error
        except (OSError, http.client.HTTPException, ExpatError, LookupError, AttributeError, TypeError, ValueError) as error:
            raise HostUnreachable(f"unusable response from {address}: {type(error).__name__}: {error}"[:300]) from error

    def close(self) -> None:
        """Signs out and ends the connections."""
        stub, self._stub = self._stub, None
        try:
            if stub is not None and self._content is not None:
                with watching(self._watch, self._seconds):
                    self._content.sessionManager.Logout()
        except Exception:  # noqa: S110 (pyVmomi raises what its parser raises; the vCenter ends an idle session by itself)
            pass
        finally:
            if stub is not None:
                stub.DropConnections()
            self._watch.end()


def _lockdown(values: Mapping[str, Any]) -> str | None:
    """From `lockdownMode` (API 6.0 and newer), from `adminDisabled` before that."""
    mode = values.get("config.lockdownMode")
    if mode is not None:
        return _LOCKDOWN.get(str(mode))
    disabled = values.get("config.adminDisabled")
    return None if disabled is None else "normal" if disabled else "disabled"


def _exceptions(manager: Any) -> tuple[str, ...]:
    if manager is None:
        raise LookupError("this release has no list of exception users")
    return tuple(sorted(manager.QueryLockdownExceptions() or ()))


def _option(manager: Any, name: str) -> int:
    if manager is None:
        raise LookupError("the vCenter does not show the host's advanced settings")
    for option in manager.QueryOptions(name):
        if option.key == name:
            return int(option.value)
    raise LookupError(f"the host has no setting {name}")


def _has_address(nic: Any) -> bool:
    return nic.spec is not None and nic.spec.ip is not None and bool(nic.spec.ip.ipAddress)


def _certificate(pem: bytes) -> str | None:
    try:
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem.decode("ascii").strip())).hexdigest()
    except ValueError:
        return None


def _fault_words(fault: BaseException | Any) -> str:
    """The message of a fault: its own, or the kind of fault it is."""
    inner = getattr(fault, "fault", None) or fault
    message = getattr(fault, "localizedMessage", None) or getattr(inner, "msg", None) or ""
    name = type(inner).__name__.rpartition(".")[2]
    if name == "NoPermission":
        return f"the account lacks the privilege {getattr(inner, 'privilegeId', '') or 'for it'}"
    return f"{name}: {message}"[:300] if message else name
