"""Lab hosts that are read and changed over their real wires, and jobs on them made without the planner: what is tried is the engine.

Each job turns settings of a host to the other of two values, so that a host can be changed for ever and every effect stands in its
journal: the judge. ESXi hosts run the real runner; Windows hosts are the lab's model of theirs, and cost a tenth.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from sqlmodel import Session, col, select, text

from plumbline import vault
from plumbline.channels import runner
from plumbline.core.facts.catalogue import TakesEffect
from plumbline.core.planning.plan import Element, Forecast, HostPlan, Plan, Step, Wave, canonical, digest, document
from plumbline.infra import resources
from plumbline.infra.clock import iso
from plumbline.infra.database import now_of, session_scope
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval, PlanState
from plumbline.models.plans import Plan as PlanRow
from plumbline.remediation import signing_keys
from plumbline.remediation.failure_domains import domains_of
from plumbline.remediation.signed_payload import payload_text
from plumbline.remediation.transitions import add_job_event, set_plan_state

sys.path.insert(0, str(resources.AGENTS))

from lab import checkin, fleet
from lab.host import LabHost
from lab.windows import values
from lab.windows.common import mac_of
from lab.windows.scripts import scripts
from lab.windows.servers import client_of, server_of
from lab.windows.wsman import WsManHost

NOTHING = Forecast("none", "", 0, 0)
_SPEC = "sql-03"


@dataclass(frozen=True)
class Turn:
    """A setting with its two values: the host's own texts, and the words in which a check-in shows them."""

    setting: str
    texts: tuple[str, str]
    words: tuple[str, str]
    # The catalogue's address, where it is not the runner's.
    catalogue: str = ""


@dataclass(frozen=True)
class Shape:
    """One step as a job has it: a vector of turned settings, and what guards them."""

    turns: tuple[Turn, ...]
    restart: str = ""
    deadman_s: int = 0
    health_floor: int = 0
    takes_effect: TakesEffect = "now"


@dataclass
class FaultHost:
    """One lab host with its server, and its id with us."""

    id: str
    lab: LabHost
    platform: str
    shapes: tuple[Shape, ...]
    stop: Callable[[], None]
    read: Callable[[str], str]
    runner_hash: str
    endpoint: Any = None

    def values(self) -> dict[str, str]:
        """What the turned settings read now, by the host's own state."""
        return {turn.setting: self.read(turn.setting) for shape in self.shapes for turn in shape.turns}

    def effects(self) -> list[dict[str, Any]]:
        """Everything that the runner changed on this host, by its own journal; restarts apart."""
        return [row for row in self.lab.read_journal() if row.get("cause") == "runner" and row.get("effect") == "set"]

    def refused_as_stale(self) -> int:
        """Commands that the host refused because it had seen a higher number."""
        return sum(row.get("effect") == "refused" and row.get("reason") == "fenced" for row in self.lab.read_journal())

    def fault(self, name: str, value: float) -> None:
        """Sets what goes wrong on this host from now on."""
        self.lab.set(f"fault.{name}", value, cause="faults")


_ON = ("Enabled", "Disabled")
_WORDS = ("enabled", "disabled")


def windows_shapes(lab: LabHost) -> tuple[Shape, ...]:
    """Five steps of one setting each that restart nothing."""
    single = [Turn(f"host//tcp.{name}", _ON, _WORDS) for name in ("rss", "rsc", "task_offload")]
    single.append(Turn("host//mpio.policy", ("RR", "LQD"), ("round_robin", "least_queue_depth")))
    adapter = f"adapter/{mac_of(lab, 'SAN1')}/netbios"
    single.append(Turn(adapter, ("2", "1"), ("disabled", "enabled")))
    return tuple(Shape((turn,)) for turn in single)


def cutting_shape(lab: LabHost, *, deadman_s: int, port: str = "SAN1") -> Shape:
    """A step that takes a path: an adapter's property and the restart that it owes, under a dead-man, with the floor before it."""
    mac = mac_of(lab, port)
    turn = Turn(f"adapter/{mac}/rss", ("1", "0"), _WORDS)
    return Shape((turn,), restart=f"adapter/{mac}", deadman_s=deadman_s, health_floor=2, takes_effect="adapter_restart")


