"""S10: a wrong password in a fleet tool, and hosts whose identity changed. The hosts' own counters decide."""

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import httpx
from sqlmodel import text

from faults.invariants import broken_promises
from faults.names import changed_names
from faults.rig import FaultResult, Rig
from faults.sending import enrol
from plumbline import vault
from plumbline.collection import endpoints, login_limits
from plumbline.collection.collect import CollectionResult, collect
from plumbline.hosts.enrolment_tokens import TokenTerms, make_token
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.models.vault import VaultSecret

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost

_RIGHT, _WRONG = "the right one", "last year's"
_SPEC = "esx-b10"
_AT_ONCE = 16
# How often each host is tried with the wrong password, as by a schedule and by people who request check-ins.
_ROUNDS = 4
# A host with its real agent takes seconds to be read: so many show that the right password still works.
_READ = 3


def wrong_password(rig: Rig, count: int, seed: int) -> FaultResult:
    """S10: one credential of `count` ESXi hosts gets a wrong password, and all are read at once, four times over. Then it is put right, and
    all but a few hosts have another key than the one on record; and Windows hosts show certificates for other names."""
    result = FaultResult(seed)
    count = max(count, login_limits.REJECTING_HOSTS + _READ + 1)
    servers = [_server(rig, number) for number in range(1, count + 1)]
    try:
        credential, hosts = _enrolled(rig, servers)
        for _ in range(_ROUNDS):
            _read(hosts)
            result.faults["a host read with a wrong password"] += count
        _check_wrong_password(result, servers, credential)
        _with_other_keys(result, servers, hosts, credential)
    finally:
        for server in servers:
            server.stop()
    changed_names(rig, result)
    result.wrong += broken_promises(rig.cluster.url("plumbline_background", rig.database))
    return result


def _server(rig: Rig, number: int) -> EsxiSsh:
    spec = next(one for one in fleet.load() if one.name == _SPEC)
    name = f"s10-{number:03d}"
    lab = LabHost(replace(spec, name=name, number=number), rig.home / "lab" / name)
    server = EsxiSsh(EsxiMachine(lab), password=_RIGHT, address=f"127.0.{20 + number // 250}.{number % 250 + 1}")
    server.start()
    return server


def _enrolled(rig: Rig, servers: Sequence[EsxiSsh]) -> tuple[int, list[str]]:
    with session_scope() as session:
        credential = vault.put_secret(
            session, vault.NewSecret(name="root of all", purpose="collection", values={"password": _WRONG}, account="root"), actor="faults"
        )
        token = make_token(session, TokenTerms(name="S10", group_id=1, is_auto_approved=True, uses=len(servers))).token
    hosts = []
    with httpx.Client(base_url=rig.api.url, timeout=30, trust_env=False) as client:
        for server in servers:
            name, address = server.machine.host.spec.name, str(server.listener.getsockname()[0])
            enrolled = enrol(client, token, name, "esxi").raise_for_status().json()
            with session_scope() as session:
                settings = endpoints.EndpointSettings("ssh", address, server.port, credential, (server.public_key,))
                row = endpoints.add_endpoint(session, actor="faults", enrolled=enrolled, settings=settings)
                hosts.append(row.host_id)
    return credential, hosts


def _read(hosts: Sequence[str]) -> list[CollectionResult | None]:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(collect, hosts))


def _check_wrong_password(result: FaultResult, servers: Sequence[EsxiSsh], credential: int) -> None:
    tried = [server for server in servers if server.failed_log_ins]
    most = max(server.failed_log_ins for server in servers)
    result.notes.append(f"wrong password: {len(tried)} hosts saw it (goal 3), at most {most} times each (goal 2)")
    if not tried:
        result.wrong.append("no host saw the wrong password: nothing was proved")
    result.wrong += [f"{len(tried)} hosts saw the wrong password"] * (len(tried) > login_limits.REJECTING_HOSTS)
    result.wrong += [f"a host saw it {most} times"] * (most > login_limits.REJECTED_A_HOST)
    result.wrong += [f"{server.machine.host.spec.name} was sent a command" for server in servers if server.commands]
    with session_scope() as session:
        row = session.get_one(VaultSecret, credential)
        shown = session.execute(text("SELECT count(*) FROM collection_endpoint WHERE last_error LIKE '%stopped%'")).scalar_one()
    if row.stopped_at is None:
        result.wrong.append("the credential was not stopped")
    result.notes.append(f"the credential was stopped, and {shown} hosts say so")


def _with_other_keys(result: FaultResult, servers: Sequence[EsxiSsh], hosts: Sequence[str], credential: int) -> None:
    """The password is right again; all but the last few hosts show another key. A secret may be shown to none of those."""
    kept = servers[-_READ:]
    for server in servers[:-_READ]:
        server.change_host_key()
    before = {server.port: server.failed_log_ins for server in servers}
    with session_scope() as session:
        vault.replace_secret(session, credential, actor="faults", values={"password": _RIGHT})
    # The kept ones first: a credential that no host has taken yet is shown to three at a time only.
    taken = _read(hosts[-_READ:]) + _read(hosts[:-_READ])
    others = servers[:-_READ]
    result.faults["a host with another key"] += len(others)
    reached = [server for server in others if server.commands or server.failed_log_ins != before[server.port]]
    result.wrong += [f"{server.machine.host.spec.name} has another key and was signed in to" for server in reached]
    refused = sum(bool(each and "which does not match the verified" in each.error) for each in taken)
    read = sum(bool(each and each.receipt) for each in taken)
    result.notes.append(
        f"{refused} of {len(others)} hosts with another key refused before a credential was sent, {read} of {len(kept)} read"
    )
    result.wrong += [f"only {refused} of {len(others)} hosts with another key were refused"] * (refused != len(others))
    result.wrong += [f"only {read} of {len(kept)} unchanged hosts were read with the right password"] * (read != len(kept))
