"""`POST /agent/v1/enrol`: strict reading, then one transaction."""

import dataclasses
from typing import Annotated, Literal

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from plumbline.checkin import strict_json
from plumbline.checkin.errors import unreadable
from plumbline.checkin.pending import Response
from plumbline.checkin.rate_limit import spread_seconds
from plumbline.hosts.enrol import enrol
from plumbline.infra.database import session_scope
from plumbline.infra.errors import PlumblineError

ENROL_PATH = "/agent/v1/enrol"
MAX_ENROL_BYTES = 16 * 1024

log = structlog.get_logger()


class EnrolRequest(msgspec.Struct, frozen=True):
    """What an installer sends."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    nonce: Annotated[str, msgspec.Meta(min_length=16, max_length=128)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    platform: Literal["windows", "esxi"]
    agent_version: Annotated[str, msgspec.Meta(max_length=64)] = ""


def enrol_answer(wire: bytes, address: str) -> Response:
    """Enrols the host, or responds with the reason why not. Raises `Refused` for a request that cannot be read."""
    strict_json.check(wire, "body")
    try:
        request = msgspec.json.decode(wire, type=EnrolRequest)
    except msgspec.ValidationError as error:
        raise unreadable(str(error), "body") from None
    try:
        with session_scope() as session:
            done = enrol(
                session,
                token=request.token,
                nonce=request.nonce,
                name=request.name,
                platform=request.platform,
                agent_version=request.agent_version,
                address=address,
            )
    except PlumblineError as error:
        return Response(error.status, {"error": error.message, "code": error.code})
    except SQLAlchemyError as error:
        log.warning("enrolment: database unavailable", error=str(error)[:300])
        return Response(503, {"error": "the database is not available"}, spread_seconds())
    return Response(200, dataclasses.asdict(done))
