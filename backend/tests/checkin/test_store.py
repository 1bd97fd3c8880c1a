"""The store transaction: three round trips whatever the batch; and check-in, re-read and re-evaluation write the same rows."""

import copy
import json
import random
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, text

from faults.samples import samples, sections_of
from faults.sending import Sender
from plumbline import audit
from plumbline.checkin.batches import CheckInConnection
from plumbline.checkin.envelope import read_body
from plumbline.checkin.headers import read_headers
from plumbline.checkin.interpret import Interpreter
from plumbline.checkin.pending import PendingCheckIn
from plumbline.checkin.reread import reread_hosts
from plumbline.checkin.store import Store
from plumbline.evaluation.peers import DomainMemory
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.rollups import compare_rollups
from plumbline.evaluation.tasks import reevaluate_peers
from plumbline.hosts.enrol import enrol
from plumbline.hosts.lifecycle import move_host
from plumbline.infra import resources
from plumbline.infra.clock import utc_now
from plumbline.infra.database import session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.findings import Waiver
from plumbline.models.hosts import HostGroup
from plumbline.packs.publish import PackChoice, activate, install_builtin
from tests.checkin.test_heartbeats import wait_for_lock
from tests.superseded import activate_superseded

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows import render

# Of the 33 lab hosts many are alike.
STEPS, STEPS_OF_LAB_HOST = 30, 12
_TOKEN = re.compile(r"[A-Za-z0-9.:_-]+")
_ODD: tuple[Any, ...] = (None, "", 0, 1, 2, True, False, "Enabled", "Disabled", "0", "1", "9014", "1514", [], "x")
NAMES = [f"lab/{spec.name}" for spec in fleet.load()] + [
    f"{platform}/{path.stem}" for platform in ("windows", "esxi") for path in samples(platform)
]
# Everything that evaluating a host writes, and whether a row was written again.
WRITTEN = (
    """SELECT rule_no, subject_kind, subject_id, outcome, kind, reason, observed, expected, source::text, expected_hash, pack_version_id,
       since, failing_since, waiver_id, excluded_by, linked_rule_no, xmin::text FROM finding ORDER BY 1, 2, 3""",
    """SELECT rules_epoch, score, score_without_waivers, capped_by, rule_coverage, n_pass, n_fail, n_unknown, n_not_applicable, n_waived,
       n_excluded, n_guard_rail, worst_rule_no, failing, configuration_id, os_name, os_release, cluster, families, initiator_modes,
       paths_healthy, paths_total, is_restart_pending FROM host""",
    "SELECT domains, adapters, answers, asked FROM peer_answer",
    "SELECT (SELECT count(*) FROM finding_log), (SELECT count(*) FROM setting_change), (SELECT count(*) FROM host_configuration)",
    "SELECT id, state, end_words FROM waiver ORDER BY id",
)


@pytest.fixture
def connection(fresh_database: str, keys_folder: Path) -> Iterator[CheckInConnection]:
    with session_scope() as session:
        install_builtin(session)
        activate_superseded(session)
    with CheckInConnection.open(get_settings().database_url.get_secret_value().replace("+psycopg", "")) as opened:
        yield opened


def enrolled(token: str, name: str, platform: Any, sections: dict[str, bytes]) -> Sender:
    with session_scope() as session:
        done = enrol(session, token=token, nonce=secrets.token_hex(16), name=name, platform=platform, agent_version="1.0.0")
    return Sender(done.host_id, done.secret, done.epoch, done.generation, platform, sections=sections)


def checked_in(sender: Sender) -> PendingCheckIn:
    """The sender's next check-in, as the endpoint queues it."""
    body = sender.body()
    sender.seq += 1
    headers, wire = sender.request(body, encoding="identity")
    read = read_headers([(name.lower().encode(), value.encode()) for name, value in headers.items()])
    sender.known = sender.digests()
    return PendingCheckIn(read, "1", read_body(wire))


def flip(sender: Sender) -> None:
    """Changes a setting that rules read."""
    body = json.loads(sender.sections["offload"])
    row = body["Get-NetOffloadGlobalSetting"]["rows"][0]
    row["ReceiveSideScaling"] = "Disabled" if row["ReceiveSideScaling"] == "Enabled" else "Enabled"
    sender.sections["offload"] = json.dumps(body, separators=(",", ":")).encode()


