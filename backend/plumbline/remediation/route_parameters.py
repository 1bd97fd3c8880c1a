"""Parameters that several routes of remediation share."""

from typing import Annotated

from fastapi import Query

from plumbline.auth.actor import Actor
from plumbline.auth.dependencies import May
from plumbline.infra.schemas import RowId

Limit = Annotated[int, Query(ge=1, le=200)]
Before = Annotated[RowId | None, Query(description="the number that the page before ended with")]
States = Annotated[list[str], Query(max_length=20)]
Reader = Annotated[Actor, May("job.read")]
Canceller = Annotated[Actor, May("job.cancel")]
