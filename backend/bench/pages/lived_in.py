"""A stored fleet as one finds it after some months: changes, rules that turned, waivers, attestations; and the same fleet ten times over.

The first hosts are stored and evaluated as a check-in is (`bench.rules.stored_fleet`). More hosts are copies of these, made by SQL: each
with its own name, configuration and findings, in groups and clusters of its own, so that everything a page reads has the size of that
fleet. The rollups are counted with them.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, insert, text

from bench.rules.__main__ import SEED
from bench.rules.stored_fleet import reevaluate_all, store
from plumbline.auth import sessions
from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.evaluation.rollups import fold_rollups
from plumbline.hosts.name_search import name_grams
from plumbline.infra.database import get_engine, session_scope
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.findings import Attestation, Waiver

WAIVED_ONE_IN = 25
# One host in so many had a setting changed on each of the last days, and a rule that turned by it.
CHANGED_ONE_IN = 100
DAYS = 30

_CHANGES = """
INSERT INTO setting_change (received_at, host_id, seq, subject_kind, subject_id, key, old, new, cause, cause_detail, alike)
SELECT now() - day * interval '1 day' - random() * interval '20 hours', h.id, 1, 'adapter', '001018a0b1c2', 'flow_control',
  '{"value": "off"}', '{"value": "rx_tx"}', 'unknown', '', md5(day::text || h.cluster)
FROM generate_series(0, :days - 1) AS day, host h WHERE abs(hashtext(h.id || day)) % :one_in = 0
"""
# Each turned rule has its row; most hosts were first seen long ago, and what was said then lies in older months.
_TURNED = """
INSERT INTO finding_log (at, host_id, rule_no, subject_kind, subject_id, old, new, reason)
SELECT c.received_at, c.host_id, h.failing[1], 'host', '', 'pass', 'fail', 'flow control is off'
FROM setting_change c JOIN host h ON h.id = c.host_id WHERE cardinality(h.failing) > 0
"""
_AGE_LOG = "DELETE FROM finding_log WHERE old = ''"
_DAYS = """
INSERT INTO fleet_day (day, group_id, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown, n_waived,
  n_not_applicable)
SELECT (now() - day * interval '1 day')::date, g.id, 400, 390, 400, 60 + day % 7, 61, 0.9, 9000, 800, 60, 10, 5000
FROM generate_series(0, 89) AS day, host_group g ON CONFLICT DO NOTHING
"""


def live_in(session: Session) -> None:
    """Puts the months behind the fleet in this database."""
    session.execute(text(_AGE_LOG))
    session.execute(text(_CHANGES), {"days": DAYS, "one_in": CHANGED_ONE_IN})
    session.execute(text(_TURNED))
    session.execute(text(_DAYS))
    owner, approver = Person(login="owner", display_name="Owner"), Person(login="approver", display_name="Approver")
    session.add_all([owner, approver])
    session.flush()
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    hosts = _waive(session, owner.id or 0, approver.id or 0, now) | _attest(session, owner.id or 0, now)
    reevaluate_hosts(session, sorted(hosts))


def _waive(session: Session, owner: int, approver: int, now: datetime) -> set[str]:
    """One failing rule on one host in so many, alone: the rule that asks the same in another edition still fails there."""
    failing = session.execute(
        text(
            "SELECT DISTINCT ON (host_id) host_id, rule_no FROM finding WHERE outcome = 'fail' AND kind IN ('recommended', 'guard_rail')"
            " AND abs(hashtext(host_id)) % :one_in = 0 ORDER BY host_id, rule_no"
        ),
        {"one_in": WAIVED_ONE_IN},
    ).all()
    rows = [
        {"state": "active", "rule_no": rule_no, "host_id": host_id, "reason": "accepted until the next window", "owner_id": owner,
         "requested_by": owner, "approved_by": approver, "approved_at": now, "expires_at": now + timedelta(days=30)}
        for host_id, rule_no in failing
    ]  # fmt: skip
    session.execute(insert(Waiver), rows)
    return {host_id for host_id, _ in failing}


def _attest(session: Session, author: int, now: datetime) -> set[str]:
    """A group attested as a whole, and some hosts apart."""
    rule_no = session.execute(text("SELECT min(no) FROM rule_number WHERE rule = 'bp1057.fabric.redundant'")).scalar_one()
    group, *_ = session.execute(text("SELECT id FROM host_group WHERE id > 1 ORDER BY id LIMIT 1")).one()
    met = set(session.execute(text("SELECT id FROM host WHERE group_id = :group"), {"group": group}).scalars())
    apart = session.execute(text("SELECT id FROM host WHERE group_id <> :group ORDER BY id LIMIT 50"), {"group": group}).scalars().all()
    said: dict[str, Any] = {
        "rule_no": rule_no, "is_so": True, "statement": "two switches, looked at", "author_id": author, "made_at": now,
        "expires_at": now + timedelta(days=90),
    }  # fmt: skip
    session.execute(insert(Attestation), [{**said, "host_id": None, "group_id": group}])
    # A small fleet may have none.
    if apart:
        session.execute(insert(Attestation), [{**said, "host_id": each, "group_id": None} for each in apart])
    return met | set(apart)


def lived_in_fleet(hosts: int) -> str:
    """Stores and evaluates a fleet that people have worked with; answers the cookie of somebody who reads everything."""
    store(hosts, SEED)
    print(f"{reevaluate_all():,} hosts stored and evaluated", flush=True)
    with session_scope() as session:
        live_in(session)
        cookie = reader(session)
    settle()
    return cookie


def reader(session: Session) -> str:
    """Somebody who reads everything, signed in; answers the cookie."""
    person = Person(login="reader", display_name="Reader")
    session.add(person)
    session.flush()
    assert person.id is not None
    session.add(RoleGrant(person_id=person.id, role="viewer", group_id=1))
    return f"plumbline-development={sessions.start(session, person=person, address='127.0.0.1', agent='bench')}"


# Every table that a page reads of a host, copied under another id; `{id}` is that of copy number `:copy`.
_ID = "lpad(to_hex(CAST(:copy AS int)), 4, '0') || substr({}, 5)"
_PATHS = "UPDATE host_group SET path = '1/' || id || '/' WHERE path LIKE 'copy %'"
_PAIRS = """
CREATE TEMP TABLE pair ON COMMIT DROP AS
SELECT o.id AS old, n.id AS new FROM host_group o JOIN host_group n ON n.name = o.name || ' ' || :copy WHERE o.id = ANY(:groups)
"""
_NAMES = "CREATE TEMP TABLE named (id text PRIMARY KEY, name text, grams text[]) ON COMMIT DROP"
_CHANGED_IN_GROUP = {"parent_id": "1", "name": "name || ' ' || :copy", "path": "'copy ' || :copy || ' ' || id"}
_CHANGED_IN_HOST = {
    "id": "named.id", "name": "named.name", "name_grams": "named.grams", "group_id": "pair.new", "configuration_id": "NULL",
    "cluster": "CASE WHEN h.cluster = '' THEN '' ELSE h.cluster || '-' || :copy END",
}  # fmt: skip
_OF_HOST = ("host_configuration", "host_section", "peer_answer", "finding", "setting_change", "finding_log")
# To be folded, which counts them in the groups above too.
_ROLLED = """
INSERT INTO rollup_delta (group_id, rule_no, bucket, hosts, subjects, amount)
SELECT pair.new, r.rule_no, r.bucket, r.hosts, r.subjects, r.amount FROM rollup r JOIN pair ON pair.old = r.group_id
"""
_DAYS_OF_COPIES = """
INSERT INTO fleet_day (day, group_id, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown, n_waived,
  n_not_applicable)
