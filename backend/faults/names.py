"""The second half of S10: Windows hosts whose certificate is for another name, or not the confirmed one. Nothing may be sent to them."""

import shutil
import time
from pathlib import Path

from sqlmodel import text

from faults.engine_threads import at_work
from faults.fleet import FaultHost
from faults.journals import check_jobs
from faults.rig import FaultResult, Rig
from lab.windows.servers import server_of
from plumbline.infra.database import session_scope
from plumbline.models.controls import RemediationEndpoint
from plumbline.ops.local_ca import local_certificate

_OTHER_ADDRESS = "192.0.2.1"
_LONGEST_SECONDS = 60.0
_WORDS = "SELECT id, state, state_words, first_intent_at IS NULL FROM job WHERE id = ANY(:ids)"


def changed_names(rig: Rig, result: FaultResult) -> None:
    """Every Windows host of the rig is known by an authority and takes a job; then it shows that authority's certificate for another
    name, then another certificate than the confirmed one. Jobs wait and no shell is opened; shown the right one again, they go on."""
    since, made = rig.last_job(), _Certificates(rig.home / "names")
    hosts = [host for host in rig.fleet if host.platform == "windows"]
    ours = server_of(rig.home / "lab")
    for host in hosts:
        made.show(host, host.endpoint.server.server_address[0])
        _know(host, authority=made.authority.read_text())
    with at_work(len(hosts)):
        for host in hosts:
            rig.new_job(host)
        rig.settle(result)
    for fault in ("a certificate of the same authority for another name", "another certificate than the confirmed one"):
        _refused(rig, result, hosts, made, fault)
        for host in hosts:
            # Confirmed by its fingerprint from now on; what it shows meanwhile is still the other.
            _know(host, fingerprint=ours.sha256)
    for host in hosts:
        made.show_file(host, ours.certificate, ours.private_key)
    with at_work(len(hosts)):
        rig.settle(result)
    check_jobs(rig.fleet, result, since=since, may_end=("SUCCEEDED",))


def _refused(rig: Rig, result: FaultResult, hosts: list[FaultHost], made: "_Certificates", fault: str) -> None:
    for host in hosts:
        made.show(host, _OTHER_ADDRESS)
    before = {host.id: (host.endpoint.opened, len(host.lab.read_journal())) for host in hosts}
    with session_scope() as session:
        open_at = {row[0]: row[1] for row in session.execute(text("SELECT host_id, id FROM job WHERE finished_at IS NULL"))}
    jobs = {open_at[host.id] if host.id in open_at else rig.new_job(host): host for host in hosts}
    limit, shown = time.monotonic() + _LONGEST_SECONDS, set[int]()
    with at_work(len(hosts)):
        while len(shown) < len(jobs) and time.monotonic() < limit:
            with session_scope() as session:
                rows = session.execute(text(_WORDS), {"ids": list(jobs)}).all()
            word = "not trusted" if fault.startswith("a certificate") else "does not match the verified one"
            shown |= {row[0] for row in rows if row[1] in ("WAITING", "QUEUED", "RUNNING") and word in row[2]}
            result.wrong += [f"job {row[0]} is {row[1]} at a host with {fault}: {row[2]}" for row in rows if not row[3]]
            time.sleep(0.1)
    reached = [host for host in jobs.values() if (host.endpoint.opened, len(host.lab.read_journal())) != before[host.id]]
    result.faults[fault] += len(jobs)
    result.notes.append(f"{fault}: {len(shown)} of {len(jobs)} jobs say so and wait, {len(reached)} hosts were sent anything")
    result.wrong += [f"{host.lab.spec.name} shows {fault}, and was sent something" for host in reached]
    result.wrong += [f"only {len(shown)} of {len(jobs)} jobs say that the host shows {fault}"] * (len(shown) < len(jobs))


def _know(host: FaultHost, *, authority: str = "", fingerprint: str = "") -> None:
    with session_scope() as session:
        row = session.get_one(RemediationEndpoint, host.id)
        row.ca_certificate, row.pins = authority, [fingerprint] if fingerprint else []
        session.add(row)


class _Certificates:
    """Certificates of one authority, each for one address."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.authority = folder, folder / "ca.pem"

    def show(self, host: FaultHost, address: str) -> None:
        """From now on the host shows a certificate for this address."""
        chain, key = self.folder / f"{address}.pem", self.folder / f"{address}.key"
        if not chain.exists():
            (self.folder / "server.pem").unlink(missing_ok=True)
            made, made_key, _ = local_certificate(self.folder, address)
            shutil.copy(made, chain)
            shutil.copy(made_key, key)
        self.show_file(host, chain, key)

    def show_file(self, host: FaultHost, certificate: Path, key: Path) -> None:
        """From now on the host shows this certificate on every connection."""
        host.endpoint.server.context.load_cert_chain(certificate, key)
