"""The lab's past is written by the product itself: what a person finds afterwards, and that every check of the doctor agrees with it."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, col, select, text

from plumbline.audit import chain
from plumbline.drift.events import read_events
from plumbline.fleet.recent_failures import recent_failures
from plumbline.fleet.worse import what_got_worse
from plumbline.infra.database import now_of, session_scope
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan
from plumbline.models.proofs import Proof
from plumbline.models.reports import Report
from plumbline.ops import lab_past
from plumbline.packs.library import read_library
from plumbline.remediation.jobs import invariants

# Short enough for a test, long enough for the driver update, a job, two waivers and a plan.
DAYS = 10


@pytest.fixture
def home(owner: str, keys_folder: Path, tmp_path: Path) -> Path:
    assert lab_past.is_new(owner)
    (tmp_path / "run").mkdir()
    env = {
        "PATH": "/usr/bin:/bin",
        "PLUMBLINE_HOME": str(tmp_path),
        "PLUMBLINE_KEYS_FOLDER": str(keys_folder),
        "PLUMBLINE_PUBLIC_URL": "http://127.0.0.1:8080",
        "PLUMBLINE_HOSTS_ON_LOOPBACK": "true",
    }
    log = tmp_path / "past.log"
    assert lab_past.write_in_child(tmp_path, env, owner, DAYS, log) == "", log.read_text()[-2000:]
    assert not lab_past.is_new(owner)
    return tmp_path


def test_a_fleet_that_has_lived(home: Path) -> None:
    with session_scope() as session:
        now = now_of(session)
        hosts = session.exec(select(Host).where(col(Host.is_lab))).all()
        assert len(hosts) == 30
        assert all(timedelta(days=DAYS - 1) < now - host.enrolled_at < timedelta(days=DAYS + 1) for host in hosts)
        assert timedelta(days=DAYS - 1) < now - session.execute(text("SELECT min(received_at) FROM check_in")).scalar_one()
        late = [host.name for host in hosts if host.last_seen_at is None or now - host.last_seen_at > timedelta(minutes=10)]
        assert late == ["esx-c01"]
        # A week with check-ins every few hours, and a day's figures for each day.
        assert all(host.last_seq > 60 for host in hosts if host.name not in late)
        assert session.scalar(text("SELECT count(DISTINCT hour) FROM counter_hour")) >= 46  # type: ignore[call-overload]
        # And the charts of the days before, which nobody has to wait an hour for.
        assert session.execute(text("SELECT count(DISTINCT day) FROM counter_day WHERE day < now()::date")).scalar_one() >= 2
        assert [report.state for report in session.exec(select(Report))] == ["ready"]
        assert session.execute(text("SELECT count(DISTINCT day) FROM fleet_day")).scalar_one() >= DAYS
        jobs = session.exec(select(Job)).all()
        assert [job.state for job in jobs] == ["SUCCEEDED"]
        assert timedelta(days=1) < now - jobs[0].created_at < timedelta(days=3)
        # Three runs before the fix and three after it, compared.
        assert session.execute(text("SELECT count(*) FROM benchmark_run")).scalar_one() == 6
        proofs = session.exec(select(Proof)).all()
        assert [(proof.outcome, proof.grade, proof.job_id) for proof in proofs] == [("better", "quick_look", jobs[0].id)]
        assert sorted(plan.state for plan in session.exec(select(Plan))) == ["AWAITING_APPROVAL", "FINISHED"]
        assert sorted(session.scalars(text("SELECT state FROM waiver"))) == ["active", "requested"]
        changed = session.execute(
            text(
                "SELECT count(DISTINCT host_id) FROM setting_change WHERE key = 'flow_control' AND received_at > now() - interval '4 days'"
            )
        )
        assert changed.scalar_one() == 3
        # As the doctor would ask.
        assert chain.verify_chain(session, chain.signing_key().public_key(), exported=home / "audit-heads.jsonl").problems == []
        for check in (invariants.signatures, invariants.verified, invariants.audited, invariants.intents):
            assert list(check(session)) == []
        _agents_go_on(session, home)
        _logs_are_read_alike(session)


def _logs_are_read_alike(session: Session) -> None:
    """By time, as of a large fleet, and host by host, as of a small one."""
    groups = list(session.scalars(text("SELECT id FROM host_group")))
    as_of = now_of(session)
    since = as_of - timedelta(days=DAYS)
    library = read_library(session)
    found = []
    for has_few_hosts in (False, True):
        failures = recent_failures(session, groups, since, as_of, has_few_hosts=has_few_hosts)
        worse = what_got_worse(session, since, library, failures, has_few_hosts=has_few_hosts)
        events = read_events(session, groups=groups, hours=24 * DAYS, has_few_hosts=has_few_hosts)
        found.append((failures, worse, events))
    assert found[0] == found[1]
    failures, worse, events = found[0]
    assert len(failures) > 5
    assert len(worse.groups) > 1
    assert len(events.events) > 1


def _agents_go_on(session: Session, home: Path) -> None:
    """Each agent has the identity and the number that the past ended with."""
    identity = json.loads((home / "lab" / "sql-03" / "identity.json").read_text("utf-8"))
    agent = json.loads((home / "lab" / "esx-a01" / "agent" / "agent.json").read_text("utf-8"))
    assert agent["server"] == "http://127.0.0.1:8080"
    for name, held, number in (("sql-03", identity, "sql-03/seq"), ("esx-a01", agent, "esx-a01/agent/counter")):
        host = session.exec(select(Host).where(col(Host.name) == name)).one()
        assert host.id == held["host_id"]
        assert host.last_seq == int((home / "lab" / number).read_text())
