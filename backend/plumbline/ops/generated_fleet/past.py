"""What lies behind a generated fleet: changes of settings, rules that began to fail by them, waivers and attestations, and a trend."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from sqlmodel import Session, insert, text

from plumbline.evaluation.reevaluate import reevaluate_hosts
from plumbline.infra.database import direct_url
from plumbline.models.findings import Attestation, Waiver

WAIVED_ONE_IN = 25
# One host in so many had a setting changed on each of the last days, and a rule that turned by it.
CHANGED_ONE_IN = 100
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
# A fleet that became a little better every day, up to what it is now.
_DAYS = """
INSERT INTO fleet_day (day, group_id, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown, n_waived,
  n_not_applicable)
SELECT (now() - day * interval '1 day')::date, c.id, c.hosts, c.hosts, c.scored, round(greatest(0, c.mean - 0.1 * day)::numeric, 1),
  round(greatest(0, c.median - 0.1 * day)::numeric, 1), c.coverage, greatest(0, c.n_pass - day), c.n_fail + day, c.n_unknown, c.n_waived,
  c.n_not_applicable
FROM generate_series(0, :days - 1) AS day, (
  SELECT g.id, count(*) AS hosts, count(h.score) AS scored, avg(h.score)::float8 AS mean,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY h.score) AS median, avg(h.rule_coverage) AS coverage, sum(h.n_pass) AS n_pass,
    sum(h.n_fail) AS n_fail, sum(h.n_unknown) AS n_unknown, sum(h.n_waived) AS n_waived, sum(h.n_not_applicable) AS n_not_applicable
  FROM host_group g JOIN host_group own ON starts_with(own.path, g.path) JOIN host h ON h.group_id = own.id GROUP BY g.id) AS c
ON CONFLICT DO NOTHING
"""


def make_partitions(owner: str, days: int) -> None:
    """The partitions of the months that lie behind, as `checkin.retention` makes them of this month and those to come. `owner` is the URL
    of the role that owns the tables.
    """
    with psycopg.connect(direct_url(owner), autocommit=True) as connection:
        now = datetime.now(UTC)
        after = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        while after > now - timedelta(days=days + 1):
            month = (after - timedelta(days=1)).replace(day=1)
            for table in ("setting_change", "finding_log"):
                name = f"{table}_{month:y%Ym%m}"
                connection.execute(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM ('{month}') TO ('{after}')")
            after = month


def live_in(session: Session, days: int, *, owner: int, approver: int) -> None:
    """Puts so many days behind the fleet in this database; two people own and approve its waivers."""
    session.execute(text(_AGE_LOG))
    session.execute(text(_CHANGES), {"days": days, "one_in": CHANGED_ONE_IN})
    session.execute(text(_TURNED))
    session.execute(text(_DAYS), {"days": max(days, 1)})
    now: datetime = session.execute(text("SELECT now()")).scalar_one()
    hosts = _waive(session, owner, approver, now) | _attest(session, owner, now)
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
    # A small fleet may have none.
    if rows:
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
    if apart:
        session.execute(insert(Attestation), [{**said, "host_id": each, "group_id": None} for each in apart])
    return met | set(apart)
