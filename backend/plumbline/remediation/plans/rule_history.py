"""What was done about a rule: the plans to fix it, how their jobs ended, and whether their hosts pass it now."""

from collections.abc import Sequence

from sqlalchemy import or_, select, text
from sqlmodel import Session, col

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.evaluation.linked_counts import links_of
from plumbline.infra.errors import NotFound
from plumbline.models.hosts import HostGroup
from plumbline.models.plans import Plan
from plumbline.packs.library import read_library
from plumbline.remediation.plans.schemas import RuleRemediation, RuleRemediations
from plumbline.remediation.states import PLAN_WORDS

MOST_PLANS = 20

# The hosts that each plan chose for any of these rules, and their outcomes now; a host that fails one of the rules fails.
_NOW = """
WITH chosen AS (
  SELECT DISTINCT p.id AS plan, e ->> 'host_id' AS host FROM plan p, jsonb_array_elements(p.request -> 'findings') AS e
  WHERE p.id = ANY(:plans) AND (e ->> 'pack') || '/' || (e ->> 'rule') = ANY(:addresses)),
now AS (
  SELECT c.plan, c.host, CASE WHEN bool_or(f.outcome = 'fail') THEN 'fail' WHEN bool_or(f.outcome = 'unknown') THEN 'unknown'
    WHEN bool_or(f.outcome = 'pass') THEN 'pass' ELSE 'not_applicable' END AS outcome
  FROM chosen c LEFT JOIN finding f ON f.host_id = c.host AND f.rule_no = ANY(:numbers) GROUP BY c.plan, c.host)
SELECT n.plan, count(*) AS hosts, count(*) FILTER (WHERE n.outcome = 'fail') AS fail, count(*) FILTER (WHERE n.outcome = 'pass') AS pass_
FROM now n GROUP BY n.plan
"""
_JOBS = "SELECT plan_id, state, count(*) AS jobs FROM job WHERE plan_id = ANY(:plans) AND kind = 'change' GROUP BY 1, 2 ORDER BY 2"


def list_rule_remediations(session: Session, *, actor: Actor, pack: str, rule: str) -> RuleRemediations:
    """Plans in scope about this rule or one linked to it. Four queries. Raises `NotFound` for a rule that no active pack has."""
    library = read_library(session)
    known = library.by_address.get(f"{pack}/{rule}")
    if known is None:
        raise NotFound(f"no active pack has the rule {pack}/{rule}")
    together = next(each for each in links_of(library) if known in each.rules)
    named = [col(Plan.request).contains({"findings": [{"pack": each.pack.id, "rule": each.rule.id}]}) for each in together.rules]
    query = (
        select(col(Plan.id), col(Plan.title), col(Plan.state), col(Plan.author), col(Plan.created_at))
        .join(HostGroup, col(HostGroup.id) == col(Plan.group_id))
        .where(in_scope(actor), or_(*named))
    )
    rows = session.execute(query.order_by(col(Plan.id).desc()).limit(MOST_PLANS + 1)).all()
    shown = rows[:MOST_PLANS]
    plans = [row.id for row in shown]
    now = _outcomes_now(session, plans, [each.rule.address for each in together.rules], together.numbers)
    jobs: dict[int, dict[str, int]] = {}
    for row in session.execute(text(_JOBS), {"plans": plans}):
        jobs.setdefault(row.plan_id, {})[row.state] = row.jobs
    return RuleRemediations(
        items=[
            RuleRemediation(
                plan_id=row.id,
                title=row.title,
                state=row.state,
                state_label=PLAN_WORDS[row.state],
                author=row.author,
                created_at=row.created_at,
                hosts=now[row.id][0],
                fail_now=now[row.id][1],
                pass_now=now[row.id][2],
                jobs=jobs.get(row.id, {}),
            )
            for row in shown
        ],
        has_more=len(rows) > MOST_PLANS,
    )


def _outcomes_now(
    session: Session, plans: Sequence[int], addresses: Sequence[str], numbers: Sequence[int]
) -> dict[int, tuple[int, int, int]]:
    values = {"plans": list(plans), "addresses": list(addresses), "numbers": list(numbers)}
    return {row.plan: (row.hosts, row.fail, row.pass_) for row in session.execute(text(_NOW), values)}
