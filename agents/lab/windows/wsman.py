"""WS-Management over HTTPS for the Windows lab hosts: the shell operations that pywinrm uses.

Signing in is by client certificate, which needs no domain, or by NTLM where the endpoint has accounts. A command line is never
run: the endpoint knows our fixed scripts by their SHA-256, acts on what comes over standard input, and answers from the host's state.
Anything else is answered as `cmd.exe` answers what it does not know. No PowerShell runs here, and nothing may claim that it did.
"""

import base64
import contextlib
import hashlib
import os
import socket
import ssl
import threading
import time
import uuid
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import spnego

from lab import faults
from lab.host import LabHost

_NAMES = {
    "s": "http://www.w3.org/2003/05/soap-envelope",
    "a": "http://schemas.xmlsoap.org/ws/2004/08/addressing",
    "w": "http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd",
    "x": "http://schemas.xmlsoap.org/ws/2004/09/transfer",
    "p": "http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd",
    "rsp": "http://schemas.microsoft.com/wbem/wsman/1/windows/shell",
}
_SHELL = "http://schemas.microsoft.com/wbem/wsman/1/windows/shell"
_STATE = f"{_SHELL}/CommandState"
_TIMED_OUT = 2150858793
_TOO_MANY_SHELLS = 2150859174
_NO_SUCH_SHELL = 2150858843
_OPERATIONS = {
    "http://schemas.xmlsoap.org/ws/2004/09/transfer/Create": "create",
    "http://schemas.xmlsoap.org/ws/2004/09/transfer/Delete": "delete",
    f"{_SHELL}/Command": "command",
    f"{_SHELL}/Send": "send",
    f"{_SHELL}/Receive": "receive",
    f"{_SHELL}/Signal": "signal",
}


@dataclass
class WsManFaults:
    """What goes wrong on one host, on demand."""

    hang: bool = False  # a command prints nothing and does not end
    drop_receive: bool = False  # the connection breaks when its output is requested
    empty_success: bool = False  # nothing printed, exit code 0
    drip_bytes: int = 0  # output comes in pieces of this size
    ends_unread: bool = False  # a command ends at the first piece of its input, and what is sent after that meets a closed pipe
    shell_quota: int = 30


@dataclass
class _Command:
    line: str
    stdin: bytearray = field(default_factory=bytearray)
    stdout: bytes = b""
    stderr: bytes = b""
    exit: int = 0
    is_done: bool = False
    sent: int = 0
    began: float = field(default_factory=time.time)
    is_answer_lost: bool = False


@dataclass(frozen=True)
class Script:
    """One of Plumbline's fixed scripts: what it does with its standard input on this host. Returns stdout, stderr and exit code."""

    act: Callable[[LabHost, bytes], tuple[bytes, bytes, int]]
    # Where it prints over a time: its standard output, piece by piece; None where it does not for this input.
    prints: Callable[[LabHost, bytes], Iterator[bytes] | None] = lambda _host, _stdin: None


