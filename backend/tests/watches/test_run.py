"""A watch on a real host of the lab: its readings, its end, and what happens when something goes wrong."""

import itertools
import sys
import threading
import time
from collections.abc import Callable

import pytest
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from lab.windows.wsman import WsManHost
from plumbline.auth.actor import Actor, Grant
from plumbline.collection.collect import collect
from plumbline.infra.database import session_scope
from plumbline.watches import rows, run
from plumbline.watches.queries import read_watch_charts
from tests.remediation.test_claim import make_jobs
from tests.watches.conftest import Collecting, names_of, requested, stop, stored

READER = Actor(1, "ana", grants=(Grant("viewer", 1, "1/"),))
StartEsxi = Callable[..., EsxiSsh]
StartWindows = Callable[..., WsManHost]
# One reading at the start, one after five seconds, one after ten.
SHORT = 13


def in_background(watch_id: int) -> threading.Thread:
    thread = threading.Thread(target=run.run_watch, args=(watch_id,))
    thread.start()
    return thread


def wait_for_readings(watch_id: int, least: int, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while stored(watch_id)[0].readings < least:
        assert time.monotonic() < until, f"no {least} readings: {stored(watch_id)[0]}"
        time.sleep(0.1)


def check_charts(watch_id: int) -> None:
    """The usual charts have a figure for every counter after the first reading."""
    with session_scope() as session:
        charts = read_watch_charts(session, actor=READER, watch_id=watch_id, wanted=[])
    assert (charts.step_seconds, charts.reading_seconds, charts.is_downsampled) == (5, 5, False)
    assert charts.series[0].name == "tcp_retransmit_percent"
    assert all(line.statistics.readings >= 2 for line in charts.series)
    received = [line for line in charts.series if line.name == "bytes_received"]
    # A SAN adapter of the lab has tens of megabytes a second.
    assert received
    assert all(1e6 < (line.statistics.mean or 0) < 1e9 for line in received)


def test_an_esxi_host_is_watched_for_its_time(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    collect(host_id, client=collecting.served.client)
    watch_id = requested(host_id, SHORT)
    run.run_watch(watch_id)
    watch, readings = stored(watch_id)
    assert (watch.end_words, watch.readings, len(readings), len(watch.series)) == ("", len(readings), len(readings), 1)
    assert watch.ended_at is not None
    assert watch.started_at is not None
    assert len(readings) in (2, 3)
    assert {"bytes_received", "tcp_segments_retransmitted", "reads"} <= names_of(watch)
    passed = [later.uptime_ms - earlier.uptime_ms for earlier, later in itertools.pairwise(readings)]
    assert all(4900 <= each <= 8000 for each in passed), passed
    check_charts(watch_id)
    # Nothing of it stays on the host.
    assert not list(server.machine.folder.glob("plumbline-*"))


def test_a_windows_host_is_watched_for_its_time(collecting: Collecting, windows: StartWindows) -> None:
    endpoint = windows("sql-03")
    host_id = collecting.add_winrm(endpoint, collecting.winrm_credential())
    collect(host_id, client=collecting.served.client)
    watch_id = requested(host_id, SHORT)
    run.run_watch(watch_id)
    watch, readings = stored(watch_id)
    assert (watch.end_words, watch.readings) == ("", len(readings))
    assert len(readings) in (2, 3)
    assert {"bytes_received", "tcp_segments_retransmitted", "read_latency_us"} <= names_of(watch)
    check_charts(watch_id)
    # The shells of the collection and of the watch were closed.
    assert endpoint.opened == endpoint.closed == 2


def test_a_person_stops_it_and_the_host_ends_with_the_session(collecting: Collecting, esxi: StartEsxi) -> None:
    host_id = collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential())
    watch_id = requested(host_id, 120)
    thread = in_background(watch_id)
    wait_for_readings(watch_id, 1)
    stop(watch_id)
    thread.join(15)
    assert not thread.is_alive()
    watch, readings = stored(watch_id)
    assert (watch.end_words, watch.readings) == ("Stopped by oli.", len(readings))
    assert len(readings) < 4


def test_a_session_that_breaks_is_opened_again(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    watch_id = requested(host_id, 25)
    thread = in_background(watch_id)
    wait_for_readings(watch_id, 1)
    for transport in list(server._transports):
        transport.close()
    before = stored(watch_id)[0].readings
    thread.join(60)
    watch, readings = stored(watch_id)
    assert watch.end_words == ""
    assert len(readings) > before
    # The same counters: no second list, and rates go on across the two sessions.
    assert len(watch.series) == 1
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM host_login_attempt WHERE outcome = 'accepted'")).scalar_one() == 2


def test_a_rejected_credential_ends_it_at_once_with_the_reason(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential(password="wrong"))
    watch_id = requested(host_id, 120)
    run.run_watch(watch_id)
    watch, _ = stored(watch_id)
    assert "rejected the credential of root" in watch.end_words
    assert server.failed_log_ins == 1


def test_the_watch_of_a_job_signs_in_only_after_a_login_was_accepted(collecting: Collecting, esxi: StartEsxi) -> None:
    """Else it would use up logins that may fail before the account is locked, and the job would have to wait."""
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    (job_id,) = make_jobs([{"cluster": "a"}])
    watch_id = requested(host_id, 40, job_id=job_id)
    thread = in_background(watch_id)
    time.sleep(4)
    assert (attempts(), stored(watch_id)[0].readings) == ([], 0)
    collect(host_id, client=collecting.served.client)
    wait_for_readings(watch_id, 1)
    # A session that breaks after a login of unknown outcome is not opened again.
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO host_login_attempt (credential_id, credential_version, address, outcome)"
                " SELECT credential_id, credential_version, address, 'open' FROM host_login_attempt LIMIT 1"
            )
        )
    before = attempts()
    for transport in list(server._transports):
        transport.close()
    time.sleep(4)
    assert attempts() == before == ["accepted", "accepted", "open"]
    stop(watch_id)
    thread.join(60)


