"""Lab ESXi hosts that are read and changed over their real SSH, and jobs on them made without the planner: what is tried is the engine.

Each job sets three settings of a host to the other of two values, so that a host can be changed for ever and every effect stands in its
journal: the judge.
"""

import io
import json
import sys
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import paramiko
from sqlmodel import Session, text

from plumbline import resources, vault
from plumbline.auth.models import Person
from plumbline.channels import runner
from plumbline.channels.ssh import SshChannel, SshCredential, SshPlace
from plumbline.clock import iso
from plumbline.collection import service
from plumbline.database import session_scope
from plumbline.hosts.documents import read_document
from plumbline.hosts.models import Host
from plumbline.planning.plan import Element, Forecast, HostPlan, Plan, Step, Wave, canonical, digest, document
from plumbline.remediation import keys
from plumbline.remediation.domains import domains_of
from plumbline.remediation.models import Approval, Job, RemediationEndpoint
from plumbline.remediation.models import Plan as PlanRow
from plumbline.remediation.payload import payload_text
from plumbline.remediation.record import move_plan, now_of, tell_job

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost

FOLDER = "/vmfs/volumes/datastore1/plumbline"
# What a job turns over, as the runner writes it: setting -> its two values, and the catalogue's address and words of both.
TURNED = {
    "host//net.lro": (("1", "0"), "host//net.lro", ("enabled", "disabled")),
    "initiator/{hba}/login_timeout_seconds": (("5", "60"), "initiator/{hba}/login_timeout_seconds", ("5", "60")),
    "initiator/{hba}/delayed_ack": (("true", "false"), "initiator/{hba}/delayed_ack", ("enabled", "disabled")),
}
NOTHING = Forecast("none", "", 0, 0)


@dataclass
class FaultHost:
    """One lab host with its server, and its id with us."""

    id: str
    server: EsxiSsh
    # The id of its initiator, as its first check-in names it.
    hba: str = ""

    def learn(self) -> None:
        """Looks up the initiator once the host has been read."""
        with session_scope() as session:
            found = read_document(session, session.get_one(Host, self.id))
        assert found is not None
        self.hba = found.document.configuration.subjects("initiator")[0].id

    def values(self) -> dict[str, str]:
        """What the turned settings read now, by the host's own state: the old value of the journal's newest entry, or the first ones."""
        found = {setting.format(hba=self.hba): values[0] for setting, (values, _, _) in TURNED.items()}
        for row in self.effects():
            found[row["setting"]] = row["new"]
        return found

    def effects(self) -> list[dict[str, Any]]:
        """Everything that the runner changed on this host, by its own journal."""
        rows = self.server.machine.host.read_journal()
        return [row for row in rows if row.get("cause") == "runner" and row.get("effect") == "set"]


def make_fleet(folder: Path, client: httpx.Client, token: str, names: list[str]) -> list[FaultHost]:
    """Starts the hosts, has them read by us, and puts the runner on each."""
    key = paramiko.ECDSAKey.generate()
    written = io.StringIO()
    key.write_private_key(written)
    private = {"private_key": written.getvalue()}
    made = []
    specs = {spec.name: spec for spec in fleet.load()}
    with session_scope() as session:
        reading = vault.put_secret(session, actor="faults", name="reading", purpose="collection", values=private, account="root")
        changing = vault.put_secret(session, actor="faults", name="changing", purpose="remediation", values=private, account="root")
    for name in names:
        machine = EsxiMachine(LabHost(specs[name], folder / name))
        for setting, value in {"initiator.login_timeout_seconds": 5, "initiator.delayed_ack": "enabled", "host.net.lro": "enabled"}.items():
            machine.host.set(setting, value, cause="faults")
        server = EsxiSsh(machine, authorized_key=f"{key.get_name()} {key.get_base64()}")
        server.start()
        with SshChannel(
            SshPlace("127.0.0.1", server.port, (server.public_key,)), SshCredential("root", private_key=private["private_key"])
        ) as channel:
            placed = runner.install(channel, FOLDER)
        enrolled = service.enrol_for_collection(client, token=token, name=name, platform="esxi")
        with session_scope() as session:
            row = service.add_endpoint(
                session, actor="faults", enrolled=enrolled, channel="ssh", address="127.0.0.1", port=server.port, credential_id=reading,
                pins=(server.public_key,),
            )  # fmt: skip
            session.add(
                RemediationEndpoint(
                    host_id=row.host_id,
                    channel="ssh",
                    address="127.0.0.1",
                    port=server.port,
                    credential_id=changing,
                    pins=[server.public_key],
                    runner_folder=FOLDER,
                    runner_sha256=placed.sha256,
                )
            )
            host = session.get_one(Host, row.host_id)
            host.cluster = f"cluster of {name}"
            session.add(host)
            made.append(FaultHost(row.host_id, server))
    return made


def make_people() -> tuple[int, int]:
    """An author and an approver."""
    with session_scope() as session:
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = 1"))
        people = [Person(login=login, display_name=login) for login in ("olga", "anton")]
        session.add_all(people)
        session.flush()
        return people[0].id or 0, people[1].id or 0


def make_job(session: Session, host: FaultHost, people: tuple[int, int]) -> int:
    """A signed plan that turns every setting of a host over, and its job; answers the job's number."""
    now, values = now_of(session), host.values()
    steps = []
    for number, (pattern, (texts, catalogue, words)) in enumerate(TURNED.items(), 1):
        setting = pattern.format(hba=host.hba)
        seen = values[setting]
        target = texts[1 - texts.index(seen)]
        element = Element(
            setting, seen, target, seen, catalogue.format(hba=host.hba), words[texts.index(target)], setting,
            words[texts.index(seen)], words[texts.index(target)],
        )  # fmt: skip
        steps.append(Step(number, f"turn {setting}", (element,), "", (), "", "none", "now", 0, 0, 0, NOTHING, (), (), (), ()))
    part = HostPlan(host.id, "host", "esxi", "", iso(now), "", (), (), tuple(steps), NOTHING)
    plain = document(Plan(1, "turn", (), (part,), (Wave(1, "canary", (host.id,), 0),), 1, (), (), (), NOTHING))
    plan = PlanRow(
        group_id=1, title="turn", author_id=people[0], author=f"person:{people[0]} olga", state="AWAITING_APPROVAL", wave=1,
        not_after=now + timedelta(hours=2), document=canonical(plain).decode(), digest=digest(plain),
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
            "approver": {"id": people[1]},
            "host_groups": {host.id: "1/"},
            "runners": {"esxi": runner.digest("esxi", runner.shipped("esxi"))},
            "not_after": iso(now + timedelta(hours=2)),
        }
    )
    signature, key_id = keys.sign("plan", payload)
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
    move_plan(session, plan, "APPROVED", "approved by the fault run")
    job = Job(
        plan_id=plan.id or 0, host_id=host.id, group_id=1, wave=1, not_after=now + timedelta(hours=2), steps_total=len(steps),
        domains=domains_of(session, session.get_one(Host, host.id)),
    )  # fmt: skip
    session.add(job)
    session.flush()
    tell_job(session, job, "made", "by the fault run")
    session.flush()
    return job.id or 0


def targets_of(session: Session, job_id: int) -> dict[str, str]:
    """What a job was to set: setting -> target."""
    payload = session.execute(
        text("SELECT a.payload FROM approval a JOIN job j ON j.plan_id = a.plan_id WHERE j.id = :id"), {"id": job_id}
    ).scalar_one()
    part = json.loads(payload)["document"]["hosts"][0]
    return {element["setting"]: element["target"] for step in part["steps"] for element in step["elements"]}
