"""Two committers, a rescore, waivers and a retirement against the same hosts: rollups equal the raw counts, no verdict is stale."""

import json
import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlmodel import Session, select, text

from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline import audit
from plumbline.evaluation.reevaluate import reevaluate_hosts, reevaluate_lagging
from plumbline.evaluation.rollups import compare_rollups, fold_rollups
from plumbline.evaluation.tasks import reevaluate_peers
from plumbline.hosts.lifecycle import retire_host
from plumbline.infra.database import session_scope
from plumbline.models.auth import Person
from plumbline.models.findings import CurrentFinding, Waiver
from plumbline.packs.publish import install_builtin, raise_rules_epoch
from plumbline.waivers.lifecycle import approve_waiver, expire_waivers, withdraw_waiver
from tests.checkin.conftest import Served

HOSTS = 50
ROUNDS = 3


def people(session: Session) -> tuple[int, int]:
    asking, approving = Person(login="asks"), Person(login="approves")
    session.add_all([asking, approving])
    session.flush()
    assert asking.id is not None
    assert approving.id is not None
    return asking.id, approving.id


def waiver_on(session: Session, host_id: str, asking: int) -> Waiver | None:
    finding = session.exec(
        select(CurrentFinding).where(CurrentFinding.host_id == host_id, CurrentFinding.outcome == "fail").limit(1)
    ).first()
    if finding is None:
        return None
    waiver = Waiver(
        rule_no=finding.rule_no,
        host_id=host_id,
        subject_kind=finding.subject_kind,
        subject_id=finding.subject_id,
        reason="test",
        owner_id=asking,
        requested_by=asking,
        expires_at=datetime.now(UTC) + timedelta(days=1),
    )
    session.add(waiver)
    session.flush()
    return waiver


def flip(sender: Sender, rng: random.Random) -> None:
    """Changes settings, so that findings change."""
    body = json.loads(sender.sections["offload"])
    row = body["Get-NetOffloadGlobalSetting"]["rows"][0]
    for key in ("ReceiveSideScaling", "Chimney", "ReceiveSegmentCoalescing"):
        row[key] = rng.choice(["Enabled", "Disabled"])
    sender.sections["offload"] = json.dumps(body, separators=(",", ":")).encode()


def test_rollups_stay_exact_and_verdicts_fresh(serve: Callable[..., Served], token: str) -> None:
    endpoints = [serve(), serve()]
    with session_scope() as session:
        install_builtin(session)
        asking, approving = people(session)
    found = samples("windows")
    senders = [
        sender_of(enrol(endpoints[0].client, token, f"win-{number:02}"), sections=sections_of(found[number % len(found)]))
        for number in range(HOSTS)
    ]
    failures: list[str] = []
    stop = threading.Event()

    def check_in(mine: list[Sender], seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(ROUNDS):
            for sender in mine:
                if rng.random() < 0.7:
                    flip(sender, rng)
                # A host's check-ins go now to one process, now to the other.
                answer = sender.send(rng.choice(endpoints).client)
                if answer.status_code not in (200, 403):
                    failures.append(answer.text)

    def disturb() -> None:
        rng = random.Random(5)
        while not stop.is_set():
            host = rng.choice(senders).host_id
            with session_scope() as session:
                reevaluate_hosts(session, [sender.host_id for sender in rng.sample(senders, 10)], in_full=rng.random() < 0.5)
            with session_scope() as session:
                waiver = waiver_on(session, host, asking)
                waiver_id = waiver.id if waiver else None
            if waiver_id is not None:
                with session_scope() as session:
                    approve_waiver(session, actor=audit.SYSTEM, waiver_id=waiver_id, approved_by=approving)
                if rng.random() < 0.3:
                    with session_scope() as session:
                        withdraw_waiver(session, actor=audit.SYSTEM, waiver_id=waiver_id)
            with session_scope() as session:
                raise_rules_epoch(session)
            with session_scope() as session:
                reevaluate_lagging(session, 20)
            with session_scope() as session:
                fold_rollups(session)

    threads = [threading.Thread(target=check_in, args=(senders[number::4], number)) for number in range(4)]
    other = threading.Thread(target=disturb)
    for thread in [*threads, other]:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    other.join()
    assert failures == []
    with session_scope() as session:
        retire_host(session, actor=audit.SYSTEM, host_id=senders[0].host_id, reason="test")
    with session_scope() as session:
        session.execute(text("UPDATE waiver SET expires_at = now() - interval '1 minute' WHERE state = 'active'"))
        assert expire_waivers(session) > 0
    # Hosts whose neighbours changed lag until the background has judged them.
    reevaluate_peers()
    with session_scope() as session:
        assert compare_rollups(session) == {}
        assert session.execute(text("SELECT count(*) FROM finding WHERE waiver_id IS NOT NULL")).scalar_one() == 0
        assert session.execute(text("SELECT count(*) FROM finding WHERE host_id = :id"), {"id": senders[0].host_id}).scalar_one() == 0
        before = [tuple(row) for row in session.execute(FINDINGS)]
        scores = [tuple(row) for row in session.execute(SCORES)]
    # What stands is what judging everything anew from the stored configurations gives.
    with session_scope() as session:
        raise_rules_epoch(session)
        while reevaluate_lagging(session):
            pass
        reevaluate_hosts(session, [sender.host_id for sender in senders], in_full=True)
    with session_scope() as session:
        assert [tuple(row) for row in session.execute(FINDINGS)] == before
        assert [tuple(row) for row in session.execute(SCORES)] == scores
        assert fold_rollups(session) >= 0
        assert compare_rollups(session) == {}
    assert sum(served.app.writer.alone_failed for served in endpoints) == 0


FINDINGS = text(
    "SELECT host_id, rule_no, subject_kind, subject_id, outcome, reason, observed, expected, source::text, failing_since"
    " FROM finding ORDER BY 1, 2, 3, 4"
)
SCORES = text("SELECT id, score, rule_coverage, n_pass, n_fail, n_unknown, n_waived, failing FROM host ORDER BY id")
