"""The network between the workers and the hosts stops passing bytes in the middle of steps, for longer than an automatic rollback waits.

Connections stay open and new ones are accepted, as behind a link that drops packets. Hosts revert what cuts a path by themselves; other
steps go on when the network is back. Where it stays away for longer than a step may be unknown, the job needs a person and says why.
"""

import contextlib
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from sqlmodel import text

from faults.fleet import FaultHost, cutting_shape
from faults.installation.running import installed, rows
from faults.invariants import broken_promises
from faults.journals import check_jobs
from faults.rig import FaultResult, Rig, dice_of
from plumbline.infra.database import session_scope

_DEADMAN_SECONDS = 20
_UNKNOWN_SECONDS = 60
_RESTART_SECONDS = 5.0
_PIECE = 65536
_AT_WORK = "SELECT count(*) FROM job_step WHERE state = 'IN_FLIGHT'"
_ENDS = "SELECT id, state, state_words FROM job WHERE id > :since"


class Link:
    """Passes bytes between workers and one host, until it is held."""

    def __init__(self, address: str, port: int) -> None:
        self.target = (address, port)
        self.is_held = threading.Event()
        self._over = threading.Event()
        self._server = socket.create_server((address, 0))
        self.port: int = self._server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        """Ends it with all its connections."""
        self._over.set()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while not self._over.is_set():
                near = self._server.accept()[0]
                threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError):
            self._wait()
            with socket.create_connection(self.target, timeout=10) as far, selectors.DefaultSelector() as selector:
                selector.register(near, selectors.EVENT_READ, far)
                selector.register(far, selectors.EVENT_READ, near)
                while not self._over.is_set():
                    for key, _ in selector.select(0.5):
                        self._wait()
                        data = key.fileobj.recv(_PIECE)  # type: ignore[union-attr]
                        if not data:
                            return
                        key.data.sendall(data)

    def _wait(self) -> None:
        while self.is_held.is_set() and not self._over.wait(0.05):
            pass


def cut(work: Path, count: int, seed: int) -> FaultResult:
    """`count` cuts of 1.5 to 3 times the automatic rollback's time while every host has a job, then one that outlasts the time for which a
    step may be unknown."""
    result = FaultResult(seed)
    dice = dice_of(result)
    more = {"PLUMBLINE_JOB_UNKNOWN_SECONDS": str(_UNKNOWN_SECONDS)}
    with installed(work / "network", more=more) as one, one.rig(windows=4, esxi=1) as rig, _linked() as links:
        for _ in range(count):
            jobs = _begin(rig)
            _hold(links, is_held=True)
            result.faults["network cut in mid-step"] += 1
            result.notes.append(f"{rows(_AT_WORK)[0][0]} steps at work")
            time.sleep(_DEADMAN_SECONDS * dice.uniform(1.5, 2.5))
            _hold(links, is_held=False)
            rig.settle(result, longest=240)
            ended = rows("SELECT state, count(*) FROM job WHERE id = ANY(:ids) GROUP BY state", ids=jobs)
            result.notes.append(", ".join(f"{times} {state}" for state, times in ended))
        reverted = sum(bool(row["reverting"]) for host in rig.fleet for row in host.effects())
        result.wrong += ["no host reverted by itself: the cuts met no step that cuts a path"] * (not reverted)
        # PARTIAL: its first step stands, and the second was not begun because its host was not reached.
        check_jobs(rig.fleet, result, may_end=("SUCCEEDED", "ROLLED_BACK", "SKIPPED_STALE", "PARTIAL"))
        result.wrong += broken_promises(one.cluster.url("plumbline_background"))
        since = rig.last_job()
        _outlast(rig, result, links, since)
    return result


def _outlast(rig: Rig, result: FaultResult, links: list[Link], since: int) -> None:
    """A network that does not come back in time: nothing hangs, and each job says what a person has to know."""
    _begin(rig)
    _hold(links, is_held=True)
    result.faults["network away for longer than a step may be unknown"] += 1
    limit = time.monotonic() + _UNKNOWN_SECONDS + 240
    open_jobs = [(0, "", "")]
    while open_jobs and time.monotonic() < limit:
        time.sleep(1)
        open_jobs = [each for each in rig.open_jobs() if each[1] not in ("WAITING", "QUEUED", "VERIFYING")]
    result.wrong += [f"job {job_id} is still {state}: {words}" for job_id, state, words in open_jobs]
    ended = rows(_ENDS, since=since)
    human = [words for _, state, words in ended if state == "NEEDS_HUMAN"]
    result.notes.append(f"away for good: {len(human)} of {len(ended)} need a person: “{human[0] if human else ''}”")
    result.wrong += ["no job says that a person is needed"] * (not human)
    result.wrong += ["a job needs a person and gives no reason"] * any(not words for words in human)
    _hold(links, is_held=False)


def _begin(rig: Rig) -> list[int]:
    """A job on every host, those on Windows with a step that cuts a path; returns once most are at work."""
    jobs = []
    for host in rig.fleet:
        # The step is at work for long enough that the cut meets it.
        host.lab.faults()["restart_seconds"] = _RESTART_SECONDS
        shapes = [host.shapes[0], cutting_shape(host.lab, deadman_s=_DEADMAN_SECONDS)] if host.platform == "windows" else None
        jobs.append(rig.new_job(host, shapes))
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        states = rows("SELECT count(*) FROM job WHERE id = ANY(:ids) AND state = 'RUNNING'", ids=jobs)
        armed = sum(_is_cutting(host) for host in rig.fleet)
        if states[0][0] and armed:
            return jobs
        time.sleep(0.02)
    return jobs


def _is_cutting(host: FaultHost) -> bool:
    """A step that cuts a path is in flight on this host, and the host has set what it is about."""
    query = "SELECT j.id FROM job_step s JOIN job j ON j.id = s.job_id WHERE j.host_id = :host AND s.step_no = 2 AND s.state = 'IN_FLIGHT'"
    jobs = {row[0] for row in rows(query, host=host.id)} if host.platform == "windows" else set()
    return bool(jobs) and any(int(row["job_id"], 16) in jobs and row["setting"].endswith("/rss") for row in host.effects())


def _hold(links: list[Link], *, is_held: bool) -> None:
    for link in links:
        (link.is_held.set if is_held else link.is_held.clear)()


@contextlib.contextmanager
def _linked() -> Iterator[list[Link]]:
    """Has the workers reach every host over a link that can be held."""
    links: list[Link] = []
    for host, address, port in rows("SELECT host_id, address, port FROM remediation_endpoint"):
        links.append(Link(address, port))
        with session_scope() as session:
            session.execute(
                text("UPDATE remediation_endpoint SET port = :port WHERE host_id = :host"), {"port": links[-1].port, "host": host}
            )
    try:
        yield links
    finally:
        for link in links:
            link.stop()
