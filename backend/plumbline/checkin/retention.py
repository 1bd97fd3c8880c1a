"""Background work on the tables of check-ins: partitions ahead of time, and purging by the retention settings."""

from sqlmodel import Session, text

from plumbline import audit
from plumbline.infra.settings import get_settings

# Spans ahead: months, and days for counters.
_AHEAD = (("check_in", "month", 3), ("setting_change", "month", 3), ("finding_log", "month", 3), ("counter_sample", "day", 7))
# An alias of a body that is no longer current is kept for so many days.
_ALIAS_DAYS = 90


def make_partitions(session: Session) -> int:
    """Makes the partitions of the coming months and days; returns how many were new."""
    made = 0
    for table, step, ahead in _AHEAD:
        values = {"table": table, "step": step, "ahead": ahead}
        made += int(session.execute(text("SELECT make_partitions(:table, :step, :ahead)"), values).scalar_one())
    return made


def purge(session: Session) -> dict[str, int]:
    """Deletes what is older than the settings allow and audits it; returns how much of each. Current bodies and configurations stay."""
    keep = get_settings()
    done: dict[str, int] = {}
    times = {
        "check_in": keep.retention_check_ins_days,
        "setting_change": keep.retention_changes_days,
        "finding_log": keep.retention_changes_days,
        "counter_sample": keep.retention_counters_in_full_days,
    }
    for table, days in times.items():
        dropped = session.execute(
            text("SELECT drop_partitions(:table, clock_timestamp() - make_interval(days => :days))"), {"table": table, "days": days}
        ).scalar_one()
        done[f"{table} partitions"] = len(dropped)
    done["other names of bodies"] = _deleted(
        session,
        """
        DELETE FROM section_body_alias n WHERE n.named_at < clock_timestamp() - make_interval(days => :days)
          AND NOT EXISTS (SELECT 1 FROM host_section s WHERE s.host_id = n.host_id AND s.section = n.section AND s.body_id = n.body_id)
        """,
        _ALIAS_DAYS,
    )
    done["configurations"] = _deleted(
        session,
        """
        DELETE FROM host_configuration c WHERE c.received_at < clock_timestamp() - make_interval(days => :days)
          AND NOT EXISTS (SELECT 1 FROM host h WHERE h.configuration_id = c.id)
          AND NOT EXISTS (SELECT 1 FROM benchmark_run r WHERE r.configuration_id = c.id)
          AND NOT EXISTS (SELECT 1 FROM host_baseline b WHERE b.host_id = c.host_id AND b.configuration_id = c.id)
          AND NOT EXISTS (
            SELECT 1 FROM baseline_host p JOIN baseline b ON b.id = p.baseline_id
            WHERE p.host_id = c.host_id AND p.configuration_id = c.id AND b.state = 'proposed')
        """,
        keep.retention_bodies_days,
    )
    done["section bodies"] = _deleted(
        session,
        """
        DELETE FROM section_body b WHERE b.stored_at < clock_timestamp() - make_interval(days => :days)
          AND NOT EXISTS (SELECT 1 FROM host_section s WHERE s.body_id = b.id)
          AND NOT EXISTS (
            SELECT 1 FROM host_configuration c WHERE c.host_id = b.host_id AND c.sections ->> b.section = encode(b.sha256, 'hex'))
        """,
        keep.retention_bodies_days,
    )
    done["days of counters"] = _deleted(
        session,
        "DELETE FROM counter_day WHERE day < (clock_timestamp() AT TIME ZONE 'UTC')::date - CAST(:days AS int)",
        keep.retention_counters_days,
    )
    done["times without check-ins"] = _deleted(
        session,
        "DELETE FROM check_in_gap WHERE ended_at < clock_timestamp() - make_interval(days => :days)",
        keep.retention_changes_days,
    )
    if any(done.values()):
        audit.record(session, actor=audit.SYSTEM, action="retention.purged", about=audit.Object("retention"), after=done)
    return done


def _deleted(session: Session, statement: str, days: int) -> int:
    return int(session.execute(text(statement), {"days": days}).rowcount)  # type: ignore[attr-defined]
