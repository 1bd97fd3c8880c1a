"""The lab's logins on the sign-in page: for a browser on the lab's own machine, and nobody else."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from plumbline.infra.settings import get_settings
from tests.api.conftest import served, the_app

LOGINS = [{"login": "viewer", "role": "viewer", "password": "abc-def"}]


@pytest.fixture
def lab(tmp_path: Path, fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """The product as `plumbline up` starts it with the lab."""
    monkeypatch.setenv("PLUMBLINE_HOME", str(tmp_path))
    monkeypatch.setenv("PLUMBLINE_IS_DEMO", "true")
    get_settings.cache_clear()
    (tmp_path / "demo-logins.json").write_text(json.dumps(LOGINS))
    with served(the_app()) as base, httpx.Client(base_url=f"{base}/api/v1", timeout=30) as client:
        yield client
    monkeypatch.undo()
    get_settings.cache_clear()


def asked(client: httpx.Client, headers: dict[str, str] | None = None) -> object:
    answer = client.get("/demo-logins", headers=headers or {})
    assert answer.status_code == 200, answer.text
    assert "no-store" in answer.headers["cache-control"]
    return answer.json()


def test_they_are_shown_on_the_machine_itself(lab: httpx.Client) -> None:
    assert asked(lab) == LOGINS


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host"])
def test_not_through_a_proxy(lab: httpx.Client, name: str) -> None:
    assert asked(lab, {name: "192.0.2.7"}) == []


@pytest.mark.parametrize("host", ["lab.example", "192.0.2.7", "localhost.example"])
def test_not_under_the_name_of_another_machine(lab: httpx.Client, host: str) -> None:
    """A stranger's page may make its own name lead to this machine."""
    answer = lab.get("/demo-logins", headers={"Host": host})
    assert answer.status_code == 421 or answer.json() == []
    assert "abc-def" not in answer.text


def test_not_from_another_address(lab: httpx.Client) -> None:
    """The only other address that a test has is a second one of this machine, which a browser does not use."""
    with httpx.Client(base_url=lab.base_url, transport=httpx.HTTPTransport(local_address="127.0.0.2"), timeout=30) as other:
        assert asked(other) == []


def test_not_where_this_is_no_lab(lab: httpx.Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLUMBLINE_IS_DEMO", "false")
    get_settings.cache_clear()
    assert asked(lab) == []


@pytest.mark.parametrize("content", [None, b"", b"not json"])
def test_without_a_file_there_are_none(lab: httpx.Client, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "demo-logins.json"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    assert asked(lab) == []
