"""A naive check-in endpoint, to compare with: a pydantic body, a JSONB row, one upsert for each finding, one commit for each request.

It interprets and evaluates with the same functions and stores the same findings and score. It has no signature, receipts, order of
check-ins, log of changes or rollups, so Plumbline's own endpoint does more.
"""

from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends
from pydantic import BaseModel
from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.rules.compile import CompiledRules, compile_packs
from plumbline.core.rules.evaluate import evaluate
from plumbline.core.rules.rule import Pack
from plumbline.core.rules.score import score
from plumbline.core.rules.unlisted_kinds import unlisted_kinds
from plumbline.core.rules.weights import Weights, traits_of
from plumbline.infra.database import get_engine
from plumbline.packs.in_force import ActiveRules, read_active

router = APIRouter()
_rules: list[ActiveRules] = []

TABLES = """
CREATE TABLE IF NOT EXISTS naive_check_in (id bigserial PRIMARY KEY, host_id text, at timestamptz, body jsonb);
CREATE TABLE IF NOT EXISTS naive_host (host_id text PRIMARY KEY, last_seen timestamptz, score int);
CREATE TABLE IF NOT EXISTS naive_finding (host_id text, rule text, subject text, outcome text, reason text, observed text, expected text,
  source jsonb, at timestamptz, PRIMARY KEY (host_id, rule, subject));
"""


class SectionModel(BaseModel):
    """The state of one section."""

    status: str
    sha256: str | None = None
    took_ms: int | None = None
    error: str | None = None


class CheckInModel(BaseModel):
    """A check-in with all of its bodies, since the endpoint remembers none."""

    host_id: str
    boot: str
    made_at: datetime
    agent: dict[str, Any]
    sections: dict[str, SectionModel]
    bodies: dict[str, dict[str, Any]]
    counters: dict[str, Any] | None = None


def _session() -> Any:
    with Session(get_engine()) as session:
        yield session


@router.post("/naive")
def check_in(body: CheckInModel, session: Annotated[Session, Depends(_session)]) -> dict[str, Any]:
    """Stores and evaluates one check-in."""
    if not _rules:
        _rules.append(read_active(session))
    now = datetime.now(UTC)
    rules = _rules[0].by_group[1]
    readings = {
        name: SectionReading(
            "ok" if section.status == "ok" else "failed", msgspec.json.encode(body.bodies.get(name, {})), section.error or ""
        )
        for name, section in body.sections.items()
    }
    session.execute(
        text("INSERT INTO naive_check_in (host_id, at, body) VALUES (:host, :at, :body)"),
        {"host": body.host_id, "at": now, "body": body.model_dump_json()},
    )
    configuration = assemble("windows", readings).configuration
    unread = unlisted_kinds("windows", readings)
    for pack in rules.packs:
        for finding in evaluate(pack, configuration, unread=unread):
            session.execute(
                text(
                    "INSERT INTO naive_finding VALUES (:host, :rule, :subject, :outcome, :reason, :observed, :expected, :source, :at)"
                    " ON CONFLICT (host_id, rule, subject) DO UPDATE SET outcome = excluded.outcome, reason = excluded.reason,"
                    " observed = excluded.observed, expected = excluded.expected, source = excluded.source, at = excluded.at"
                ),
                {
                    "host": body.host_id,
                    "rule": f"{finding.pack}/{finding.rule}",
                    "subject": f"{finding.subject.kind}/{finding.subject.id}",
                    "outcome": finding.outcome,
                    "reason": finding.reason,
                    "observed": finding.observed,
                    "expected": finding.expected,
                    "source": msgspec.json.encode(finding.source).decode(),
                    "at": now,
                },
            )
    weights, compiled = _prepared(rules.packs)
    explained = score(compiled.evaluate(configuration, unread=unread), weights, traits_of(configuration))
    session.execute(
        text(
            "INSERT INTO naive_host VALUES (:host, :at, :score) ON CONFLICT (host_id) DO UPDATE SET last_seen = excluded.last_seen,"
            " score = excluded.score"
        ),
        {"host": body.host_id, "at": now, "score": explained.score},
    )
    session.commit()
    return {"host_id": body.host_id, "score": explained.score}


@cache
def _prepared(packs: tuple[Pack, ...]) -> tuple[Weights, CompiledRules]:
    return Weights(packs), compile_packs(packs, "windows")