class WsManHost:
    """The WS-Management endpoint of one host on a loopback address, on a free port unless one is given."""

    def __init__(
        self,
        host: LabHost,
        scripts: dict[str, Script],
        *,
        certificate: Path,
        private_key: Path,
        client_ca: Path,
        ntlm_users: Path | None = None,
        address: str = "127.0.0.1",
        port: int = 0,
        poll_seconds: float = 0.2,
    ) -> None:
        self.host = host
        self.scripts = scripts
        # Lines of `DOMAIN:account:password`; None: only certificates sign in.
        self.ntlm_users = ntlm_users
        self.faults = WsManFaults()
        self.shells: dict[str, dict[str, _Command]] = {}
        self.opened = 0
        self.closed = 0
        self.refused_log_ins = 0
        self.lock = threading.Lock()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, private_key)
        context.load_verify_locations(client_ca)
        context.verify_mode = ssl.CERT_OPTIONAL
        self.server = _Server((address, port), _handler(self))
        self.server.context = context
        self.port: int = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": poll_seconds}, daemon=True)

    def start(self) -> None:
        """Listens."""
        self.thread.start()

    def stop(self) -> None:
        """Stops listening."""
        self.server.shutdown()
        self.server.server_close()

    def answer(self, message: bytes) -> tuple[int, str]:
        """One SOAP message: HTTP status and answer."""
        dark = faults.dark_seconds(self.host)
        if dark:
            # As a host behind a dead link: nothing ever comes.
            time.sleep(dark)
            raise ConnectionAbortedError("the lab's host was dark")
        root = ElementTree.fromstring(message)
        header = root.find("s:Header", _NAMES)
        assert header is not None
        number = header.findtext("a:MessageID", "", _NAMES)
        operation = _OPERATIONS.get(header.findtext("a:Action", "", _NAMES).strip(), "")
        shell = (header.findtext("w:SelectorSet/w:Selector", "", _NAMES) or "").strip()
        seconds = _seconds(header.findtext("w:OperationTimeout", "PT20S", _NAMES))
        if operation == "create":
            return self._create(number)
        if shell not in self.shells:
            return _fault(
                number, _NO_SUCH_SHELL, "The request for the Windows Remote Shell failed because the shell was not found on the server."
            )
        body = root.find("s:Body", _NAMES)
        assert body is not None
        if operation == "delete":
            with self.lock:
                del self.shells[shell]
                self.closed += 1
            return 200, _envelope(number, "")
        if operation == "command":
            return self._command(number, shell, body)
        if operation == "send":
            return self._send(number, shell, body)
        if operation == "receive":
            return self._receive(number, shell, body, seconds)
        if operation == "signal":
            return 200, _envelope(number, "<rsp:SignalResponse/>")
        return _fault(number, 2150858752, "The operation is not supported.")

    def _create(self, number: str) -> tuple[int, str]:
        with self.lock:
            if len(self.shells) >= self.faults.shell_quota:
                words = f"The maximum number of concurrent shells for this user has been exceeded: {self.faults.shell_quota}."
                return _fault(number, _TOO_MANY_SHELLS, words)
            shell = str(uuid.uuid4()).upper()
            self.shells[shell] = {}
            self.opened += 1
        self.host.journal(cause="winrm", shell="opened")
        return 200, _envelope(
            number,
            f"<x:ResourceCreated><a:Address>https://127.0.0.1:{self.port}/wsman</a:Address><a:ReferenceParameters>"
            f'<w:ResourceURI>{_SHELL}/cmd</w:ResourceURI><w:SelectorSet><w:Selector Name="ShellId">{shell}</w:Selector></w:SelectorSet>'
            "</a:ReferenceParameters></x:ResourceCreated>",
        )

    def _command(self, number: str, shell: str, body: ElementTree.Element) -> tuple[int, str]:
        line = " ".join((part.text or "") for part in body.iter() if part.tag.endswith(("}Command", "}Arguments")))
        name = str(uuid.uuid4()).upper()
        command = _Command(line)
        self.shells[shell][name] = command
        self.host.journal(cause="winrm", command=line[:200])
        if len(line) > 8191:
            # As a real host does: nothing printed, exit code 0.
            command.is_done = True
        elif self._script(line) is None:
            known = line.split(" ", 1)[0]
            command.stderr = (
                f"'{known}' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n".encode()
            )
            command.exit, command.is_done = 1, True
        return 200, _envelope(number, f"<rsp:CommandResponse><rsp:CommandId>{name}</rsp:CommandId></rsp:CommandResponse>")

    def _script(self, line: str) -> Script | None:
        words = line.split(" ")
        if not words[0].lower().endswith("powershell.exe") or "-EncodedCommand" not in words:
            return None
        text = base64.b64decode(words[words.index("-EncodedCommand") + 1]).decode("utf-16-le")
        return self.scripts.get(hashlib.sha256(text.encode()).hexdigest())

    def _send(self, number: str, shell: str, body: ElementTree.Element) -> tuple[int, str]:
        for stream in body.iter(f"{{{_SHELL}}}Stream"):
            command = self.shells[shell][stream.attrib["CommandId"]]
            if command.is_done and self.faults.ends_unread:
                # ERROR_NO_DATA; which code a real host answers was not seen.
                return _fault(number, 232, "The pipe is being closed.")
            command.stdin += base64.b64decode(stream.text or "")
            is_whole = stream.attrib.get("End", "").lower() == "true" or self.faults.ends_unread
            if is_whole and not self.faults.hang:
                script = self._script(command.line)
                if script is not None and not self.faults.empty_success:
                    time.sleep(faults.value(self.host, "delay_seconds"))
                    pieces = script.prints(self.host, bytes(command.stdin))
                    if pieces is not None:
                        threading.Thread(target=self._print, args=(shell, command, pieces), daemon=True).start()
                        continue
                    command.stdout, command.stderr, command.exit = script.act(self.host, bytes(command.stdin))
                    command.is_answer_lost = faults.strikes(self.host, "lose_answer")
                command.is_done = True
        return 200, _envelope(number, "<rsp:SendResponse/>")

    def _print(self, shell: str, command: _Command, pieces: Iterator[bytes]) -> None:
        """Runs a command that prints over a time; it ends with its shell."""
        for piece in pieces:
            if shell not in self.shells:
                return
            command.stdout += piece
        command.is_done = True

    def _receive(self, number: str, shell: str, body: ElementTree.Element, seconds: float) -> tuple[int, str]:
        name = next(stream.attrib["CommandId"] for stream in body.iter(f"{{{_SHELL}}}DesiredStream"))
        command = self.shells[shell][name]
        if self.faults.drop_receive or command.is_answer_lost or faults.is_cut_off(self.host, command.began):
            raise ConnectionAbortedError("the lab breaks the connection")
        until = time.monotonic() + seconds
        while not command.is_done and command.sent >= len(command.stdout):
            if time.monotonic() > until:
                return _fault(
                    number,
                    _TIMED_OUT,
                    "The WS-Management service cannot complete the operation within the time specified in OperationTimeout.",
                )
            time.sleep(0.02)
        is_done = command.is_done
        piece = self.faults.drip_bytes or len(command.stdout) or 1
        some = command.stdout[command.sent : command.sent + piece]
        command.sent += len(some)
        is_last = is_done and command.sent >= len(command.stdout)
        streams = _stream("stdout", name, some) + (_stream("stderr", name, command.stderr) if is_last else "")
        state = f'<rsp:CommandState CommandId="{name}" State="{_STATE}/Running"/>'
        if is_last:
            state = (
                f'<rsp:CommandState CommandId="{name}" State="{_STATE}/Done"><rsp:ExitCode>{command.exit}</rsp:ExitCode></rsp:CommandState>'
            )
        return 200, _envelope(number, f"<rsp:ReceiveResponse>{streams}{state}</rsp:ReceiveResponse>")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    context: ssl.SSLContext

    def finish_request(self, request: Any, client_address: Any) -> None:
        """The handshake belongs to the connection's own thread, so that a slow client blocks no other."""
        secured = self.context.wrap_socket(request, server_side=True, do_handshake_on_connect=False)
        try:
            secured.do_handshake()
        except OSError:
            # An alert is on its way: closing at once, with bytes unread, would reset the connection and lose it.
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(secured.fileno())) as plain:
                plain.settimeout(1)
                while plain.recv(4096):
                    pass
            return
        super().finish_request(secured, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks is what the lab's faults are about."""


def _handler(endpoint: WsManHost) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        # An answer is sent as one: its body would else wait until the client has acknowledged the head, 40 ms.
        wbufsize = -1
        disable_nagle_algorithm = True
        protocol_version = "HTTP/1.1"
        _context: spnego.ContextProxy | None = None
        _is_signed_in = False

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            authorization = self.headers.get("Authorization", "")
            certificate = self.connection.getpeercert() if isinstance(self.connection, ssl.SSLSocket) else None
            is_known = bool(certificate) and "secprofile/https/mutual" in authorization
            if is_known and faults.value(endpoint.host, "refuse_log_ins") and faults.strikes(endpoint.host, "refuse_log_ins"):
                is_known = False
            if not is_known and endpoint.ntlm_users is not None and authorization.startswith("Negotiate "):
                if not self._negotiate(base64.b64decode(authorization.removeprefix("Negotiate "))):
                    return
            elif not is_known and not self._is_signed_in:
                self._refuse()
                return
            try:
                status, answer = endpoint.answer(data)
            except ConnectionAbortedError:
                self.close_connection = True
                self.connection.close()
                return
            self._reply(status, answer)

        def _negotiate(self, token: bytes) -> bool:
            """One step of NTLM, which signs in the connection and not the request. True once the client is in."""
            os.environ["NTLM_USER_FILE"] = str(endpoint.ntlm_users)  # where the library looks for the accounts of a server
            if self._context is None:
                self._context = spnego.server(protocol="ntlm", options=spnego.NegotiateOptions.use_ntlm)
            try:
                answer = self._context.step(token)
            except (spnego.exceptions.SpnegoError, spnego.exceptions.NoCredentialError):
                self._context = None
                self._refuse()
                return False
            if self._context.complete:
                self._is_signed_in = True
                return True
            self._reply(401, "", challenge=" " + base64.b64encode(answer or b"").decode())
            return False

        def _refuse(self) -> None:
            if self.headers.get("Authorization"):
                endpoint.refused_log_ins += 1
                endpoint.host.journal(cause="winrm", failed_log_in=endpoint.refused_log_ins)
            self._reply(401, "")

        def _reply(self, status: int, text: str, *, challenge: str = "") -> None:
            data = text.encode()
            self.send_response(status)
            if status == 401:
                self.send_header("WWW-Authenticate", "Negotiate" + challenge)
            self.send_header("Content-Type", "application/soap+xml;charset=UTF-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Acts are in the journal."""

    return Handler


def _seconds(duration: str) -> float:
    digits = "".join(char for char in duration if char.isdigit() or char == ".")
    return float(digits or 20)


def _stream(kind: str, command: str, data: bytes) -> str:
    if not data:
        return f'<rsp:Stream Name="{kind}" CommandId="{command}" End="true"/>'
    return f'<rsp:Stream Name="{kind}" CommandId="{command}">{base64.b64encode(data).decode()}</rsp:Stream>'


def _envelope(number: str, body: str, *, action: str = "") -> str:
    spaces = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in _NAMES.items())
    anonymous = "http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous"
    return (
        f'<s:Envelope xml:lang="en-US" {spaces}><s:Header><a:Action>{action}</a:Action><a:MessageID>uuid:{uuid.uuid4()}</a:MessageID>'
        f"<a:To>{anonymous}</a:To><a:RelatesTo>{escape(number)}</a:RelatesTo></s:Header><s:Body>{body}</s:Body></s:Envelope>"
    )


def _fault(number: str, code: int, words: str) -> tuple[int, str]:
    body = (
        "<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value>w:InternalError</s:Value></s:Subcode></s:Code>"
        f'<s:Reason><s:Text xml:lang="en-US">{escape(words)}</s:Text></s:Reason><s:Detail>'
        f'<f:WSManFault xmlns:f="http://schemas.microsoft.com/wbem/wsman/1/wsmanfault" Code="{code}" Machine="lab">'
        f"<f:Message>{escape(words)}</f:Message></f:WSManFault></s:Detail></s:Fault>"
    )
    return 500, _envelope(number, body, action="http://schemas.dmtf.org/wbem/wsman/1/wsman/fault")
