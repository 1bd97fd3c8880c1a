"""Breaks one machine at a time while agents check in and jobs run, and mends it: nothing may be lost, doubled or left half done."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from faults.invariants import broken_promises
from faults.journals import WELL, check_jobs
from faults.machines.layout import PUBLIC, Installation, answers
from faults.machines.machine import Machine
from faults.machines.network import run
from faults.machines.traffic import Receipt, Traffic
from faults.machines.work import Work
from faults.rig import FaultResult
from plumbline.configurations.compression import Unpacker

# The longest time from a fault until pages are back.
BACK_SECONDS = 30.0
# How long a machine stays broken: a database needs most of it to be replaced.
_HOLD_SECONDS = {"killed": 45.0, "cut": 45.0, "slow": 20.0, "clock": 20.0}
# Until everything that was broken is in its place again.
_WHOLE_SECONDS = 180.0
_DAY, _TEN_MINUTES = 86_400, 600
# A job that was stopped by a fault may have done a part, which it then lists; none may need a person.
_MAY_END = (*WELL, "ROLLED_BACK")


@dataclass
class Rig:
    """What is broken, and what goes on meanwhile."""

    installation: Installation
    traffic: Traffic
    work: Work
    # Receipts that were checked already.
    checked: int = 0

    def target(self, name: str) -> Machine:
        """A machine by its name, or by its present part: `primary`, `standby`, `proxy` (the one with the shared address)."""
        machines = self.installation.machines
        if name == "primary":
            return self.installation.database.wait_until(self.installation.database.primary, "primary", _WHOLE_SECONDS)
        if name == "standby":
            return self.installation.database.standby()
        if name == "proxy":
            return next(one for one in self.installation.of("proxy") if "10.77.0.10/" in run("ip", "-n", one.name, "address"))
        return machines[name]


def broken(rig: Rig, kind: str, names: Sequence[str], *, seed: int) -> FaultResult:
    """Each named machine in turn is `killed`, `cut`, `slow` or has a wrong `clock`. Nobody does anything but to mend that machine."""
    result = FaultResult(seed)
    since = rig.work.last_job()
    for name in names:
        _one(rig, kind, name, result)
    rig.work.settle(result)
    checked_jobs(rig, result, since)
    check_receipts(rig, result)
    return result


def checked_jobs(rig: Rig, result: FaultResult, since: int) -> None:
    """The jobs since then by the hosts' journals, and what the doctor finds."""
    check_jobs(rig.work.fleet, result, since=since, may_end=_MAY_END)
    if not result.jobs:
        result.wrong.append("no job ran, so none met a fault")
    url = rig.installation.database.url("plumbline_background", password=rig.installation.page.password("BACKGROUND_PASSWORD"))
    result.wrong += broken_promises(url.replace("postgresql:", "postgresql+psycopg:", 1))


def _one(rig: Rig, kind: str, name: str, result: FaultResult) -> None:
    machine = rig.target(name)
    label = name if name == machine.name else f"{name} ({machine.name})"
    rig.work.keep_busy()
    time.sleep(2)
    before = len(rig.traffic.receipts)
    rig.traffic.page_answers.clear()
    began = time.monotonic()
    how = _break(machine, kind)
    result.faults[f"{label} {kind}{how}"] += 1
    while time.monotonic() - began < _HOLD_SECONDS[kind]:
        rig.work.keep_busy()
        time.sleep(1)
    pages, check_ins = rig.traffic.pages.back_after(began), rig.traffic.check_ins.back_after(began)
    meanwhile = len(rig.traffic.receipts) - before
    _mend(machine, kind)
    whole = _wait_until_whole(rig, result, label)
    late = rig.traffic.pages.failures_after(began + pages) if pages < float("inf") else 0
    back = f"pages back after {pages:.0f} s ({late} failed later), check-ins after {check_ins:.0f} s ({meanwhile} taken meanwhile)"
    result.notes.append(f"{label}: {back}, whole after {whole:.0f} s")
    if max(pages, check_ins) > BACK_SECONDS:
        answers_seen = ", ".join(f"{count} x {answer}" for answer, count in rig.traffic.page_answers.items())
        result.wrong.append(f"{label} {kind}: pages back after {pages:.0f} s, check-ins after {check_ins:.0f} s ({answers_seen})")
    if not meanwhile:
        result.wrong.append(f"{label} {kind}: no check-in was taken while it lasted")


