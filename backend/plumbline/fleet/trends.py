"""Daily figures of every group, from which trends are drawn."""

from sqlmodel import Session

from plumbline.infra.database import sql
from plumbline.models.hosts import COUNTED


def note_day(session: Session) -> int:
    """Stores today's figures of every group with its subgroups, from which trends are drawn. Returns how many groups.

    Days are UTC. Safe to run at any time; the last run of a day counts.
    """
    done = session.execute(
        sql(
            f"""
            INSERT INTO fleet_day (day, group_id, hosts, fresh, scored, score_mean, score_median, rule_coverage, n_pass, n_fail, n_unknown,
                                   n_waived, n_not_applicable)
            SELECT (now() AT TIME ZONE 'UTC')::date, g.id, count(h.id),
                   count(h.id) FILTER (WHERE h.last_seen_at > now() - make_interval(secs => 2 * h.interval_seconds)), count(h.score),
                   avg(h.score), percentile_cont(0.5) WITHIN GROUP (ORDER BY h.score), avg(h.rule_coverage), coalesce(sum(h.n_pass), 0),
                   coalesce(sum(h.n_fail), 0), coalesce(sum(h.n_unknown), 0), coalesce(sum(h.n_waived), 0),
                   coalesce(sum(h.n_not_applicable), 0)
            FROM host_group g
            LEFT JOIN host_group below ON starts_with(below.path, g.path)
            LEFT JOIN host h ON h.group_id = below.id AND h.{COUNTED}
            GROUP BY g.id
            ON CONFLICT (day, group_id) DO UPDATE SET hosts = excluded.hosts, fresh = excluded.fresh, scored = excluded.scored,
              score_mean = excluded.score_mean, score_median = excluded.score_median, rule_coverage = excluded.rule_coverage,
              n_pass = excluded.n_pass, n_fail = excluded.n_fail, n_unknown = excluded.n_unknown, n_waived = excluded.n_waived,
              n_not_applicable = excluded.n_not_applicable
            """  # noqa: S608 (a constant)
        )
    )
    return int(done.rowcount)  # type: ignore[attr-defined]