def loopback_address(number: int) -> str:
    """A loopback address for each Windows host."""
    return f"127.0.{10 + number // 250}.{number % 250 + 1}"


def make_windows(
    folder: Path,
    client: httpx.Client,
    token: str,
    count: int,
    *,
    prefix: str = "win",
    restart_seconds: float = 0.0,
    address_of: Callable[[int], str] = loopback_address,
) -> list[FaultHost]:
    """Starts Windows hosts of the lab, each on an address of its own, enrols them and has each check in once."""
    spec = next(one for one in fleet.load() if one.name == _SPEC)
    ours, theirs = client_of(folder), server_of(folder)
    secret = {"certificate": ours.certificate.read_text(), "private_key": ours.private_key.read_text()}
    with session_scope() as session:
        credential = vault.put_secret(
            session, vault.NewSecret(name=f"windows {prefix}", purpose="remediation", values=secret, kind="certificate"), actor="faults"
        )
    made = []
    for number in range(1, count + 1):
        name = f"{prefix}-{number:03d}"
        lab = LabHost(replace(spec, name=name, number=number, cluster=f"CL-{name}"), folder / name)
        lab.set("fault.restart_seconds", int(restart_seconds), cause="faults")
        lab.faults()["restart_seconds"] = restart_seconds
        agent = checkin.WindowsClient(lab, client)
        host_id = checkin.enrol(client, lab, token)["host_id"]
        address = address_of(number)
        endpoint = WsManHost(
            lab,
            scripts(lambda _, agent=agent: agent.check_in().status == 200),
            certificate=theirs.certificate,
            private_key=theirs.private_key,
            client_ca=ours.certificate,
            address=address,
        )
        endpoint.start()
        taken = agent.check_in()
        if taken.status != 200:
            raise RuntimeError(f"{name} could not check in: {taken.status} {taken.detail}")
        _reachable(host_id, name, "winrm", address, endpoint.port, credential, theirs.sha256, folder="", sha256="")
        made.append(
            FaultHost(
                host_id, lab, "windows", windows_shapes(lab), endpoint.stop, lambda setting, lab=lab: values.read(lab, setting),  # type: ignore[misc]
                runner.digest("windows", runner.shipped("windows")), endpoint,
            )
        )  # fmt: skip
    return made


def _reachable(
    host_id: str, name: str, channel: str, address: str, port: int, credential: int, pin: str, *, folder: str, sha256: str
) -> None:
    with session_scope() as session:
        session.add(
            RemediationEndpoint(
                host_id=host_id, channel=channel, address=address, port=port, credential_id=credential, pins=[pin],
                runner_folder=folder, runner_sha256=sha256,
            )
        )  # fmt: skip
        host = session.get_one(Host, host_id)
        host.cluster = f"cluster of {name}"
        session.add(host)


def make_people() -> tuple[int, int]:
    """An author and an approver, each with the role for it: a job ends where one of them may no longer do what was done."""
    with session_scope() as session:
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = 1"))
        for login in ("olga", "anton"):
            if session.exec(select(Person).where(col(Person.login) == login)).first() is None:
                session.add(Person(login=login, display_name=login))
        session.flush()
        author, approver = (session.exec(select(Person).where(col(Person.login) == login)).one() for login in ("olga", "anton"))
        for person, role in ((author, "operator"), (approver, "approver")):
            if session.exec(select(RoleGrant).where(col(RoleGrant.person_id) == person.id)).first() is None:
                session.add(RoleGrant(person_id=person.id, role=role, group_id=1))
        return author.id or 0, approver.id or 0


