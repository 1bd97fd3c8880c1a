"""Lab hosts that are changed while machines fail: plans are approved over HTTP through the proxies, and the hosts' journals decide."""

import contextlib
import time
from collections.abc import Sequence
from datetime import timedelta

import httpx
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import text

from faults.fleet import FaultHost, plan_of
from faults.rig import OPEN, FaultResult
from plumbline.infra.database import session_scope

# From the end of the last fault until no job is open.
LONGEST_SECONDS = 180.0


class Work:
    """Jobs on lab hosts. `client` is the approver, signed in through the proxies."""

    def __init__(self, fleet: Sequence[FaultHost], people: tuple[int, int], client: httpx.Client) -> None:
        self.fleet, self.people, self._client = fleet, people, client
        self.approved = 0

    def keep_busy(self) -> None:
        """A plan and its approval for every host without an open job. What fails is tried again in the next round."""
        with contextlib.suppress(SQLAlchemyError, httpx.HTTPError):
            with session_scope() as session:
                session.execute(text("UPDATE web_session SET authenticated_at = clock_timestamp()"))
                busy = {row[0] for row in session.execute(text(f"SELECT host_id FROM job WHERE state IN {(*OPEN, 'NEEDS_HUMAN')}"))}
            for host in self.fleet:
                if host.id in busy:
                    continue
                with session_scope() as session:
                    plan, _ = plan_of(session, host, self.people, good_for=timedelta(hours=1))
                    session.add(plan)
                    plan_id = plan.id
                answer = self._client.post(f"/api/v1/plans/{plan_id}/approve", json={"password": ""})
                self.approved += answer.status_code == 200

    def last_job(self) -> int:
        """The newest job's number."""
        with session_scope() as session:
            return int(session.execute(text("SELECT coalesce(max(id), 0) FROM job")).scalar_one())

    def settle(self, result: FaultResult) -> None:
        """Waits until no job is open; nobody does anything about any of them."""
        began = time.monotonic()
        left: list[str] = ["the database does not answer"]
        while left and time.monotonic() - began < LONGEST_SECONDS:
            with contextlib.suppress(SQLAlchemyError), session_scope() as session:
                rows = session.execute(text(f"SELECT id, state, state_words FROM job WHERE state IN {OPEN} ORDER BY id"))
                left = [f"job {row[0]} is still {row[1]}: {row[2]}" for row in rows]
            time.sleep(0.5)
        result.settled_seconds = max(result.settled_seconds, time.monotonic() - began)
        result.wrong += left
