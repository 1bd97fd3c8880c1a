"""What the demo opens on its first start: hosts that Plumbline may change, of both platforms."""

from pathlib import Path

from sqlmodel import col, select

from plumbline.hosts.enrol import enrol
from plumbline.infra.database import session_scope
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host, HostGroup
from plumbline.models.vault import VaultSecret
from plumbline.ops import demo
from plumbline.packs.publish import install_builtin

demo.add_lab_to_path()
from lab import checkin  # noqa: E402


def _start(home: Path) -> None:
    with session_scope() as session:
        install_builtin(session)
        demo.seed(session, home)
        demo.seed_collection(session, home)
        demo.seed_remediation(session, home)


def test_windows_hosts_of_each_kind_can_be_changed_and_keep_their_ids(fresh_database: str, keys_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    _start(tmp_path)
    _start(tmp_path)
    with session_scope() as session:
        hosts = {host.name: host for host in session.exec(select(Host).where(col(Host.name).in_(demo.CHANGED)))}
        assert sorted(hosts) == sorted(demo.CHANGED)
        for host in hosts.values():
            way = session.get_one(RemediationEndpoint, host.id)
            assert (way.channel, bool(way.pins), way.port > 0) == ("winrm", True, True)
            assert session.get_one(HostGroup, host.group_id).mode == "remediate"
        assert len(session.exec(select(VaultSecret).where(VaultSecret.purpose == "remediation")).all()) == 2
    # The lab enrols them with the same token and nonce and is told the same id.
    token = (tmp_path / "run" / "lab-prod-b.token").read_text().strip()
    nonce = checkin.nonce_of(tmp_path / "lab" / "app-de-01")
    with session_scope() as session:
        again = enrol(session, token=token, nonce=nonce, name="app-de-01", platform="windows", agent_version=checkin.AGENT_VERSION)
        assert again.host_id == hosts["app-de-01"].id
