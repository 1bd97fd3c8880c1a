"""The doctor's checks of plans and jobs: silent after a whole job, and each finds what it is there to find."""

from collections.abc import Callable

import psycopg
import pytest

from faults.invariants import broken_promises
from plumbline.infra.database import session_scope
from plumbline.ops import embedded_servers
from plumbline.ops.doctor import CHECKS, examine
from tests.remediation.conftest import Stage

OURS = (
    "one job per host",
    "intents",
    "signatures",
    "fences",
    "verified",
    "no lost jobs",
    "boundaries",
    "transitions",
    "workers",
    "people",
)
# What a fault of ours, or a person with the disk, could do; and the check that has to see it.
TAMPERING = {
    "one job per host": "UPDATE domain_slot SET job_id = (SELECT id FROM job LIMIT 1) WHERE domain LIKE 'group:%' AND slot_no = 1",
    "intents": "DELETE FROM job_event WHERE kind = 'intent'",
    "signatures": "UPDATE approval SET payload = replace(payload, 'evidence', 'somebody')",
    "fences": "UPDATE job_event SET gen = 99 WHERE number = 3",
    "verified": "UPDATE check_in SET runner_after = '' WHERE runner_after <> ''",
    "boundaries": "UPDATE job_step SET state = 'IN_FLIGHT'",
    "no lost jobs": "UPDATE job SET state = 'QUEUED', not_after = now() - interval '1 day'",
    "transitions": "UPDATE job_event SET kind = 'note' WHERE kind = 'state' AND number = 2",
    "workers": "UPDATE job SET state = 'QUEUED', queued_at = now() - interval '1 day', queue = 'nowhere'",
    "people": "UPDATE job SET state = 'NEEDS_HUMAN'",
}


@pytest.fixture
def tamper(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> Callable[[str], None]:
    """One statement as the owner, past every guard."""
    address = cluster.url(embedded_servers.OWNER, fresh_database.partition("@/")[2].partition("?")[0]).replace("+psycopg", "")

    def run(statement: str) -> None:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            assert connection.execute(statement).rowcount, statement

    return run


def _found() -> dict[str, list[str]]:
    with session_scope() as session:
        return {check.name: words for check, words in examine(session)}


def test_silent_on_a_whole_job_and_each_finds_its_fault(
    stage: Stage, esxi_host: str, tamper: Callable[[str], None], cluster: embedded_servers.PostgresCluster, fresh_database: str
) -> None:
    assert set(OURS) == set(TAMPERING) <= {check.name for check in CHECKS}
    (job_id,) = stage.approved(stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout")))
    stage.drive(job_id)
    assert stage.job(job_id).state == "SUCCEEDED"
    assert broken_promises(cluster.url("plumbline_background", fresh_database.partition("@/")[2].partition("?")[0])) == []
    found = _found()
    assert {name: found[name] for name in OURS} == {name: [] for name in OURS}
    # A clock that was ten minutes ahead when the intent was stored says nothing of the order.
    tamper("UPDATE job_step SET sent_at = sent_at - interval '10 minutes'")
    assert _found()["intents"] == []
    tamper("UPDATE job_event SET number = number + 1000 WHERE kind = 'intent'")
    assert _found()["intents"]
    tamper("UPDATE job_event SET number = number - 1000 WHERE kind = 'intent'")
    assert _found()["intents"] == []
    for name, statement in TAMPERING.items():
        before = len(_found()[name])
        tamper(statement)
        assert len(_found()[name]) > before, name
