"""What lists, facets and the overview count of hosts, kept beside the host rows by triggers (decision 0044).

Revision ID: 0054
Revises: 0053
"""

import sqlalchemy as sa
import sqlmodel
from alembic import op
from sqlalchemy.dialects import postgresql

import plumbline.infra.database

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None
# Processes of the version before may go on while it runs and after it (decision 0043): the triggers keep their writes too.
is_additive = True

WORKERS = "plumbline_executor, plumbline_background"
TEXT, TEXTS = sqlmodel.sql.sqltypes.AutoString(), postgresql.ARRAY(sa.Text())

# What many hosts have in common: a column of `host_combination`, and what it is of a host `h` with its baseline `b`.
COMBINED = {
    "state": "h.state",
    "is_bundle": "h.source = 'bundle'",
    "platform": "h.platform",
    "os_name": "h.os_name",
    "os_release": "h.os_release",
    "families": "h.families",
    "initiator_modes": "h.initiator_modes",
    "tags": "h.tags",
    "mode": "coalesce(h.mode, '')",
    "has_cluster": "h.cluster <> ''",
    "is_evaluated": "h.n_pass + h.n_fail + h.n_unknown + h.n_waived > 0",
    "has_configuration": "h.configuration_id IS NOT NULL",
    "is_restart_pending": "h.is_restart_pending",
    "has_pass": "h.n_pass > 0",
    "has_fail": "h.n_fail > 0",
    "has_unknown": "h.n_unknown > 0",
    "has_waived": "h.n_waived > 0",
    "has_excluded": "h.n_excluded > 0",
    "has_not_applicable": "h.n_not_applicable > 0",
    "has_guard_rail": "h.n_guard_rail > 0",
    "baseline": "CASE WHEN b.compared_configuration_id IS DISTINCT FROM h.configuration_id OR b.differs IS NULL THEN ''"
    " WHEN b.differs > 0 THEN 'differs' WHEN b.unread = 0 THEN 'same' ELSE '' END",
}
OWN = ("group_id", "cluster", "score", "n_pass", "n_fail", "n_unknown", "failing")
NAMES = ", ".join(COMBINED)
OWN_NAMES = ", ".join(OWN)
# The columns of a host from which these are made, but for its times: a heartbeat changes none of them.
MADE_FROM = (
    *OWN, "state", "source", "platform", "os_name", "os_release", "families", "initiator_modes", "tags", "mode", "n_waived", "n_excluded",
    "n_not_applicable", "n_guard_rail", "configuration_id", "is_restart_pending", "interval_seconds",
)  # fmt: skip
DIFFERS = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in MADE_FROM)

# The number of a combination is a digest of its values, so that nobody has to look it up, and no two transactions wait for a new one
# but those that meet the same one at the same time.
VALUES = f"""
CREATE VIEW host_value AS
SELECT host_id, hashtextextended(ROW({NAMES})::text, 0) AS combination_id, {OWN_NAMES}, {NAMES} FROM (
  SELECT h.id AS host_id, {", ".join(f"h.{name}" for name in OWN)}, {", ".join(f"{made} AS {name}" for name, made in COMBINED.items())}
  FROM host h LEFT JOIN host_baseline b ON b.host_id = h.id
) AS made
"""
STORE = f"""
WITH v AS MATERIALIZED (SELECT * FROM host_value WHERE {{which}}), combined AS (
  INSERT INTO host_combination (id, {NAMES}) SELECT DISTINCT ON (combination_id) combination_id, {NAMES} FROM v ORDER BY combination_id
  ON CONFLICT DO NOTHING)
INSERT INTO host_summary AS s (host_id, combination_id, {OWN_NAMES}) SELECT host_id, combination_id, {OWN_NAMES} FROM v ORDER BY host_id
ON CONFLICT (host_id) DO UPDATE SET combination_id = excluded.combination_id, {", ".join(f"{name} = excluded.{name}" for name in OWN)}
"""
# A host that has to check in more often than before, or that counts again, may be late at once.
OF_HOST = f"""
CREATE FUNCTION summarise_host() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  {STORE.format(which="host_id = NEW.id")};
  IF TG_OP = 'UPDATE' AND (NEW.interval_seconds, NEW.source, NEW.state) IS DISTINCT FROM (OLD.interval_seconds, OLD.source, OLD.state) THEN
    UPDATE host_summary SET may_be_late = true WHERE host_id = NEW.id;
  END IF;
  RETURN NULL;
END $$
"""
OF_BASELINE = f"""
CREATE FUNCTION summarise_host_of_baseline() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  {STORE.format(which="host_id = coalesce(NEW.host_id, OLD.host_id)")};
  RETURN NULL;
END $$
"""


