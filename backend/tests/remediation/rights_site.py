"""What `test_rights_model` moves about: hosts, groups and people in the database, and beside them the small model of who may what."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlmodel import Session, text

from plumbline.auth.rights_now import actor_now
from plumbline.core.planning.plan import Forecast, HostPlan, Wave, canonical, digest, document
from plumbline.core.planning.plan import Plan as Planned
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotAllowed, NotFound, NotSignedIn
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.jobs import Job
from plumbline.models.plans import Plan

NOTHING = Forecast("none", "", 0, 0)
HOST, OTHER = "a" * 32, "b" * 32
ROLES = ("operator", "approver", "admin")
PEOPLE = range(4)
GROUPS = range(5)
REFUSED = (NotAllowed, NotFound, Conflict, NotSignedIn)


@dataclass
class Model:
    """What decides: the tree (index 0 is the root), the places of the hosts, the grants, and who is disabled."""

    parent: dict[int, int | None] = field(default_factory=lambda: {0: None, 1: 0, 2: 0, 3: 1, 4: 2})
    place: dict[str, int] = field(default_factory=lambda: {HOST: 3, OTHER: 3})
    grants: set[tuple[int, str, int]] = field(default_factory=lambda: {(0, "operator", 1), (1, "approver", 1), (2, "admin", 1)})
    disabled: set[int] = field(default_factory=set)

    def above(self, group: int) -> list[int]:
        found: list[int] = []
        here: int | None = group
        while here is not None:
            found.append(here)
            here = self.parent[here]
        return found

    def has(self, person: int, role: str, hosts: Sequence[str] = (HOST,)) -> bool:
        """The person has the role where each of the hosts is."""
        return all(self.has_in(person, role, self.place[host]) for host in hosts)

    def has_in(self, person: int, role: str, group: int) -> bool:
        """The person has the role in this group."""
        return person not in self.disabled and any((person, role, each) in self.grants for each in self.above(group))


@dataclass
class Standing:
    """A standing approval: who signed it for which group."""

    id: int
    signer: int
    group: int
    is_withdrawn: bool = False


class Site:
    """The same in the database, with the ids that it gave."""

    def __init__(self, session: Session) -> None:
        self.session, self.model = session, Model()
        self.groups, self.people = {0: 1}, {}
        for number in GROUPS[1:]:
            row = HostGroup(parent_id=self.groups[self.model.parent[number] or 0], name=f"g{number}", path=f"x{secrets.token_hex(4)}")
            session.add(row)
            session.flush()
            self.groups[number] = row.id or 0
        for number in PEOPLE:
            person = Person(login=f"p{number}")
            session.add(person)
            session.flush()
            self.people[number] = person.id or 0
        for host, place in self.model.place.items():
            session.add(Host(id=host, name=f"h{host[:1]}", platform="esxi", group_id=self.groups[place], state="active", mode=None))
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = 1"))
        self.write()
        self.jobs: list[Job] = []
        self.plans: list[Plan] = []
        self.tokens: list[tuple[str, int, int]] = []
        # What the newest job rests on: (person, role), and the standing approval that it runs under.
        self.rests_on: list[tuple[int, str]] = []
        self.under: Standing | None = None
        self.standings: list[Standing] = []
        # Plan -> the admin who asked to break the glass for it.
        self.asked_to_break: dict[int, int] = {}

    def write(self) -> None:
        """Brings the database to the state of the model."""
        self.session.flush()
        for number, row_id in self.groups.items():
            above = [self.groups[each] for each in reversed(self.model.above(number))]
            self.session.execute(
                text("UPDATE host_group SET path = :path, parent_id = :parent WHERE id = :id"),
                {"path": "/".join(map(str, above)) + "/", "parent": above[-2] if len(above) > 1 else None, "id": row_id},
            )
        for host, place in self.model.place.items():
            self.session.execute(text("UPDATE host SET group_id = :group WHERE id = :id"), {"group": self.groups[place], "id": host})
        self.session.execute(text("DELETE FROM role_grant"))
        for person, role, group in self.model.grants:
            self.session.add(RoleGrant(person_id=self.people[person], role=role, group_id=self.groups[group]))
        for person, row_id in self.people.items():
            self.session.execute(
                text("UPDATE person SET is_disabled = :is WHERE id = :id"), {"is": person in self.model.disabled, "id": row_id}
            )
        self.session.flush()
        self.session.expire_all()

    def actor(self, person: int) -> Any:
        return actor_now(self.session, self.people[person])

    def number(self, row_id: int | None) -> int:
        """The person with this id."""
        return next(number for number, each in self.people.items() if each == row_id)

    def began(self, plan: Plan, rests_on: list[tuple[int, str]], under: Standing | None = None) -> None:
        """A job of this plan runs from now on."""
        until = now_of(self.session) + timedelta(hours=1)
        self.jobs.append(Job(plan_id=plan.id or 0, host_id=HOST, group_id=plan.group_id, state="RUNNING", not_after=until))
        self.rests_on, self.under = rests_on, under

    def plan(self, author: int, hosts: Sequence[str], state: str = "AWAITING_APPROVAL") -> Plan:
        """A plan of these hosts in this state, as if it had been drafted where the first of them is now."""
        parts = tuple(HostPlan(host, "h", "esxi", "8.0", "", "", (), (), (), NOTHING) for host in hosts)
        plain = document(Planned(1, "t", (), parts, (Wave(1, "canary", tuple(hosts), 0),), 1, (), (), (), NOTHING))
        plan = Plan(
            group_id=self.groups[self.model.place[hosts[0]]], title="t",
            author_id=self.people[author], author=f"person:{self.people[author]} x",
            state=state, wave=1, request={"findings": [{"host_id": host} for host in hosts]},
            not_after=now_of(self.session) + timedelta(hours=1),
            document=canonical(plain).decode(), digest=digest(plain),
        )  # fmt: skip
        self.session.add(plan)
        self.session.flush()
        return plan


def attempt(session: Session, act: Any) -> bool:
    """Whether the act is allowed; what a refused one wrote is taken back."""
    kept = session.begin_nested()
    try:
        act()
    except REFUSED:
        kept.rollback()
        session.expire_all()
        return False
    kept.commit()
    return True
