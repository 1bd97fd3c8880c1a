"""One worker at a host: how a claim is kept, what a dead worker leaves, and what one does that slept past its claim."""

import threading
import time
from collections.abc import Callable
from datetime import datetime

import pytest
from sqlmodel import text

from lab.esxi.ssh import EsxiSsh
from plumbline.collection import endpoints, leases
from plumbline.collection.collect import CollectionResult, collect
from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.hosts import Host
from tests.collection.conftest import Collecting

Rows = Callable[[str], tuple[Host, CollectionEndpoint]]
StartEsxi = Callable[..., EsxiSsh]


@pytest.fixture
def host_id(collecting: Collecting, esxi: StartEsxi) -> str:
    """A host that we read."""
    return collecting.add_ssh(esxi("esx-t02"), collecting.ssh_credential())


def _claim(host_id: str) -> leases.Lease:
    with session_scope() as session:
        endpoint = endpoints.take_lease(session, host_id)
    assert endpoint is not None
    return leases.Lease(CollectionEndpoint, host_id, endpoint.claimed_until)


def _until(host_id: str) -> datetime | None:
    with session_scope() as session:
        return session.get_one(CollectionEndpoint, host_id).claimed_until


def _run_out() -> None:
    with session_scope() as session:
        session.execute(text("UPDATE collection_endpoint SET claimed_until = clock_timestamp() - interval '1 second'"))


def test_what_a_dead_worker_claimed_is_free_in_seconds_and_not_rung_for_in_minutes(host_id: str) -> None:
    _claim(host_id)
    with session_scope() as session:
        seconds, again = session.execute(
            text(
                "SELECT extract(epoch FROM claimed_until - clock_timestamp()), extract(epoch FROM next_at - clock_timestamp())"
                " FROM collection_endpoint"
            )
        ).one()
    assert 0 < seconds <= leases.LEASE_SECONDS
    # A host that ends every worker that reads it does not do so every few seconds.
    assert leases.AGAIN_SECONDS - 5 < again <= leases.AGAIN_SECONDS
    _run_out()
    with session_scope() as session:
        assert endpoints.due_hosts(session) == []
        assert endpoints.take_lease(session, host_id) is not None


def test_a_claim_is_renewed_while_the_work_goes_on(host_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.2)
    lease = _claim(host_id)
    first = _until(host_id)
    assert first is not None
    with lease.kept(60):
        until = time.monotonic() + 20
        while (_until(host_id) or first) <= first and time.monotonic() < until:
            time.sleep(0.05)
    last = _until(host_id)
    assert last is not None
    assert last > first
    with session_scope() as session:
        assert lease.end(session)
    assert _until(host_id) is None


def test_work_that_never_ends_is_not_renewed_for_ever(host_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.2)
    lease = _claim(host_id)
    first = _until(host_id)
    with lease.kept(0):
        time.sleep(0.3)
        assert _until(host_id) == first
        assert not any(thread.name.startswith("claim of") for thread in threading.enumerate())


def test_a_claim_that_ran_out_is_still_ours_until_somebody_takes_it(host_id: str) -> None:
    _claim(host_id)
    _run_out()
    lease = leases.Lease(CollectionEndpoint, host_id, _until(host_id))
    assert lease.renew()
    ours = _until(host_id)
    _run_out()
    other = _claim(host_id)
    theirs = _until(host_id)
    assert theirs != ours
    assert not lease.renew()
    with session_scope() as session:
        assert not lease.end(session)
    assert _until(host_id) == theirs
    with session_scope() as session:
        assert other.end(session)


def test_a_worker_that_slept_past_its_claim_sends_nothing_and_leaves_the_row_alone(
    collecting: Collecting, esxi: StartEsxi, rows: Rows
) -> None:
    server = esxi("esx-t02")
    host_id = collecting.add_ssh(server, collecting.ssh_credential())
    shell = server.machine.folder / "bin" / "python3"
    real = shell.read_text()
    began = server.machine.folder / "began"
    # Reading takes until the test lets it end: meanwhile the claim runs out and another worker takes the host.
    shell.write_text(real.replace("\n", f"\ntouch {began}; while [ -e {began} ]; do sleep 0.05; done\n", 1))
    done: list[CollectionResult | None] = []
    sleeper = threading.Thread(target=lambda: done.append(collect(host_id, client=collecting.served.client)))
    sleeper.start()
    until = time.monotonic() + 30
    while not began.exists() and time.monotonic() < until:
        time.sleep(0.02)
    _run_out()
    other = _claim(host_id)
    theirs = _until(host_id)
    began.unlink()
    sleeper.join(60)
    assert [each and each.error for each in done] == ["another worker began to read this host before this one had ended"]
    host, endpoint = rows(host_id)
    assert (host.last_seq, endpoint.claimed_until, endpoint.last_error, endpoint.failures) == (0, theirs, "", 0)
    with session_scope() as session:
        assert other.end(session)
    shell.write_text(real)
    again = collect(host_id, client=collecting.served.client)
    assert again is not None
    assert (again.error, again.seq) == ("", 3)
