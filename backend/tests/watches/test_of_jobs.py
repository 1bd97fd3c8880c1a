"""The watch that a job starts: one a job, never beside another of its host, and none where it would be of no use."""

import pytest
from sqlmodel import text

from plumbline.infra.database import session_scope
from plumbline.models.collection import CollectionEndpoint
from plumbline.models.vault import VaultSecret
from plumbline.watches.of_jobs import SECONDS, watch_job
from plumbline.watches.tasks import start_for_job
from tests.remediation.test_claim import end, make_jobs, ready, take

__all__ = ["ready"]


@pytest.fixture
def job_id(ready: None) -> int:
    """A job that has begun, on a host that Plumbline can read."""
    (made,) = make_jobs([{"cluster": "a"}])
    with session_scope() as session:
        secret = VaultSecret(name="reads", purpose="collection", kind="ssh_password", account="root", group_id=1, sealed=b"-", key_id="-")
        session.add(secret)
        session.flush()
        session.add(
            CollectionEndpoint(
                host_id=f"{0:032x}", channel="ssh", address="127.0.0.1", port=22, credential_id=secret.id or 0, pins=["SHA256:" + "a" * 43]
            )
        )
        session.execute(text("UPDATE job SET requested_by = 'person:1 olga'"))
    assert take(made)
    return made


def watched(job_id: int) -> int | None:
    with session_scope() as session:
        return watch_job(session, job_id)


def change(statement: str) -> None:
    with session_scope() as session:
        session.execute(text(statement))


def test_a_job_that_begins_is_watched_once(job_id: int) -> None:
    first = watched(job_id)
    assert first is not None
    with session_scope() as session:
        row = session.execute(text("SELECT host_id, job_id, requested_by, seconds, ended_at FROM host_watch")).one()
    assert tuple(row) == (f"{0:032x}", job_id, "person:1 olga", SECONDS, None)
    # The message came twice, or the watch was stopped by a person: neither begins another one.
    assert watched(job_id) is None
    change("UPDATE host_watch SET ended_at = now()")
    assert watched(job_id) is None


def test_a_watch_that_a_person_started_goes_on_instead(job_id: int) -> None:
    change(f"INSERT INTO host_watch (host_id, requested_by, seconds, end_words, readings) VALUES ('{0:032x}', 'person:2 ada', 60, '', 0)")
    assert watched(job_id) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE job SET started_at = now() - interval '3 minutes'",
        "UPDATE collection_endpoint SET pins = '{}'",
        "DELETE FROM collection_endpoint",
    ],
)
def test_none_is_started_late_or_where_plumbline_cannot_sign_in(job_id: int, statement: str) -> None:
    change(statement)
    assert watched(job_id) is None


def test_none_is_started_for_a_job_that_has_ended_or_never_was(job_id: int) -> None:
    end(job_id)
    assert watched(job_id) is None
    assert watched(job_id + 1) is None


@pytest.mark.parametrize("number", [None, "1; DROP TABLE job", 0, -1, 2**31, True, [1]])
def test_what_cannot_be_a_number_is_not_looked_up(number: object) -> None:
    # No database is set here: a look-up would raise.
    start_for_job(number)