def _break(machine: Machine, kind: str) -> str:
    if kind == "killed":
        machine.kill()
        if machine.link.processes():
            raise RuntimeError(f"{machine.name} still has processes")
    elif kind == "cut":
        machine.link.cut()
    elif kind == "slow":
        return f" ({machine.link.slow()})"
    else:
        if not machine.has_own_clock():
            raise RuntimeError(f"the processes of {machine.name} have the clock of this one")
        # By the database's clock sessions end and leases run: a day of it is another thing, and sessions then end as they should.
        seconds = _TEN_MINUTES if machine.name.startswith("db-") else _DAY
        machine.set_clock(seconds)
        return f" (+{seconds} s)"
    return ""


def _mend(machine: Machine, kind: str) -> None:
    if kind == "killed":
        machine.start()
    elif kind == "clock":
        machine.set_clock(0)
    else:
        machine.link.restore()


def _wait_until_whole(rig: Rig, result: FaultResult, label: str) -> float:
    """Seconds until a standby holds everything and all nodes serve; by themselves."""
    began = time.monotonic()
    installation = rig.installation
    urls = [*(f"http://{machine.name}:8080" for machine in installation.of("api")), f"https://{PUBLIC}"]
    while time.monotonic() - began < _WHOLE_SECONDS:
        if installation.database.is_whole() and all(answers(url, installation.certificate) for url in urls):
            return time.monotonic() - began
        time.sleep(0.5)
    result.wrong.append(f"{label}: not whole again after {_WHOLE_SECONDS:.0f} s\n{installation.tail()}")
    return float("inf")


def check_receipts(rig: Rig, result: FaultResult) -> None:
    """Every receipt since the last check against the database: the check-in's row and the body that it brought, each once."""
    receipts = rig.traffic.receipts[rig.checked :]
    rig.checked += len(receipts)
    url = rig.installation.database.url("plumbline_api", password=rig.installation.page.password("API_PASSWORD"))
    unpacker = Unpacker()
    with psycopg.connect(url) as connection:
        for receipt in receipts:
            result.wrong += _missing(connection, unpacker, receipt)
        doubled = connection.execute("SELECT count(*) FROM (SELECT 1 FROM check_in GROUP BY host_id, epoch, seq HAVING count(*) > 1) d")
        if count := doubled.fetchone()[0]:  # type: ignore[index]
            result.wrong.append(f"{count} check-ins stored twice")
    result.notes.append(f"{len(receipts)} receipts, all in the database" if not result.wrong else f"{len(receipts)} receipts")
    result.wrong += [f"refused for good: {one}" for one in rig.traffic.refused]
    rig.traffic.refused.clear()


def _missing(connection: "psycopg.Connection[Any]", unpacker: Unpacker, receipt: Receipt) -> list[str]:
    where = (receipt.host_id, receipt.seq)
    rows = connection.execute("SELECT digest FROM check_in WHERE host_id = %s AND seq = %s", where).fetchall()
    wrong = []
    if [bytes(row[0]) for row in rows] != [receipt.line]:
        wrong.append(f"{receipt.host_id} {receipt.seq}: {len(rows)} rows for a receipt")
    digest = hashlib.sha256(receipt.body).digest()
    found = connection.execute(
        "SELECT content, dictionary_id FROM section_body WHERE host_id = %s AND section = 'system' AND sha256 = %s",
        (receipt.host_id, digest),
    ).fetchall()
    unpacker.learn(connection, [row[1] for row in found])
    if [unpacker.unpack(row[0], row[1]) for row in found] != [receipt.body]:
        wrong.append(f"{receipt.host_id} {receipt.seq}: {len(found)} bodies for a receipt")
    return wrong
