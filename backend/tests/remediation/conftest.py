"""A stage for remediation: a served API, lab hosts that are read and changed over real SSH, people, and the engine."""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select, text

from plumbline import vault
from plumbline.auth.actor import Actor, Grant, Role
from plumbline.channels import runner
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.collection.collect import collect
from plumbline.infra import resources
from plumbline.infra.database import get_engine, session_scope
from plumbline.infra.settings import get_settings
from plumbline.models.auth import Person, RoleGrant
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import HostGroup
from plumbline.models.jobs import Job, JobEvent, JobStep
from plumbline.models.plans import Plan
from plumbline.ops import embedded_servers as servers
from plumbline.packs.files.load import load_folder
from plumbline.packs.publish import PackChoice, activate, install_builtin, publish
from plumbline.remediation.jobs import reconcile
from plumbline.remediation.jobs.run import run
from plumbline.remediation.plans import approve, build, draft
from plumbline.remediation.plans.schemas import FindingChoice, PlanCreate, PlanOptions
from plumbline.remediation.states import JOB_FINAL
from plumbline.remediation.timings import job_timings
from tests.channels.conftest import client_certificate, esxi, key, server_certificate, spec_of, windows
from tests.checkin.conftest import serve, served, token
from tests.collection.conftest import Collecting, collecting
from tests.conftest import pointed_at
from tests.superseded import activate_superseded

sys.path.insert(0, str(resources.AGENTS))

from lab import checkin
from lab.esxi.agent import PROGRAM
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost
from lab.windows.scripts import scripts
from lab.windows.wsman import WsManHost

__all__ = ["client_certificate", "collecting", "esxi", "key", "serve", "served", "server_certificate", "token", "windows"]

FOLDER = "/vmfs/volumes/datastore1/plumbline"


def make_person(login: str, role: Role, group_id: int = 1) -> Actor:
    """Somebody with one role on a group."""
    with session_scope() as session:
        person = Person(login=login, display_name=login.title())
        session.add(person)
        session.flush()
        assert person.id is not None
        session.add(RoleGrant(person_id=person.id, role=role, group_id=group_id))
        group = session.get_one(HostGroup, group_id)
        return Actor(person.id, login, grants=(Grant(role, group_id, group.path, group.name),))


