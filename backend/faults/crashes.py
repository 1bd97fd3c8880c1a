"""J2: a worker dies at each crash point, in each kind of step; the reconciler at each of its own. The next one continues."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlmodel import text

from faults.engine_threads import DUE, at_work
from faults.fleet import FaultHost, Shape, Turn, cutting_shape
from faults.journals import finish
from faults.processes import BACKEND
from faults.rig import OPEN, FaultResult, Rig
from lab.windows.common import mac_of
from plumbline.infra.database import session_scope
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs.crash_points import POINTS, RECONCILE_POINTS

_DEADMAN_SECONDS = 60
# Met only by a step under a dead-man; only by a job that ends without being verified, or by one that raises a frame size.
_CONFIRMING = ("before_confirm", "after_confirm")
_ELSEWHERE = ("before_end", "after_pings")


def kinds(host: FaultHost) -> dict[str, Shape]:
    """The kinds of steps: one value, a vector, a restart, a path loss under a dead-man, something created or deleted, a delayed effect."""
    plain = [shape.turns[0] for shape in host.shapes]
    restart = f"adapter/{mac_of(host.lab, 'SAN2')}"
    frame = Turn(f"{restart}/rss", ("1", "0"), ("enabled", "disabled"))
    policy = Turn("qos_policy/faults/rule", ("absent", "445:5"), ("absent", "445:5"))
    tuning = Turn("tcp_template/InternetCustom/auto_tuning", ("Normal", "Restricted"), ("normal", "restricted"))
    return {
        "one value": Shape((plain[0],)),
        "a vector": Shape((plain[1], plain[2])),
        "a restart": Shape((frame,), restart=restart, takes_effect="adapter_restart"),
        "a path under an automatic rollback": cutting_shape(host.lab, deadman_s=_DEADMAN_SECONDS),
        "made or deleted": Shape((policy,), takes_effect="new_session"),
        "an effect that waits": Shape((tuning,), takes_effect="new_session"),
    }


def cases(host: FaultHost, names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Every (kind of step, crash point) that a worker reaches."""
    return [
        (kind, point)
        for kind, shape in kinds(host).items()
        if not names or kind in names
        for point in POINTS
        if point not in _ELSEWHERE and (shape.deadman_s or point not in _CONFIRMING)
    ]


def dead_everywhere(rig: Rig, count: int, seed: int, *, names: Sequence[str] = ()) -> FaultResult:
    """J2: each of the first `count` cases once, as many at a time as there are hosts; then the reconciler at each of its crash points."""
    result = FaultResult(seed)
    since = rig.last_job()
    todo = cases(rig.fleet[0], names)[:count]
    died = 0
    with _forker(rig) as forked:
        while todo:
            some, todo = todo[: len(rig.fleet)], todo[len(rig.fleet) :]
            jobs = {rig.new_job(host, [kinds(host)[kind]]): (kind, point) for host, (kind, point) in zip(rig.fleet, some, strict=False)}
            reconcile.reconcile_once()
            dead = _until_dead(forked, {job_id: point for job_id, (_, point) in jobs.items()})
            for job_id, (kind, point) in jobs.items():
                result.faults[f"death of a worker in {kind}"] += 1
                if job_id in dead:
                    died += 1
                else:
                    result.wrong.append(f"{kind}: nobody died at {point}")
            with at_work(len(rig.fleet)):
                rig.settle(result)
        _reconcilers(rig, result, forked)
    result.notes.append(f"{died} died where they should")
    return finish(rig, result, since=since, may_end=("SUCCEEDED",))


def _reconcilers(rig: Rig, result: FaultResult, forked: "subprocess.Popen[str]") -> None:
    for point in RECONCILE_POINTS:
        rig.keep_busy(rig.fleet[:2])
        codes = _all(forked, [f"sweep 0 - {point}"])
        result.faults["death of the reconciler"] += 1
        result.wrong += [f"no reconciler died at {point}"] * (codes["0"] != -signal.SIGKILL)
        with at_work(2):
            rig.settle(result)


def _until_dead(forked: "subprocess.Popen[str]", points: dict[int, str]) -> set[int]:
    """Runs each job until its worker died at its crash point, or the job has ended: one may wait for an older job first, or for a host that
    answers slowly on a busy machine."""
    dead: set[int] = set()
    limit = time.monotonic() + 120
    while len(dead) < len(points) and time.monotonic() < limit:
        reconcile.reconcile_once()
        with session_scope() as session:
            due = [row for row in session.execute(text(DUE)).all() if row.id in points and row.id not in dead]
            left = session.execute(text(f"SELECT count(*) FROM job WHERE id = ANY(:ids) AND state IN {OPEN}"), {"ids": [*points]})
            if left.scalar_one() == 0:
                break
        codes = _all(forked, [f"run {row.id} {row.queue} {points[row.id]}" for row in due])
        dead |= {int(number) for number, code in codes.items() if code == -signal.SIGKILL}
        time.sleep(0.05)
    return dead


def _all(forked: "subprocess.Popen[str]", lines: list[str]) -> dict[str, int]:
    assert forked.stdin is not None
    assert forked.stdout is not None
    forked.stdin.write("".join(f"{line}\n" for line in lines))
    forked.stdin.flush()
    codes = {}
    for _ in lines:
        number, code = forked.stdout.readline().split()
        codes[number] = int(code)
    return codes


@contextmanager
def _forker(rig: Rig) -> Iterator["subprocess.Popen[str]"]:
    url = rig.cluster.url("plumbline_executor", rig.database)
    env = {**os.environ, "PLUMBLINE_DATABASE_URL": url}
    with (rig.home / "forker.log").open("ab") as log:
        forked = subprocess.Popen(
            [sys.executable, "-m", "faults.worker_fork_server"],
            cwd=BACKEND,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        yield forked
    finally:
        assert forked.stdin is not None
        assert forked.stdout is not None
        forked.stdin.close()
        forked.wait(30)
        forked.stdout.close()
