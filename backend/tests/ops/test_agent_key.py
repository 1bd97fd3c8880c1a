"""Renewing the agent key: hosts move to it by themselves, and the doctor names the keys that are still needed."""

from sqlmodel import text
from typer.testing import CliRunner

from faults.samples import samples, sections_of
from faults.sending import enrol, sender_of
from plumbline.cli import app
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.database import session_scope
from plumbline.ops.doctor import examine
from tests.checkin.conftest import Served, serve, served, token  # noqa: F401 (fixtures)


def _still() -> list[str]:
    with session_scope() as session:
        return [sentence for check, sentences in examine(session) for sentence in sentences if check.name == "agent keys"]


def test_hosts_move_to_a_renewed_key_with_their_next_check_in(served: Served, token: str) -> None:  # noqa: F811
    sections = sections_of(samples("windows")[0])
    one, two = (sender_of(enrol(served.client, token, name), sections=sections) for name in ("win-01", "win-02"))
    for host in (one, two):
        assert host.send(served.client).status_code == 200
    assert _still() == []

    result = CliRunner().invoke(app, ["agent-key", "renew"])
    assert result.exit_code == 0, result.output
    assert "agent-2.key is the agent key now." in result.output
    assert "agent-1.key is still used by 2 hosts." in result.output
    assert (key_ring().folder / "agent-1.key").exists()

    handed = one.send(served.client).json()["secret"]
    one.secret, one.generation = handed["secret"], handed["generation"]
    assert one.send(served.client).status_code == 200
    assert _still() == ["agent-1.key is still used by 1 host: keep the file until none uses it"]
    with session_scope() as session:
        session.execute(text("UPDATE host SET state = 'retired' WHERE name = 'win-02'"))
    assert _still() == []
