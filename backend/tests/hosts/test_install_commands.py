"""The commands that a person pastes on a host, and that the first of them can download on every release."""

from collections.abc import Iterator

import pytest

from plumbline.hosts.install_commands import install_commands
from plumbline.infra.settings import get_settings
from tests.agents.windows import powershell


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PLUMBLINE_PUBLIC_URL", "https://plumbline.example")
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


def test_windows_adds_tls_1_2_before_anything_is_fetched() -> None:
    fetch, run = install_commands("windows", "token-1")
    statements = fetch.command.split("; ")
    # Server 2012 to 2016 offer TLS 1.0 alone until configured otherwise. Added, not assigned: newer versions stay allowed.
    assert statements[0] == (
        "[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12"
    )
    assert "Invoke-WebRequest" not in statements[0]
    assert any("Invoke-WebRequest" in statement for statement in statements[1:])
    assert "-Token token-1" in run.command


def test_what_fetches_the_agent_is_powershell() -> None:
    fetch, _ = install_commands("windows", "token-1")
    assert powershell.parse_faults(fetch.command.encode() + b"\n") == []