def attempts() -> list[str]:
    with session_scope() as session:
        return list(session.scalars(text("SELECT outcome FROM host_login_attempt ORDER BY id")))


def test_a_host_that_does_not_answer_is_told(collecting: Collecting, esxi: StartEsxi) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    server.stop()
    watch_id = requested(host_id, 120)
    run.run_watch(watch_id)
    assert "unreachable" in stored(watch_id)[0].end_words


def test_constrained_language_is_told(collecting: Collecting, windows: StartWindows) -> None:
    endpoint = windows("sql-03")
    host_id = collecting.add_winrm(endpoint, collecting.winrm_credential())
    (endpoint.host.folder / "constrained").touch()
    watch_id = requested(host_id, 120)
    run.run_watch(watch_id)
    assert "constrained language" in stored(watch_id)[0].end_words


def prints(server: EsxiSsh, program: str) -> None:
    """The host has another Python than it should: one that runs this program."""
    file = server.machine.folder / "program.py"
    file.write_text(program)
    for name in ("python", "python3"):
        (server.machine.folder / "bin" / name).write_text(f"#!/bin/sh\nexec {sys.executable} {file}\n")


@pytest.mark.parametrize(
    ("line", "words", "most"),
    [
        ('{"uptime_ms":%d,"values":[1],"series":[["host/","a","total"]]}', "more readings than requested", rows.MOST_READINGS),
        ('{"uptime_ms":%d,"values":[1],"series":[["host/","a%d","total"]]}', "other counters again and again", rows.MOST_LISTS),
    ],
)
def test_a_host_that_floods_is_cut_off(collecting: Collecting, esxi: StartEsxi, line: str, words: str, most: int) -> None:
    server = esxi("esx-a03")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    numbers = "(n, n)" if line.count("%d") == 2 else "n"
    prints(server, f"for n in range(10**6): print({line!r} % {numbers})")
    watch_id = requested(host_id, 120)
    run.run_watch(watch_id)
    watch, readings = stored(watch_id)
    assert words in watch.end_words
    assert len(readings) == most


