"""What a check-in means: which sections are new, which bodies are wanted, and, where a body changed, what the host is now configured like.

Made once before the queue from memory, and once more under the lock where memory turned out to be stale; both times by this code.
"""

from typing import Any

import psycopg

from plumbline.checkin import statements as sql
from plumbline.checkin.arrival import Arrival, Decision, NewBody
from plumbline.checkin.bodies import Store
from plumbline.checkin.envelope import MAX_ERROR_CHARACTERS
from plumbline.checkin.refusals import Refused
from plumbline.checkin.state import HostState, SectionState

# Known by content alone: nothing of the host is in it, and a driver's catalogue is the same on every host.
SHARED_SECTIONS = frozenset({"property_catalogue"})


class Deciding:
    """Decides. Holds what is needed for it: the store of bodies."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def decide(self, connection: "psycopg.AsyncConnection[Any]", arrival: Arrival, host: HostState) -> Decision:
        """The decision on a check-in that is new in its host's order. Raises `Refused` (409 with `want`) where bodies are not known."""
        decision = Decision(basis=host.basis)
        unknown: dict[str, bytes] = {}
        claimed = arrival.body.envelope.sections
        for name, facts in claimed.items():
            error = (facts.error if isinstance(facts.error, str) else "")[:MAX_ERROR_CHARACTERS]
            before = host.sections.get(name)
            if facts.status != "ok" or not isinstance(facts.sha256, str):
                if before is None or before.status != facts.status or before.error != error:
                    decision.sections[name] = SectionState(facts.status, error)
                continue
            digest = bytes.fromhex(facts.sha256)
            if before is not None and before.is_named(digest):
                continue
            decision.sections[name] = SectionState("ok", error, digest)
            unknown[name] = digest
        for name, before in host.sections.items():
            if name not in claimed and before.status != "failed":
                decision.sections[name] = SectionState("failed", "the agent did not list it")
        if unknown:
            await self._find(connection, arrival, decision, unknown)
        return decision

    async def _find(
        self, connection: "psycopg.AsyncConnection[Any]", arrival: Arrival, decision: Decision, unknown: dict[str, bytes]
    ) -> None:
        """Fills in the stored bodies of changed sections, and lists those to be stored. Raises `Refused` (409) for those nobody has."""
        host_id = arrival.claim.host_id
        names = list(unknown)
        owners = ["" if name in SHARED_SECTIONS else host_id for name in names]
        digests = list(unknown.values())
        async with connection.pipeline():
            stored = await connection.execute(sql.FIND_BODIES, (owners, names, digests))
            named = await connection.execute(sql.FIND_NAMED, (names, digests, host_id))
        found = {(section, bytes(sha256)): body_id for _, section, sha256, body_id in await stored.fetchall()}
        for section, sha256, body_id in await named.fetchall():
            found.setdefault((section, bytes(sha256)), body_id)
        want: list[str] = []
        for name, owner, digest in zip(names, owners, digests, strict=True):
            body_id = found.get((name, digest))
            if body_id is not None:
                decision.sections[name].body_id = body_id
            elif name in arrival.body.bodies:
                decision.bodies.append(NewBody(name, owner, digest, arrival.body.bodies[name]))
            else:
                want.append(name)
        if want:
            raise Refused(409, "some bodies are not known", want=sorted(want))