@dataclass
class Stage:
    """Hosts, people and the engine, joined."""

    collecting: Collecting
    operator: Actor
    approver: Actor
    folder: Path
    cluster: servers.PostgresCluster
    servers: dict[str, EsxiSsh] = field(default_factory=dict)
    endpoints: dict[str, WsManHost] = field(default_factory=dict)

    def add_esxi(self, server: EsxiSsh) -> str:
        """A lab ESXi host that is read by us and has a runner; its first check-in is judged."""
        credential = self.collecting.ssh_credential()
        host_id = self.collecting.add_ssh(server, credential)
        self.servers[host_id] = server
        place = SshTarget("127.0.0.1", server.port, (server.public_key,))
        with SshChannel(place, SshCredential("root", private_key=self._key())) as channel:
            placed = runner.install(channel, FOLDER)
        self._reach_over_ssh(host_id, server, FOLDER, placed.sha256)
        done = collect(host_id)
        assert done is not None
        assert done.receipt, done.error
        return host_id

    def _key(self) -> str:
        written = io.StringIO()
        self.collecting.key.write_private_key(written)
        return written.getvalue()

    def _reach_over_ssh(self, host_id: str, server: EsxiSsh, folder: str, sha256: str) -> None:
        with session_scope() as session:
            changes = vault.put_secret(
                session,
                vault.NewSecret(name="changes", purpose="remediation", values={"private_key": self._key()}, account="root"),
                actor="test",
            )
            session.add(
                RemediationEndpoint(
                    host_id=host_id,
                    channel="ssh",
                    address="127.0.0.1",
                    port=server.port,
                    credential_id=changes,
                    pins=[server.public_key],
                    runner_folder=folder,
                    runner_sha256=sha256,
                )
            )

    def add_esxi_with_agent(self, server: EsxiSsh) -> str:
        """A lab ESXi host whose own agent checks in, started by its crontab, with a runner in another folder."""
        machine = server.machine
        machine.install_runner()
        enrolled = machine.enrol(self.collecting.served.url, self.collecting.token)
        assert enrolled.exit == 0, enrolled.output
        assert machine.check_in().exit == 0
        agent = machine.program / "host_agent.py"
        (machine.program / "agent").mkdir()
        agent = agent.rename(machine.program / "agent" / "host_agent.py")
        crontab = machine.folder / "root" / "var" / "spool" / "cron" / "crontabs" / "root"
        crontab.parent.mkdir(parents=True)
        crontab.write_text(f"7 * * * * sleep 3; /bin/python {agent} --state {machine.state} >/dev/null 2>&1\n")
        with session_scope() as session:
            name = machine.host.spec.name
            host_id = str(session.execute(text("SELECT id FROM host WHERE name = :name"), {"name": name}).scalar_one())
        self.servers[host_id] = server
        self._reach_over_ssh(host_id, server, f"/{PROGRAM}", runner.shipped_runner("esxi").sha256)
        return host_id

    def add_windows(self, name: str, **settings: Any) -> str:
        """A lab Windows host whose own agent checks in, with its runner behind real WS-Management; its first check-in is judged."""
        host = LabHost(spec_of(name), self.folder / name)
        host.faults()["restart_seconds"] = 0.3
        for setting, value in settings.items():
            host.set(setting.replace("__", "."), value, cause="test")
        host_id: str = checkin.enrol(self.collecting.served.client, host, self.collecting.token)["host_id"]
        agent = checkin.WindowsClient(host, self.collecting.served.client)
        endpoint = WsManHost(
            host,
            scripts(lambda _: agent.check_in().status == 200),
            certificate=self.collecting.server_certificate.certificate_file,
            private_key=self.collecting.server_certificate.key_file,
            client_ca=self.collecting.client_certificate.certificate_file,
        )
        endpoint.start()
        self.endpoints[host_id] = endpoint
        values = {
            "certificate": self.collecting.client_certificate.certificate,
            "private_key": self.collecting.client_certificate.private_key,
        }
        with session_scope() as session:
            changes = vault.put_secret(
                session, vault.NewSecret(name=f"changes {name}", purpose="remediation", values=values, kind="certificate"), actor="test"
            )
            session.add(
                RemediationEndpoint(
                    host_id=host_id,
                    channel="winrm",
                    address="127.0.0.1",
                    port=endpoint.port,
                    credential_id=changes,
                    pins=[self.collecting.server_certificate.sha256],
                )
            )
        assert agent.check_in().status == 200
        return host_id

    def check_in(self, host_id: str) -> None:
        """The Windows host checks in by itself."""
        host = self.lab_host(host_id)
        assert checkin.WindowsClient(host, self.collecting.served.client).check_in().status == 200

    def lab_host(self, host_id: str) -> LabHost:
        """The host in the lab, whatever its platform."""
        return self.endpoints[host_id].host if host_id in self.endpoints else self.servers[host_id].machine.host

    def publish_site(self) -> None:
        """Puts the site's own pack in force beside the built-in ones: what only a site decides (`site-storage/`)."""
        with session_scope() as session:
            (loaded,) = load_folder(Path(__file__).parent / "site-storage", others=load_folder(resources.RULESETS))
            version = publish(session, loaded)
            assert version is not None
            activate(session, group_id=1, pack=version.pack, choice=PackChoice(version.id))

    def failing(self, host_id: str, *, rule: str = "") -> list[FindingChoice]:
        """The host's failing findings, or those of one rule."""
        with session_scope() as session:
            rows = session.execute(
                text(
                    "SELECT r.pack, r.rule, f.subject_kind, f.subject_id FROM finding f JOIN rule_number r ON r.no = f.rule_no"
                    " WHERE f.host_id = :host AND f.outcome = 'fail' AND (:rule = '' OR r.pack || '/' || r.rule = :rule)"
                    " ORDER BY 1, 2, 3, 4"
                ),
                {"host": host_id, "rule": rule},
            )
            return [FindingChoice(host_id=host_id, pack=p, rule=r, subject_kind=k, subject_id=s) for p, r, k, s in rows]

    @contextmanager
    def acting_as(self, role: str) -> Iterator[None]:
        """This process as one of the three roles of the database, for what only a worker of that kind does."""
        url = get_settings().database_url.get_secret_value()
        get_engine().dispose()
        with pointed_at(self.cluster, url.partition("@/")[2].partition("?")[0], role=role):
            yield

    def planned(self, findings: list[FindingChoice], **options: Any) -> int:
        """A plan for these findings, planned; answers its number."""
        with session_scope() as session:
            asked = PlanCreate(findings=findings, reason="because the evidence says so", options=PlanOptions(**options))
            plan = draft.draft_plan(session, actor=self.operator, request=asked)
            plan_id = plan.id or 0
        with self.acting_as("plumbline_background"):
            build.build(plan_id)
        return plan_id

    def approved(self, plan_id: int) -> list[int]:
        """Submits a plan and approves it; answers its jobs' numbers."""
        with session_scope() as session:
            draft.submit_plan(session, actor=self.operator, plan_id=plan_id, reason=None)
        with session_scope() as session:
            approve.approve_plan(session, actor=self.approver, plan_id=plan_id)
        with session_scope() as session:
            return list(session.execute(text("SELECT id FROM job WHERE plan_id = :plan ORDER BY id"), {"plan": plan_id}).scalars())

    def drive(self, *job_ids: int, rounds: int = 30) -> None:
        """Sweeps and runs until these jobs have ended, as beat and a worker would."""
        for _ in range(rounds):
            reconcile.reconcile_once()
            for job_id in job_ids:
                job = self.job(job_id)
                if job.state not in JOB_FINAL:
                    run(job_id, worker="test", queue=job.queue)
            if all(self.job(job_id).state in (*JOB_FINAL, "NEEDS_HUMAN") for job_id in job_ids):
                reconcile.reconcile_once()
                return
        raise AssertionError([(self.job(each).state, self.job(each).state_words, self.events(each)[-5:]) for each in job_ids])

    def drive_once(self, job_id: int) -> None:
        """One sweep, and one message for a job."""
        reconcile.reconcile_once()
        run(job_id, worker="test", queue=self.job(job_id).queue)

    def let_time_pass(self, host_id: str, minutes: int = 10) -> None:
        """The counters that a host has sent so far are this old."""
        with session_scope() as session:
            session.execute(
                text(
                    "UPDATE counter_sample SET at = at - make_interval(mins => :minutes), uptime_seconds = uptime_seconds - 60 * :minutes"
                    " WHERE host_id = :host"
                ),
                {"minutes": minutes, "host": host_id},
            )

    def job(self, job_id: int) -> Job:
        with session_scope() as session:
            return session.get_one(Job, job_id)

    def plan(self, plan_id: int) -> Plan:
        with session_scope() as session:
            return session.get_one(Plan, plan_id)

    def steps(self, job_id: int) -> list[JobStep]:
        with session_scope() as session:
            return list(session.exec(select(JobStep).where(JobStep.job_id == job_id).order_by(JobStep.step_no)))  # type: ignore[arg-type]

    def events(self, job_id: int) -> list[tuple[str, str, str]]:
        with session_scope() as session:
            rows = session.exec(select(JobEvent).where(JobEvent.job_id == job_id).order_by(JobEvent.number))  # type: ignore[arg-type]
            return [(row.kind, row.state, row.words) for row in rows]

    def writes(self, host_id: str) -> list[dict[str, Any]]:
        """What the runner wrote on the host, by the host's own journal."""
        return [row for row in self.lab_host(host_id).read_journal() if row["cause"] == "runner"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The engine waits for tenths of seconds where it waits for seconds."""
    for name, value in {"POLL": "0.1", "BACK_OFF": "0.4", "RETRY": "0", "VERIFY_AGAIN": "0.1", "SETTLE": "5", "ENQUEUE_AGAIN": "0"}.items():
        monkeypatch.setenv(f"PLUMBLINE_JOB_{name}_SECONDS", value)
    job_timings.cache_clear()
    yield
    job_timings.cache_clear()


@pytest.fixture
def stage(
    collecting: Collecting, quick: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cluster: servers.PostgresCluster
) -> Iterator[Stage]:
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", collecting.served.url)
    monkeypatch.setenv("PLUMBLINE_HOME", str(tmp_path))
    get_settings.cache_clear()
    with session_scope() as session:
        install_builtin(session)
        activate_superseded(session)
        session.execute(text("UPDATE host_group SET mode = 'remediate' WHERE id = 1"))
    made = Stage(collecting, make_person("olga", "operator"), make_person("anton", "approver"), tmp_path, cluster)
    yield made
    for endpoint in made.endpoints.values():
        endpoint.stop()
    get_settings.cache_clear()


@pytest.fixture
def esxi_host(stage: Stage, esxi: Callable[..., EsxiSsh]) -> str:
    """A lab ESXi host on the stage."""
    server = esxi("esx-b10")
    for name, value in {"initiator.delayed_ack": "enabled", "initiator.login_timeout_seconds": 5, "vmnic*.flow_control": "off"}.items():
        server.machine.host.set(name, value, cause="test")
    return stage.add_esxi(server)


def count(session: Session, statement: str, **values: Any) -> int:
    return int(session.execute(text(statement), values).scalar_one())