def test_one_process_runs_a_watch_and_another_goes_on_after_it_died(collecting: Collecting, esxi: StartEsxi) -> None:
    host_id = collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential())
    watch_id = requested(host_id, 20)
    first = rows.claim(watch_id)
    assert first is not None
    assert rows.claim(watch_id) is None
    assert rows.open_watches() == []
    run.run_watch(watch_id)
    assert stored(watch_id)[0].ended_at is None
    # The process is gone: its lease is over, and the watch is found again.
    with session_scope() as session:
        session.execute(text("UPDATE host_watch SET claimed_until = now() - interval '1 second'"))
    assert rows.open_watches() == [watch_id]
    run.run_watch(watch_id)
    watch, readings = stored(watch_id)
    assert watch.ended_at is not None
    assert readings
    # The first one came back: it may write nothing any more.
    with pytest.raises(rows.WatchOver):
        first.renew()
    first.end("too late")
    assert stored(watch_id)[0].end_words == ""


def test_one_that_nobody_began_or_whose_time_is_over_ends(collecting: Collecting, esxi: StartEsxi, windows: StartWindows) -> None:
    waiting = requested(collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential()), 60)
    running = requested(collecting.add_winrm(windows("sql-03"), collecting.winrm_credential()), 60)
    assert rows.open_watches() == [waiting, running]
    with session_scope() as session:
        session.execute(text("UPDATE host_watch SET requested_at = now() - interval '6 minutes' WHERE id = :id"), {"id": waiting})
        session.execute(text("UPDATE host_watch SET started_at = now() - interval '61 seconds' WHERE id = :id"), {"id": running})
    assert rows.open_watches() == []
    assert stored(waiting)[0].end_words == "No worker was free to watch the host."
    watch, _ = stored(running)
    assert (watch.end_words, watch.ended_at is None) == ("", False)


def test_more_than_a_process_takes_wait(collecting: Collecting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_slots", threading.BoundedSemaphore(1))
    assert run.start(4_000_001)  # no such watch: its thread ends at once
    until = time.monotonic() + 10
    while not run._slots.acquire(blocking=False):
        assert time.monotonic() < until
    assert not run.start(4_000_002)
    run._slots.release()


def test_jobs_leave_places_for_people(collecting: Collecting, esxi: StartEsxi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_slots", threading.BoundedSemaphore(2))
    monkeypatch.setattr(run, "_slots_for_jobs", threading.BoundedSemaphore(1))
    first, second = make_jobs([{"cluster": "a"}, {"cluster": "b"}])
    hosts = [collecting.add_ssh(esxi(name), collecting.ssh_credential()) for name in ("esx-a03", "esx-a01")]
    of_job = requested(hosts[0], 60, job_id=first)
    assert run.start(of_job)
    waiting = requested(hosts[1], 60, job_id=second)
    assert not run.start(waiting), "the second watch of a job waits"
    stop(waiting)
    of_person = requested(hosts[1], SHORT)
    assert run.start(of_person)
    wait_for_readings(of_person, 1)
    for watch_id in (of_job, of_person):
        stop(watch_id)
    until = time.monotonic() + 30
    while not (run._slots_for_jobs.acquire(blocking=False) and run._slots.acquire(blocking=False)):
        assert time.monotonic() < until, "a place was not given back"
        time.sleep(0.1)


def test_old_watches_are_deleted_with_their_readings(collecting: Collecting, esxi: StartEsxi) -> None:
    host_id = collecting.add_ssh(esxi("esx-a03"), collecting.ssh_credential())
    watch_id = requested(host_id, 7)
    run.run_watch(watch_id)
    assert stored(watch_id)[1]
    assert rows.purge(days=30) == 0
    with session_scope() as session:
        session.execute(text("UPDATE host_watch SET ended_at = now() - interval '31 days'"))
    assert rows.purge(days=30) == 1
    with session_scope() as session:
        assert session.execute(text("SELECT count(*) FROM watch_reading")).scalar_one() == 0
