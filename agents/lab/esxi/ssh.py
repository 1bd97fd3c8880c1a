"""SSH servers of the ESXi lab hosts: the real protocol, commands run on the host's simulated machine.

Like an ESXi sshd they offer publickey and keyboard-interactive, not password, and count failed log-ins.
"""

import contextlib
import json
import os
import selectors
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import paramiko
from paramiko import common
from paramiko.server import InteractiveQuery

from lab import faults
from lab.esxi.agent import EsxiMachine, host_key_line
from lab.esxi.setter import Setter, end_processes

_PIECE = 32768


class SshFaults:
    """What goes wrong on one host, on demand."""

    def __init__(self) -> None:
        self.drop_after_start = False  # the connection breaks once the command runs; the command goes on
        self.no_exit_status = False
        self.lock_after = 5  # failed log-ins until the account is locked


class EsxiSsh:
    """The SSH server of one host on a loopback address, on a free port unless one is given."""

    def __init__(
        self, machine: EsxiMachine, *, password: str = "", authorized_key: str = "", address: str = "127.0.0.1", port: int = 0
    ) -> None:
        self.machine = machine
        self.password = password
        self.authorized_key = authorized_key
        self.faults = SshFaults()
        self.failed_log_ins = 0
        self.commands: list[str] = []
        self.host_key = host_key(machine.folder)
        host_key_line(machine.host, f"{self.host_key.get_name()} {self.host_key.get_base64()}")
        self.listener = socket.create_server((address, port))
        self.port: int = self.listener.getsockname()[1]
        self._stopping = threading.Event()
        self._bell = socket.socketpair()
        self._transports: list[paramiko.Transport] = []
        self._setter = Setter(machine)
        self.thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def public_key(self) -> str:
        """The host's public key line, for pinning."""
        return f"{self.host_key.get_name()} {self.host_key.get_base64()}"

    def start(self) -> None:
        """Listens, also for what commands on the host set."""
        self._setter.start()
        self.thread.start()

    def stop(self) -> None:
        """As when the host is switched off: closes the listener and every connection, and ends what runs there, such as a dead-man that
        waits for a path."""
        self._stopping.set()
        self._bell[1].close()
        self.thread.join(5)
        self.listener.close()
        self._bell[0].close()
        for transport in self._transports:
            transport.close()
        end_processes(self.machine)
        self._setter.stop()

    def change_host_key(self) -> None:
        """As after a new installation: the host shows another key from now on."""
        self.host_key = paramiko.ECDSAKey.generate()

    def _accept(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self.listener, selectors.EVENT_READ)
            selector.register(self._bell[0], selectors.EVENT_READ)
            while not self._stopping.is_set():
                selector.select()
                if self._stopping.is_set():
                    return
                try:
                    connection, _ = self.listener.accept()
                except OSError:
                    return
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        if faults.dark_seconds(self.machine.host):
            # Like a host behind a dead link: the connection stays open and nothing is ever received.
            self._stopping.wait(faults.dark_seconds(self.machine.host))
            connection.close()
            return
        transport = paramiko.Transport(connection)
        self._transports.append(transport)
        transport.local_version = "SSH-2.0-OpenSSH_8.8"
        transport.add_server_key(self.host_key)
        with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
            transport.start_server(server=_Door(self, transport))

    def run_command(self, channel: paramiko.Channel, transport: paramiko.Transport, command: str) -> None:
        """One command on the machine, its streams joined to the channel."""
        host = self.machine.host
        began = time.time()
        if self._stopping.wait(faults.value(host, "delay_seconds")):
            return
        self.commands.append(command)
        host.journal(cause="ssh", command=command[:500])
        host.tick()
        self.machine.refresh()
        child = subprocess.Popen(
            ["/bin/sh", "-c", command],
            env=self.machine.environment(),
            cwd=self.machine.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        if self.faults.drop_after_start:
            transport.close()
        is_runner = "plumbline" in command
        loses_answer = is_runner and faults.strikes(host, "lose_answer")
        feeder = threading.Thread(target=_feed, args=(channel, child), daemon=True)
        errors = bytearray()
        reader = threading.Thread(target=_drain, args=(child, errors), daemon=True)
        feeder.start()
        reader.start()
        if "--watch" in command:
            threading.Thread(target=self._keep_counting, args=(child,), daemon=True).start()
        for piece in _pieces(child.stdout):
            if not loses_answer and not faults.is_cut_off(host, began):
                with contextlib.suppress(OSError):
                    channel.sendall(piece)
        reader.join()
        code = child.wait()
        if is_runner and faults.strikes(host, "lose_receipt"):
            self._lose_receipt()
        if loses_answer or faults.is_cut_off(host, began):
            transport.close()
            return
        with contextlib.suppress(OSError):
            channel.sendall_stderr(bytes(errors))
        if not self.faults.no_exit_status:
            with contextlib.suppress(OSError, EOFError, paramiko.SSHException):
                # A command that a signal ended has a negative code here; a shell reports 128 and the signal's number.
                channel.send_exit_status(code if code >= 0 else 128 - code)
        with contextlib.suppress(OSError, EOFError):
            channel.close()

    def _keep_counting(self, child: "subprocess.Popen[bytes]") -> None:
        """The host's counters move while a command looks at them again and again."""
        while child.poll() is None and not self._stopping.wait(0.5):
            self.machine.host.tick()
            self.machine.refresh()

    def _lose_receipt(self) -> None:
        """The newest operation acted and left nothing: its receipt goes once its runner is done with it."""
        folder = self.machine.runner_state / "receipts"
        until = time.monotonic() + 30
        while time.monotonic() < until:
            newest = max(folder.glob("*.json"), key=lambda file: file.stat().st_mtime, default=None)
            if newest is None:
                return
            if json.loads(newest.read_text())["state"] != "started":
                newest.unlink()
                return
            time.sleep(0.05)


class _Door(paramiko.ServerInterface):
    def __init__(self, server: EsxiSsh, transport: paramiko.Transport) -> None:
        self.server = server
        self.transport = transport

    def get_allowed_auths(self, username: str) -> str:  # noqa: ARG002
        return "publickey,keyboard-interactive"

    def check_channel_request(self, kind: str, chanid: int) -> int:  # noqa: ARG002
        return common.OPEN_SUCCEEDED if kind == "session" else common.OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        wanted = self.server.authorized_key.split()
        return self._judge(username == "root" and len(wanted) > 1 and key.get_base64() == wanted[1])

    def check_auth_interactive(self, username: str, submethods: str) -> InteractiveQuery:  # noqa: ARG002
        return InteractiveQuery("", "", ("Password: ", False))

    def check_auth_interactive_response(self, responses: list[str]) -> int:
        return self._judge(bool(self.server.password) and responses == [self.server.password])

    def _judge(self, is_right: bool) -> int:
        if faults.strikes(self.server.machine.host, "refuse_log_ins"):
            is_right = False
        if is_right and self.server.failed_log_ins < self.server.faults.lock_after:
            return common.AUTH_SUCCESSFUL
        self.server.failed_log_ins += 1
        self.server.machine.host.journal(cause="ssh", failed_log_in=self.server.failed_log_ins)
        return common.AUTH_FAILED

    def check_channel_exec_request(self, channel: paramiko.Channel, command: bytes) -> bool:
        words = command.decode("utf-8", "replace")
        threading.Thread(target=self.server.run_command, args=(channel, self.transport, words), daemon=True).start()
        return True


def _feed(channel: paramiko.Channel, child: "subprocess.Popen[bytes]") -> None:
    assert child.stdin is not None
    with contextlib.suppress(OSError, EOFError, ValueError):
        while piece := channel.recv(_PIECE):
            child.stdin.write(piece)
            child.stdin.flush()
    with contextlib.suppress(OSError):
        child.stdin.close()


def _drain(child: "subprocess.Popen[bytes]", into: bytearray) -> None:
    for piece in _pieces(child.stderr):
        into += piece


def _pieces(stream: object) -> Iterator[bytes]:
    descriptor = stream.fileno()  # type: ignore[attr-defined]
    while piece := os.read(descriptor, _PIECE):
        yield piece


def host_key(folder: Path) -> paramiko.PKey:
    """The host's own key, made once and kept in its folder."""
    file = folder / "ssh_host_key"
    if file.exists():
        return paramiko.ECDSAKey.from_private_key_file(str(file))
    key = paramiko.ECDSAKey.generate()
    key.write_private_key_file(str(file))
    return key