def test_a_batch_takes_the_same_statements_in_three_round_trips_whatever_its_size_and_the_fleet(
    connection: CheckInConnection, token: str
) -> None:
    store = Store()
    sections = sections_of(samples("windows")[0])
    senders: list[Sender] = []
    taken = set()
    for hosts in (1, 8, 64):
        new = [enrolled(token, f"win-{number:02}", "windows", dict(sections)) for number in range(len(senders), hosts)]
        # Twice, since the facts of a body are kept from the second time on, and a body whose facts are not kept is read.
        for _ in range(2):
            for sender in new:
                flip(sender)
            assert {each.status for _, each in store.store(connection, [checked_in(each) for each in new])} == {200}
        # What the newcomers changed for the findings of their peers.
        reevaluate_peers()
        senders += new
        for size in (1, (hosts + 1) // 2, hosts):
            batch = senders[:size]
            for sender in batch:
                flip(sender)
            before = connection.statements, connection.round_trips
            assert {each.status for _, each in store.store(connection, [checked_in(each) for each in batch])} == {200}
            taken.add((connection.statements - before[0], connection.round_trips - before[1]))
    ((statements, round_trips),) = taken
    assert round_trips <= 3
    # Eight that lock and read, at most ten that read more, and one for each table.
    assert statements <= 8 + 10 + 20
    with session_scope() as session:
        assert compare_rollups(session) == {}
        assert session.execute(text("SELECT count(*) FROM setting_change")).scalar_one() >= 64


def give_role(session: Session, host_id: str) -> None:
    adapter = session.execute(text("SELECT subject_id FROM finding WHERE subject_kind = 'adapter' ORDER BY 1 LIMIT 1")).scalar_one()
    entered = json.dumps({f"adapter/{adapter}/role": "other"})
    session.execute(text("UPDATE host SET overrides = CAST(:entered AS jsonb) WHERE id = :id"), {"entered": entered, "id": host_id})


def switch_off(session: Session, host_id: str) -> None:
    activate(session, group_id=1, pack="dell-bp1057-2012", choice=PackChoice(None))


def waive(session: Session, host_id: str) -> None:
    numbers = session.execute(text("SELECT DISTINCT rule_no FROM finding WHERE outcome = 'fail'")).scalars()
    for number in numbers:
        session.add(
            Waiver(state="active", rule_no=number, host_id=host_id, reason="test", owner_id=1, requested_by=1, approved_by=2,
                   expires_at=utc_now() + timedelta(days=1))
        )  # fmt: skip


def move(session: Session, host_id: str) -> None:
    """Into a group where another pack is switched off."""
    group = HostGroup(name="moved to", parent_id=1, path="")
    session.add(group)
    session.flush()
    assert group.id is not None
    group.path = f"1/{group.id}/"
    activate(session, group_id=group.id, pack="dell-bp1057-2012r2", choice=PackChoice(None))
    move_host(session, actor=audit.SYSTEM, host_id=host_id, group_id=group.id)


@pytest.mark.parametrize("moved", [give_role, switch_off, waive, move])
def test_a_host_is_evaluated_on_what_its_row_says_under_the_lock(
    connection: CheckInConnection, token: str, moved: Callable[[Session, str], None]
) -> None:
    store = Store()
    sender = enrolled(token, "moved", "windows", sections_of(samples("windows")[0]))
    store.store(connection, [checked_in(sender)])
    flip(sender)
    figures = "SELECT count(*), count(waiver_id), array_agg(subject_kind || rule_no || outcome ORDER BY 1) FROM finding"
    with session_scope() as session, ThreadPoolExecutor(1) as pool:
        session.execute(text("SELECT 1 FROM host FOR UPDATE"))
        before = session.execute(text(figures)).one()
        moved(session, sender.host_id)
        session.flush()
        waiting = pool.submit(store.store, connection, [checked_in(sender)])
        wait_for_lock()
        session.commit()
        ((_, response),) = waiting.result(20)
    assert response.status == 200
    with session_scope() as session:
        assert session.execute(text(figures)).one() != before
    assert_same_rows(sender.host_id)


@pytest.mark.parametrize(("moved", "status"), [("state = 'retired'", 403), ("last_seq = 9", 409), ("epoch = 2", 409)])
def test_a_host_is_classified_by_its_row_under_the_lock(connection: CheckInConnection, token: str, moved: str, status: int) -> None:
    store = Store()
    sender = enrolled(token, "moved", "windows", sections_of(samples("windows")[0]))
    store.store(connection, [checked_in(sender)])
    flip(sender)
    before = written()
    with session_scope() as session, ThreadPoolExecutor(1) as pool:
        session.execute(text(f"UPDATE host SET {moved}"))
        waiting = pool.submit(store.store, connection, [checked_in(sender)])
        wait_for_lock()
        session.commit()
        ((_, response),) = waiting.result(20)
    assert response.status == status
    assert written() == before


@pytest.mark.parametrize("name", NAMES)
def test_check_in_reread_and_reevaluation_write_the_same_rows(
    name: str, connection: CheckInConnection, token: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    platform, original = _rendered(name, tmp_path_factory.getbasetemp() / "played")
    rng = random.Random(name)
    sender = enrolled(token, "played", platform, dict(original))
    # Two processes take turns; the caches of one hold nothing, those of the other may be out of date.
    stores = [Store(), Store(Interpreter(max_parsed=0), DomainMemory(hold_seconds=0))]
    give_waivers(sender.host_id)
    changes = 0
    steps = STEPS_OF_LAB_HOST if name.startswith("lab/") else STEPS
    for _ in range(steps):
        store = rng.choice(stores)
        before = store.accepted
        ((_, response),) = store.store(connection, [checked_in(sender)])
        assert (response.status, store.accepted - before) == (200, 1), response.body
        changes += assert_same_rows(sender.host_id)
        change(sender, original, rng)
    assert [(store.evaluation_errors, store.interpreter.internal_errors) for store in stores] == [(0, 0), (0, 0)]
    assert changes > steps / 10


def give_waivers(host_id: str) -> None:
    """One on every seventh rule, wherever on the host; one of them ends when the release changes."""
    with session_scope() as session:
        numbers = sorted(session.execute(text("SELECT no FROM rule_number")).scalars())[::7]
        for number in numbers:
            wires = {"host//os_release": "2012r2"} if number == numbers[0] else {}
            session.add(
                Waiver(state="active", rule_no=number, host_id=host_id, reason="test", owner_id=1, requested_by=1, approved_by=2,
                       expires_at=utc_now() + timedelta(days=1), trip_wires=wires)
            )  # fmt: skip


def written() -> list[list[tuple[object, ...]]]:
    with session_scope() as session:
        return [[tuple(row) for row in session.execute(text(statement))] for statement in WRITTEN]


def assert_same_rows(host_id: str) -> bool:
    """What the check-in wrote is what reading and evaluating everything anew would write; answers whether a configuration was stored."""
    before = written()
    with session_scope() as session:
        assert compare_rollups(session) == {}
        assert reread_hosts(session, [host_id]) == 0
    assert written() == before
    with session_scope() as session:
        assert reevaluate_hosts(session, [host_id], in_full=True) == 1
    assert written() == before
    with session_scope() as session:
        newest = "SELECT max(c.seq) = max(h.last_seq) FROM host h JOIN host_configuration c ON c.host_id = h.id WHERE h.id = :id"
        return bool(session.execute(text(newest), {"id": host_id}).scalar_one())


def change(sender: Sender, original: dict[str, bytes], rng: random.Random) -> None:
    """Does one thing to the sections: mostly another value somewhere, seldom a failure, a recovery, a person's word."""
    name = rng.choice(sorted(original))
    kind = rng.randrange(24)
    if kind == 0:
        sender.failed[name] = "time limit of 20 s"
        sender.sections.pop(name, None)
    elif kind < 4:
        name = sorted(sender.failed)[0] if sender.failed else name
        sender.failed.pop(name, None)
        sender.sections[name] = original[name]
    elif kind == 4:
        adapters = "SELECT DISTINCT subject_id FROM finding WHERE subject_kind = 'adapter' ORDER BY 1"
        with session_scope() as session:
            found = list(session.execute(text(adapters)).scalars())
            if found:
                entered = json.dumps({f"adapter/{rng.choice(found)}/role": rng.choice(["san_iscsi", "other"])})
                session.execute(text("UPDATE host SET overrides = CAST(:entered AS jsonb)"), {"entered": entered})
                reread_hosts(session, [sender.host_id])
    elif name in sender.sections:
        sender.sections[name] = edited(sender.sections[name], rng.randrange(10_000), rng.randrange(10_000), is_row=kind < 9)


@cache
def _rendered(name: str, folder: Path) -> tuple[str, dict[str, bytes]]:
    where, _, what = name.partition("/")
    if where != "lab":
        return where, sections_of(next(path for path in samples(where) if path.stem == what))
    spec = next(spec for spec in fleet.load() if spec.name == what)
    host = LabHost(spec, folder / what)
    if spec.platform == "windows":
        return "windows", render.sections(host)
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    command = machine.command_line(["--collect-only"])
    done = subprocess.run(command, env=machine.environment(), capture_output=True, check=True, timeout=60)
    line, *bodies = done.stdout.rstrip(b"\n").split(b"\n")
    shown = [section for section, row in json.loads(line)["sections"].items() if "sha256" in row]
    return "esxi", dict(zip(shown, bodies, strict=True))


def edited(body: bytes, place: int, value: int, *, is_row: bool) -> bytes:
    """The body with one value replaced, or one row of a list dropped."""
    decoded = json.loads(body)
    places = [each for each in _places(decoded) if (isinstance(each[0], list) and isinstance(each[0][each[1]], dict)) == is_row]
    if not places:
        return body
    holder, key = places[place % len(places)]
    if is_row:
        del holder[key]
        return json.dumps(decoded, separators=(",", ":")).encode()
    old = holder[key]
    tokens = list(_TOKEN.finditer(old)) if isinstance(old, str) else []
    if len(tokens) > 5:
        at = tokens[value % len(tokens)]
        holder[key] = old[: at.start()] + tokens[place % len(tokens)][0] + old[at.end() :]
    else:
        alike = [copy.deepcopy(each[0][each[1]]) for each in _places(decoded) if each[1] == key]
        choices = [*alike, *_ODD]
        holder[key] = choices[value % len(choices)]
    return json.dumps(decoded, separators=(",", ":")).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)