def _step(number: int, shape: Shape, now: Mapping[str, str]) -> Step:
    elements = []
    for turn in shape.turns:
        seen = now[turn.setting]
        at = turn.texts.index(seen)
        elements.append(
            Element(
                turn.setting, seen, turn.texts[1 - at], seen, turn.catalogue or turn.setting, turn.words[1 - at], turn.setting,
                turn.words[at], turn.words[1 - at],
            )
        )  # fmt: skip
    adapters = (shape.restart.partition("/")[2],) if shape.restart else ()
    title = f"turn {', '.join(turn.setting for turn in shape.turns)}"
    return Step(
        number, title, tuple(elements), shape.restart, adapters, "", "path_loss" if shape.deadman_s else "none",
        shape.takes_effect, shape.deadman_s, shape.health_floor, 0, NOTHING, (), (), (), (),
    )  # fmt: skip


def plan_of(
    session: Session,
    host: FaultHost,
    people: tuple[int, int],
    *,
    shapes: Sequence[Shape] | None = None,
    good_for: timedelta = timedelta(hours=2),
    approver: int | None = None,
) -> tuple[PlanRow, str]:
    """A plan that turns a host's settings over, waiting for approval; answers its row and the text that an approval would sign."""
    now = now_of(session)
    chosen = tuple(shapes or host.shapes)
    reads = {turn.setting: host.read(turn.setting) for shape in chosen for turn in shape.turns}
    steps = tuple(_step(number, shape, reads) for number, shape in enumerate(chosen, 1))
    part = HostPlan(host.id, "host", host.platform, "", iso(now), "", (), (), steps, NOTHING)  # type: ignore[arg-type]
    plain = document(Plan(1, "turn", (), (part,), (Wave(1, "canary", (host.id,), 0),), 1, (), (), (), NOTHING))
    plan = PlanRow(
        group_id=1, title="turn", author_id=people[0], author=f"person:{people[0]} olga", state="AWAITING_APPROVAL", wave=1,
        not_after=now + good_for, document=canonical(plain).decode(), digest=digest(plain),
        # Whoever approves it over HTTP is asked for the right where these hosts are.
        request={"findings": [{"host_id": host.id}]},
    )  # fmt: skip
    session.add(plan)
    session.flush()
    payload = payload_text(
        {
            "v": 1,
            "kind": "person",
            "plan_id": plan.id,
            "digest": plan.digest,
            "document": plain,
            "window": None,
            "standing": None,
            "second": None,
            "author": {"id": people[0]},
            "approver": {"id": approver or people[1]},
            "host_groups": {host.id: "1/"},
            "runners": {host.platform: host.runner_hash},
            "not_after": iso(now + good_for),
        }
    )
    return plan, payload


def approve(session: Session, plan: PlanRow, payload: str, people: tuple[int, int]) -> None:
    """Signs a plan as the API does."""
    signature, key_id = signing_keys.sign("plan", payload)
    session.add(
        Approval(
            plan_id=plan.id or 0,
            kind="person",
            payload=payload,
            signature=signature,
            key_id=key_id,
            author_id=people[0],
            approver_id=people[1],
            approver="anton",
        )
    )
    session.flush()
    set_plan_state(session, plan, PlanState.APPROVED, "approved by the fault run")


def job_of(session: Session, host: FaultHost, plan: PlanRow, *, steps: int, good_for: timedelta = timedelta(hours=2)) -> int:
    """The job of a plan, waiting; answers its number."""
    job = Job(
        plan_id=plan.id or 0, host_id=host.id, group_id=1, wave=1, not_after=now_of(session) + good_for, steps_total=steps,
        domains=domains_of(session, session.get_one(Host, host.id)),
    )  # fmt: skip
    session.add(job)
    session.flush()
    add_job_event(session, job, "made", "by the fault run")
    session.flush()
    return job.id or 0


def make_job(
    session: Session,
    host: FaultHost,
    people: tuple[int, int],
    *,
    shapes: Sequence[Shape] | None = None,
    good_for: timedelta = timedelta(hours=2),
) -> int:
    """A signed plan that turns every setting of a host over, and its job; answers the job's number."""
    plan, payload = plan_of(session, host, people, shapes=shapes, good_for=good_for)
    approve(session, plan, payload, people)
    return job_of(session, host, plan, steps=len(shapes or host.shapes), good_for=good_for)
