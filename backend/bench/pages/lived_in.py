"""A stored fleet as one finds it after some months (`plumbline.ops.generated_fleet`); and the same fleet ten times over.

More hosts are copies of the first, made by SQL: each with its own name, configuration, findings and waivers, in groups and clusters of its
own, so that everything a page reads has the size of that fleet. The rollups are counted with them.

Of 100 hosts, 98 checked in within their interval, one is late and one silent, and no other becomes late while pages are measured.
"""

from sqlmodel import Session, text

from bench.rules.__main__ import SEED
from plumbline.auth import sessions
from plumbline.checkin.gaps import record_gaps
from plumbline.evaluation.rollups import fold_rollups
from plumbline.hosts.kept_counts import fold_counts
from plumbline.hosts.name_search import name_grams
from plumbline.infra.database import get_engine, session_scope
from plumbline.models.auth import Person, RoleGrant
from plumbline.ops.generated_fleet.hosts import reevaluate_all, store
from plumbline.ops.generated_fleet.past import live_in

DAYS = 30


def lived_in_fleet(hosts: int) -> str:
    """Stores and evaluates a fleet that people have worked with; answers the cookie of somebody who reads everything."""
    store(hosts, SEED)
    print(f"{reevaluate_all():,} hosts stored and evaluated", flush=True)
    with session_scope() as session:
        owner, approver = Person(login="owner", display_name="Owner"), Person(login="approver", display_name="Approver")
        session.add_all([owner, approver])
        session.flush()
        live_in(session, DAYS, owner=owner.id or 0, approver=approver.id or 0)
        session.execute(text(_SEEN))
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


# A generated fleet checks in every 90 days, so that none of it is ever late. With an hour, some are, and what is fresh stays so meanwhile.
_SEEN = """
UPDATE host SET interval_seconds = 3600, last_seen_at = now() - CASE abs(hashtext(id)) % 100
  WHEN 0 THEN interval '150 minutes' WHEN 1 THEN interval '2 days' ELSE random() * interval '50 minutes' END
"""
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
_CHANGED_IN_WAIVER = {"host_id": _ID.format("t.host_id"), "group_id": "NULL"}
# A waiver of this fleet is about one host, and each host has no more than one.
_WAIVED = "(SELECT w.id FROM waiver w WHERE t.waiver_id IS NOT NULL AND w.host_id = {})".format(_ID.format("t.host_id"))
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
        while fold_rollups(session) or fold_counts(session):
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
    columns = [each for each in _columns(session, "waiver") if each != "id"]
    picked = ", ".join(_CHANGED_IN_WAIVER.get(each, f"t.{each}") for each in columns)
    session.execute(text(f"INSERT INTO waiver ({', '.join(columns)}) SELECT {picked} FROM waiver t WHERE t.host_id LIKE '0000%'"), values)
    of_host = {"host_id": _ID.format("t.host_id"), "waiver_id": _WAIVED}
    for table in _OF_HOST:
        columns = [each for each in _columns(session, table) if each != "id"]
        picked = ", ".join(of_host.get(each, f"t.{each}") for each in columns)
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
        record_gaps(session)
        while fold_rollups(session) or fold_counts(session):
            pass
    with get_engine().connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))
