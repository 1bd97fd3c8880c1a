"""Routes of the System health page: every part of the installation, and the support file."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Response

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May, SessionDep
from plumbline.infra.schemas import Schema
from plumbline.ops.support_file import support_file
from plumbline.ops.system_health import read_system_health

router = APIRouter()

Admin = Annotated[Actor, May("health.inspect")]
HealthLevel = Literal["ok", "warning", "failed", "unknown"]


class HealthFact(Schema):
    """A figure with its name."""

    label: str
    value: str


class HealthPart(Schema):
    """One part of the installation, in one sentence and figures."""

    name: str
    level: HealthLevel
    words: str
    facts: list[HealthFact]


class AgentVersions(Schema):
    """How many hosts have this version of the agent. `source`: their own agent, or Plumbline's collector."""

    platform: str
    source: str
    version: str
    hosts: int


class SystemHealthOut(Schema):
    """Every part, the worst first."""

    at: datetime
    version: str
    level: HealthLevel
    parts: list[HealthPart]
    agents: list[AgentVersions]


@router.get("/system-health")
def read_health_of_system(session: SessionDep, _: Admin) -> SystemHealthOut:
    """Workers, queue, database, broker, disk, hosts, backup, and the versions of agents."""
    health = read_system_health(session)
    return SystemHealthOut(
        at=health.at,
        version=health.version,
        level=health.level,
        parts=[
            HealthPart(
                name=part.name,
                level=part.level,
                words=part.words,
                facts=[HealthFact(label=label, value=value) for label, value in part.facts],
            )
            for part in health.parts
        ],
        agents=[AgentVersions(**row) for row in health.agents],
    )


@router.get(
    "/system-health/support-file",
    response_class=Response,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
def download_support_file(session: SessionDep, actor: Admin) -> Response:
    """A zip for whoever helps: health, checks, settings, versions and logs, without secrets. Each download is audited."""
    name, content = support_file(session)
    audit.record(session, actor=actor.audit_name, action="installation.support_file_made", about=audit.Object("installation"))
    return Response(content, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'})
