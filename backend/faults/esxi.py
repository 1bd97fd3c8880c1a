"""ESXi hosts of the lab for fault runs: read by us over SSH, and changed by the real runner, which is the same file that ships."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import paramiko

from faults.fleet import FaultHost, Shape, Turn, _reachable
from faults.sending import enrol
from plumbline import vault
from plumbline.channels import runner
from plumbline.channels.ssh import SshChannel, SshCredential, SshTarget
from plumbline.collection import endpoints
from plumbline.collection.collect import collect
from plumbline.configurations.read import read_document
from plumbline.core.facts.configuration import encode_id
from plumbline.infra import resources
from plumbline.infra.database import session_scope
from plumbline.models.hosts import Host

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.esxi.ssh import EsxiSsh
from lab.host import LabHost

FOLDER = "/vmfs/volumes/datastore1/plumbline"
_FIRST = {"initiator.login_timeout_seconds": 5, "initiator.delayed_ack": "enabled", "host.net.lro": "enabled"}


def make_esxi(
    folder: Path, client: httpx.Client, token: str, names: list[str], *, address_of: Callable[[int], str] = "127.0.9.{}".format
) -> list[FaultHost]:
    """Starts the hosts, has them read by us, and puts the runner on each."""
    key = paramiko.ECDSAKey.generate()
    written = io.StringIO()
    key.write_private_key(written)
    private = {"private_key": written.getvalue()}
    with session_scope() as session:
        reading = vault.put_secret(
            session, vault.NewSecret(name="reading", purpose="collection", values=private, account="root"), actor="faults"
        )
        changing = vault.put_secret(
            session, vault.NewSecret(name="changing", purpose="remediation", values=private, account="root"), actor="faults"
        )
    specs = {spec.name: spec for spec in fleet.load()}
    made = []
    for number, name in enumerate(names, 1):
        lab = LabHost(specs[name], folder / name)
        for setting, value in _FIRST.items():
            lab.set(setting, value, cause="faults")
        address = address_of(number)
        server = EsxiSsh(EsxiMachine(lab), authorized_key=f"{key.get_name()} {key.get_base64()}", address=address)
        server.start()
        place = SshTarget(address, server.port, (server.public_key,))
        with SshChannel(place, SshCredential("root", private_key=private["private_key"])) as channel:
            placed = runner.install(channel, FOLDER)
        enrolled = enrol(client, token, name, "esxi").raise_for_status().json()
        with session_scope() as session:
            settings = endpoints.EndpointSettings("ssh", address, server.port, reading, (server.public_key,))
            row = endpoints.add_endpoint(session, actor="faults", enrolled=enrolled, settings=settings)
            host_id = row.host_id
        _reachable(host_id, name, "ssh", address, server.port, changing, server.public_key, folder=FOLDER, sha256=placed.sha256)
        done = collect(host_id)
        if done is None or not done.receipt:
            raise RuntimeError(f"{name} could not be read: {done.error if done else 'claimed by another'}")
        initiator, hba = _initiator(host_id)
        turns = (
            Turn("host//net.lro", ("1", "0"), ("enabled", "disabled")),
            # The lab's journal names an initiator by its vmhba, the catalogue by its IQN; the runner takes either.
            Turn(f"initiator/{hba}/login_timeout_seconds", ("5", "60"), ("5", "60"), f"{initiator}/login_timeout_seconds"),
            Turn(f"initiator/{hba}/delayed_ack", ("true", "false"), ("enabled", "disabled"), f"{initiator}/delayed_ack"),
        )
        host = FaultHost(host_id, lab, "esxi", tuple(Shape((turn,)) for turn in turns), server.stop, lambda _: "", placed.sha256, server)
        first = {turn.setting: turn.texts[0] for turn in turns}
        host.read = lambda setting, host=host, first=first: _last(host, setting, first)  # type: ignore[misc]
        made.append(host)
    return made


def _last(host: FaultHost, setting: str, first: dict[str, str]) -> str:
    """What the journal's newest entry of a setting left, or the value at first."""
    return next((row["new"] for row in reversed(host.effects()) if row["setting"] == setting), first[setting])


def _initiator(host_id: str) -> tuple[str, str]:
    """The initiator's address as the host's first check-in shows it, and its vmhba name."""
    with session_scope() as session:
        found = read_document(session, session.get_one(Host, host_id))
    if found is None:
        raise RuntimeError("the host was not understood")
    configuration = found.document.configuration
    initiator = configuration.subjects("initiator")[0]
    return f"{initiator.kind}/{encode_id(initiator.id)}", str(configuration.value(initiator, "name"))