def upgrade() -> None:
    op.create_table(
        "host_combination",
        sa.Column("id", sa.BigInteger(), primary_key=True, autoincrement=False),
        *(
            sa.Column(name, TEXTS if name in ("families", "initiator_modes", "tags") else TEXT, nullable=False)
            for name in ("state", "platform", "os_name", "os_release", "families", "initiator_modes", "tags", "mode", "baseline")
        ),
        *(sa.Column(name, sa.Boolean(), nullable=False) for name in COMBINED if name.startswith(("is_", "has_"))),
    )
    op.create_table(
        "host_summary",
        sa.Column("host_id", sa.Text(), sa.ForeignKey("host.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("combination_id", sa.BigInteger(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("cluster", TEXT, nullable=False),
        sa.Column("score", sa.SmallInteger(), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("n_pass", "n_fail", "n_unknown")),
        sa.Column("failing", postgresql.ARRAY(sa.SmallInteger()), nullable=False),
        sa.Column("may_be_late", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        postgresql_with={"fillfactor": 80},
    )
    op.create_index("ix_host_summary_group_id", "host_summary", ["group_id"])
    op.create_index("ix_host_summary_may_be_late", "host_summary", ["host_id"], postgresql_where=sa.text("may_be_late"))
    time = plumbline.infra.database.UtcDateTime(timezone=True)
    op.add_column("installation", sa.Column("late_hosts_noted_at", time, nullable=True))
    op.execute(VALUES)
    op.execute(OF_HOST)
    op.execute(OF_BASELINE)
    op.execute("CREATE TRIGGER summarise_new AFTER INSERT ON host FOR EACH ROW EXECUTE FUNCTION summarise_host()")
    op.execute(
        f"CREATE TRIGGER summarise_changed AFTER UPDATE OF {', '.join(MADE_FROM)} ON host FOR EACH ROW WHEN ({DIFFERS})"
        " EXECUTE FUNCTION summarise_host()"
    )
    op.execute(
        "CREATE TRIGGER summarise_baseline AFTER INSERT OR UPDATE OR DELETE ON host_baseline FOR EACH ROW"
        " EXECUTE FUNCTION summarise_host_of_baseline()"
    )
    op.execute(STORE.format(which="true"))
    op.execute(f"REVOKE ALL ON host_combination, host_summary FROM {WORKERS}")
    op.execute(f"GRANT SELECT ON host_combination, host_summary, host_value TO {WORKERS}")
    op.execute("GRANT UPDATE (may_be_late) ON host_summary TO plumbline_background")
    op.execute("GRANT UPDATE (late_hosts_noted_at) ON installation TO plumbline_background")


def downgrade() -> None:
    for name, table in (("summarise_new", "host"), ("summarise_changed", "host"), ("summarise_baseline", "host_baseline")):
        op.execute(f"DROP TRIGGER {name} ON {table}")
    op.execute("DROP FUNCTION summarise_host, summarise_host_of_baseline")
    op.execute("DROP VIEW host_value")
    op.drop_column("installation", "late_hosts_noted_at")
    op.drop_table("host_summary")
    op.drop_table("host_combination")
