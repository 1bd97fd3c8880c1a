"""`plumbline job follow` and `plumbline plan text` against a real job, on a lab ESXi host over real SSH."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn

from plumbline.auth import api_tokens
from plumbline.auth.api_token_schemas import TokenCreate
from plumbline.cli import main
from plumbline.infra.database import session_scope
from tests.api.conftest import the_app
from tests.remediation.conftest import (
    Stage,
    client_certificate,
    collecting,
    esxi,
    esxi_host,
    key,
    quick,
    serve,
    served,
    server_certificate,
    stage,
    token,
    windows,
)

__all__ = [
    "client_certificate", "collecting", "esxi", "esxi_host", "key", "quick", "serve", "served", "server_certificate", "stage", "token",
    "windows",
]  # fmt: skip


@pytest.fixture
def api(stage: Stage) -> Iterator[str]:
    """The whole application over the stage's database; the stage's own server takes check-ins only."""
    server = uvicorn.Server(uvicorn.Config(the_app(), host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(20)


@pytest.fixture
def as_operator(stage: Stage, api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands talk to the application with a token of the stage's operator."""
    with session_scope() as session:
        wanted = TokenCreate(name="cli", roles=["operator"], group_id=1, expires_days=1)
        made = api_tokens.make_token(session, actor=stage.operator, request=wanted)
    monkeypatch.setenv("PLUMBLINE_URL", api)
    monkeypatch.setenv("PLUMBLINE_TOKEN", made.token)


def ended(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["plumbline", *words])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_a_job_is_followed_to_its_end(
    stage: Stage, esxi_host: str, as_operator: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    plan_id = stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.login_timeout"))
    assert ended(monkeypatch, "plan", "text", str(plan_id), "--form", "ansible") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("# ")
    assert "hosts: esx-b10" in shown
    (job_id,) = stage.approved(plan_id)
    worker = threading.Timer(1.0, stage.drive, args=[job_id])
    worker.start()
    code = ended(monkeypatch, "job", "follow", str(job_id))
    worker.join()
    lines = capsys.readouterr().out.splitlines()
    assert code == 0, lines
    assert lines[-1].startswith(f"Job {job_id} on esx-b10: ")
    assert len(lines) == len(stage.events(job_id)) + 1

    (refused,) = stage.approved(stage.planned(stage.failing(esxi_host, rule="dell-esxi55/esxi55.flow_control")))
    stage.servers[esxi_host].machine.host.set("vmnic*.flow_control", "rx", cause="person")
    stage.drive(refused)
    assert stage.job(refused).state != "SUCCEEDED"
    assert ended(monkeypatch, "job", "follow", str(refused)) == 1
