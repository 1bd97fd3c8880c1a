"""`python -m bench.watches [--hosts 50] [--seconds 120] [--write]` (from `backend/`): the processor time of watches that run at once;
writes `docs/measured/watches.md`.

Half of the hosts are read over SSH, half over WinRM, by the lab's servers in a process of their own. An agent that prints prepared readings
every five seconds takes the place of the real one: what it costs a host is not what is measured here.
"""

import argparse
import io
import json
import logging
import os
import secrets
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import paramiko
import structlog
from sqlmodel import text

from bench.checkin_stack import children_of, cpu_of, database
from bench.rules.__main__ import machine
from plumbline.infra.resources import AGENTS, CHECKOUT

sys.path.insert(0, str(AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost
from lab.windows import servers
from lab.windows.scripts import COLLECT_SHA256
from lab.windows.wsman import Script, WsManHost
from plumbline import vault
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from plumbline.models.watches import HostWatch
from plumbline.vault import seal
from plumbline.watches import run

# Eight adapters, twenty volumes and three series of the host itself.
SERIES = [
    *([f"adapter/{mac:012x}", f"counter_{n}", "total"] for mac in range(8) for n in range(10)),
    *([f"volume/naa.{volume:032x}", f"counter_{n}", "total"] for volume in range(20) for n in range(6)),
    *(["host/", f"counter_{n}", "total"] for n in range(3)),
]
GOAL_PERCENT = 10.0
_EVERY_SECONDS = 5.0
# Stands where the ESXi host has its Python: reads the agent's file and prints readings instead.
_PRINTS = f"""
import json, sys, time
sys.stdin.read()
until, n = time.monotonic() + float(sys.argv[-1]), 0
while time.monotonic() < until:
    line = {{"uptime_ms": int(time.monotonic() * 1000), "values": [n * 123456 + at for at in range({len(SERIES)})]}}
    if n == 0:
        line["series"] = {SERIES!r}
    print(json.dumps(line), flush=True)
    n += 1
    time.sleep({_EVERY_SECONDS})
"""


class _Esxi(EsxiMachine):  # type: ignore[misc]  # the lab carries no types
    """An ESXi host whose commands nobody runs, so that their answers need not be rendered again and again."""

    def refresh(self) -> None:
        """Renders nothing."""


def serve(folder: Path, hosts: int, authorized_key: str) -> None:
    """The hosts: prints where each is and what proves it, then serves until its input ends."""
    specs = {platform: next(spec for spec in fleet.load() if spec.platform == platform) for platform in ("esxi", "windows")}
    prints = folder / "prints.py"
    prints.write_text(_PRINTS)
    client, proof = servers.client_of(folder), servers.server_of(folder)
    for number in range(hosts):
        # Limits on sign-ins are counted by address.
        place, address = folder / str(number), f"127.0.1.{number + 1}"
        if number % 2:
            script = Script(lambda _host, _stdin: (b"", b"", 1), _readings)
            endpoint = WsManHost(
                LabHost(specs["windows"], place),
                {COLLECT_SHA256: script},
                certificate=proof.certificate,
                private_key=proof.private_key,
                client_ca=client.certificate,
                address=address,
            )
            endpoint.start()
            print(json.dumps(["windows", "winrm", address, endpoint.port, proof.sha256]), flush=True)
            continue
        host = _Esxi(LabHost(specs["esxi"], place))
        for name in ("python", "python3"):
            program = place / "bin" / name
            # "-" and "--watch" come before the seconds.
            program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {prints} "$3"\n')
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        ssh = EsxiSsh(host, authorized_key=authorized_key, address=address)
        ssh.start()
        print(json.dumps(["esxi", "ssh", address, ssh.port, ssh.public_key]), flush=True)
    sys.stdin.read()
    # Children that still print, and threads that serve, end with this process.
    os._exit(0)


def _readings(_host: object, stdin: bytes) -> Iterator[bytes]:
    until = time.monotonic() + float(stdin.partition(b"\n")[0].split()[-1])
    number = 0
    while time.monotonic() < until:
        line: dict[str, Any] = {
            "uptime_ms": int(time.monotonic() * 1000),
            "values": [number * 123456 + at for at in range(len(SERIES))],
        }
        if number == 0:
            line["series"] = SERIES
        yield json.dumps(line).encode() + b"\n"
        number += 1
        time.sleep(_EVERY_SECONDS)


@contextmanager
def _hosts(folder: Path, hosts: int) -> Iterator[list[tuple[int, str]]]:
    """Starts the hosts and stores them with their credentials; yields a watch for each."""
    client = servers.client_of(folder)
    key = paramiko.ECDSAKey.generate()
    private = io.StringIO()
    key.write_private_key(private)
    command = [sys.executable, "-m", "bench.watches", "--serve", str(folder), "--hosts", str(hosts)]
    process = subprocess.Popen(
        [*command, "--key", f"{key.get_name()} {key.get_base64()}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        places = [json.loads(process.stdout.readline()) for _ in range(hosts)]
        with session_scope() as session:
            credentials = {
                "ssh": vault.put_secret(
                    session,
                    vault.NewSecret(name="root", purpose="collection", values={"private_key": private.getvalue()}, account="root"),
                    actor="bench",
                ),
                "winrm": vault.put_secret(
                    session,
                    vault.NewSecret(
                        name="svc",
                        purpose="collection",
                        values={"certificate": client.certificate.read_text(), "private_key": client.private_key.read_text()},
                        kind="certificate",
                    ),
                    actor="bench",
                ),
            }
        yield [_store(number, place, credentials) for number, place in enumerate(places)]
    finally:
        process.stdin.close()
        process.wait(30)


def _store(number: int, place: list[Any], credentials: dict[str, int]) -> tuple[int, str]:
    platform, channel, address, port, pin = place
    with session_scope() as session:
        host = Host(id=secrets.token_hex(16), name=f"host-{number:02}", platform=platform, group_id=1, state="active", source="collector")
        session.add(host)
        session.flush()
        session.add(
            CollectionEndpoint(host_id=host.id, channel=channel, address=address, port=port, credential_id=credentials[channel], pins=[pin])
        )
        watch = HostWatch(host_id=host.id, requested_by="bench", seconds=900)
        session.add(watch)
        session.flush()
        return watch.id or 0, host.id


def main() -> int:
    """Watches the hosts, measures, writes the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.watches")
    parser.add_argument("--hosts", type=int, default=run.MOST_AT_ONCE)
    parser.add_argument("--seconds", type=int, default=120, help="how long is measured, once every host has sent a reading")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--serve", type=Path)
    parser.add_argument("--key", default="")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.hosts, options.key)
        return 0
    os.environ["PLUMBLINE_OUTBOUND_LOOPBACK"] = "true"
    with tempfile.TemporaryDirectory(prefix="plumbline-watches-") as name, database() as postgres:
        folder = Path(name)
        seal.ensure_keys(get_settings().keys, seal.VAULT)
        with _hosts(folder, options.hosts) as watches:
            page = _measure([watch for watch, _ in watches], postgres.pid, options)
            # What breaks when the hosts end is no news.
            logging.disable()
            structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
            with session_scope() as session:
                session.execute(text("UPDATE host_watch SET ended_at = clock_timestamp()"))
        for thread in threading.enumerate():
            if thread.name.startswith("watch "):
                thread.join(60)
        get_engine().dispose()
    print(page)
    if options.write:
        (CHECKOUT / "docs" / "measured" / "watches.md").write_text(page, encoding="utf-8")
    return 0


def _measure(watches: list[int], postgres: int, options: argparse.Namespace) -> str:
    # One over each channel first: a credential that no host has accepted yet is not tried on many at once.
    _start(watches[:2])
    _wait_for_readings(2)
    _start(watches[2:])
    first = _wait_for_readings(len(watches))
    before = (time.monotonic(), _total("sum(readings)"), cpu_of([os.getpid()]), cpu_of(children_of(postgres)))
    time.sleep(options.seconds)
    after = (time.monotonic(), _total("sum(readings)"), cpu_of([os.getpid()]), cpu_of(children_of(postgres)))
    seconds, readings, executor, database_cpu = (late - early for early, late in zip(before, after, strict=True))
    percent = 100 * (executor + database_cpu) / seconds
    return "\n".join(
        [
            "# Watches at once",
            "",
            f"Made by `cd backend && ../.venv/bin/python -m bench.watches --hosts {options.hosts} --seconds {options.seconds} --write`",
            f"on {datetime.now(UTC):%Y-%m-%d}; {machine()}, hosts and PostgreSQL on the same cores.",
            "",
            f"{options.hosts} hosts, half over SSH and half over WinRM, each with {len(SERIES)} counters every {_EVERY_SECONDS:.0f} s. The",
            "lab's servers stand for the hosts, and a program that prints prepared readings for the agent.",
            "",
            "| | |",
            "|---|---:|",
            f"| readings stored in {seconds:.0f} s | {readings:,.0f} |",
            f"| until each of {len(watches) - 2} that were started at once had sent its first | {first:.1f} s |",
            f"| processor of the executor | {100 * executor / seconds:.1f} % of a core |",
            f"| processor of PostgreSQL | {100 * database_cpu / seconds:.1f} % of a core |",
            f"| threads of the executor | {threading.active_count()} |",
            "",
            f"Goal: together under {GOAL_PERCENT:.0f} % of a core. {percent:.1f} %: {'met' if percent < GOAL_PERCENT else 'missed'}.",
            "",
        ]
    )


def _start(watches: list[int]) -> None:
    if not all(run.start(watch) for watch in watches):
        raise SystemExit(f"at most {run.MOST_AT_ONCE} hosts are watched at once")


def _wait_for_readings(hosts: int) -> float:
    """Seconds until so many hosts have sent a reading."""
    began = time.monotonic()
    while _total("count(*) FILTER (WHERE readings > 0)") < hosts:
        if time.monotonic() - began > 120 or _total("count(*) FILTER (WHERE ended_at IS NOT NULL)"):
            raise SystemExit(f"not every host sent a reading: {_words()}")
        time.sleep(0.2)
    return time.monotonic() - began


def _total(what: str) -> float:
    with session_scope() as session:
        return float(session.execute(text(f"SELECT {what} FROM host_watch")).scalar_one() or 0)


def _words() -> str:
    with session_scope() as session:
        return str(session.execute(text("SELECT DISTINCT end_words FROM host_watch")).scalars().all())


if __name__ == "__main__":
    sys.exit(main())