SELECT day, pair.new, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown, n_waived, n_not_applicable
FROM fleet_day JOIN pair ON pair.old = group_id
"""


def grow(times: int) -> None:
    """Makes the fleet so many times as large."""
    with session_scope() as session:
        while fold_rollups(session):
            pass
        groups = list(session.execute(text("SELECT id FROM host_group WHERE id > 1 ORDER BY id")).scalars())
        hosts = [tuple(row) for row in session.execute(text("SELECT id, name FROM host ORDER BY id"))]
    for copy in range(1, times):
        with session_scope() as session:
            _copy(session, copy, groups, hosts)
        print(f"{(copy + 1) * len(hosts):,} hosts", flush=True)


def _copy(session: Session, copy: int, groups: list[int], hosts: list[tuple[str, str]]) -> None:
    values = {"copy": copy, "groups": groups}
    columns = [each for each in _columns(session, "host_group") if each != "id"]
    picked = ", ".join(_CHANGED_IN_GROUP.get(each, each) for each in columns)
    session.execute(text(f"INSERT INTO host_group ({', '.join(columns)}) SELECT {picked} FROM host_group WHERE id = ANY(:groups)"), values)
    for statement in (_PATHS, _PAIRS, _NAMES):
        session.execute(text(statement), values)
    named = [{"id": f"{copy:04x}{host_id[4:]}", "name": f"{name}-{copy}", "grams": name_grams(f"{name}-{copy}")} for host_id, name in hosts]
    session.execute(text("INSERT INTO named VALUES (:id, :name, :grams)"), named)
    columns = _columns(session, "host")
    picked = ", ".join(_CHANGED_IN_HOST.get(each, f"h.{each}") for each in columns)
    session.execute(
        text(
            f"INSERT INTO host ({', '.join(columns)}) SELECT {picked} FROM host h JOIN pair ON pair.old = h.group_id"
            f" JOIN named ON named.id = {_ID.format('h.id')}"
        ),
        values,
    )
    for table in _OF_HOST:
        columns = [each for each in _columns(session, table) if each != "id"]
        picked = ", ".join(_ID.format("t.host_id") if each == "host_id" else f"t.{each}" for each in columns)
        session.execute(
            text(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {picked} FROM {table} t WHERE t.host_id LIKE '0000%'"),
            values,
        )
    session.execute(
        text("UPDATE host h SET configuration_id = c.id FROM host_configuration c WHERE c.host_id = h.id AND h.configuration_id IS NULL")
    )
    session.execute(text(_ROLLED), values)
    session.execute(text(_DAYS_OF_COPIES), values)


def _columns(session: Session, table: str) -> list[str]:
    found = session.execute(
        text(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = :table"
            " AND is_generated = 'NEVER' ORDER BY ordinal_position"
        ),
        {"table": table},
    )
    return [each for (each,) in found]


def settle() -> None:
    """Folds what is not folded, and lets the planner know the tables as the database's own housekeeping would by now."""
    with session_scope() as session:
        while fold_rollups(session):
            pass
    with get_engine().connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))
