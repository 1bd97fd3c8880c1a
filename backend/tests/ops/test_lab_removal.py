"""A lab is removed by one request; Plumbline starts again empty by itself, and stays without a lab."""

import json
import secrets
import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.ops.test_up import Up

ADMIN = {"login": "ana", "display_name": "Ana", "password": "flow control is on, always"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "var"


def client(address: str) -> httpx.Client:
    return httpx.Client(base_url=f"{address}/api/v1", trust_env=False, headers={"X-Plumbline": "1"}, timeout=30)


def end(up: Up) -> None:
    if up.process.poll() is None:
        up.process.send_signal(signal.SIGINT)
        up.process.wait(120)


def sign_in(web: httpx.Client, home: Path, role: str) -> None:
    login = next(one for one in json.loads((home / "demo-logins.json").read_text()) if one["role"] == role)
    answer = web.post("/session", json={"login": login["login"], "password": login["password"]})
    assert answer.status_code == 200, answer.text


def wait_for_setup(web: httpx.Client, up: Up) -> None:
    deadline = time.monotonic() + 240
    while True:
        try:
            if web.get("/setup").json()["needs_setup"]:
                return
        except (httpx.HTTPError, ValueError):
            assert up.process.poll() is None, up.out.read_text() + up.log()
        assert time.monotonic() < deadline, up.out.read_text() + up.log()
        time.sleep(0.3)


@pytest.mark.timeout(900)
def test_a_removed_lab_leaves_an_empty_installation_and_does_not_come_back(home: Path) -> None:
    up = Up(home, "--past-days", "0", lab="")
    try:
        with client(up.wait()) as web:
            sign_in(web, home, "admin")
            assert web.get("/session").json()["can"]["remove_lab"] is True
            before = web.get("/lab").json()
            assert before["reason"] == ""

            # A host that is not simulated would be lost.
            terms = {"name": "our own", "group_id": 1, "platform": "esxi", "is_auto_approved": True}
            token = web.post("/enrolment/tokens", json=terms).json()["token"]
            body = {"token": token, "nonce": secrets.token_hex(16), "name": "our-esx-01", "platform": "esxi"}
            enrolled = httpx.post(f"{up.wait()}/agent/v1/enrol", json=body, trust_env=False, timeout=30)
            assert enrolled.status_code == 200, enrolled.text
            refused = web.post("/lab/remove")
            assert refused.status_code == 409
            assert "1 host here is not simulated: our-esx-01" in refused.json()["detail"]
            assert not (home / "run" / "remove-lab.json").exists()
            own = next(host for host in web.get("/hosts", params={"q": "our-esx-01"}).json()["items"])
            assert web.post(f"/hosts/{own['id']}/retire", json={"reason": "moved to the real one"}).status_code == 200

            answer = web.post("/lab/remove")
            assert answer.status_code == 202, answer.text
            code = answer.json()["setup_code"]
            wait_for_setup(web, up)

            assert web.get("/session").status_code == 401
            assert not (home / "lab").exists()
            assert not (home / "demo-logins.json").exists()
            assert not (home / "run" / "remove-lab.json").exists()
            assert web.post("/setup", json={**ADMIN, "code": code}).status_code == 201
            assert web.get("/hosts").json()["total"] == 0
            assert web.get("/session").json()["is_demo"] is False
            assert web.get("/lab").json()["reason"] == "This installation has no lab."
            assert web.post("/lab/remove").status_code == 409
            # The console names the same code.
            assert f"enter code {code}" in up.out.read_text()
    finally:
        end(up)
    assert up.wait_until_gone(20) == []

    # The next plain start, and even one that asks for a lab or finds a request, leaves the installation alone.
    (home / "run" / "remove-lab.json").write_text(json.dumps({"code": "abcd-efgh"}))
    again = Up(home, lab="--demo")
    try:
        with client(again.wait()) as web:
            assert "Nothing is removed" in again.out.read_text()
            assert "no lab is added to it" in again.out.read_text()
            assert web.post("/session", json={"login": "ana", "password": ADMIN["password"]}).status_code == 200
            assert web.get("/hosts").json()["total"] == 0
            assert not (home / "run" / "lab.pid").exists()
    finally:
        end(again)


@pytest.mark.timeout(600)
def test_a_removal_that_was_cut_short_is_done_at_the_next_start(home: Path) -> None:
    up = Up(home, "--past-days", "0", lab="")
    try:
        up.wait()
    finally:
        end(up)
    (home / "run" / "remove-lab.json").write_text(json.dumps({"code": "abcd-efgh"}))
    again = Up(home, lab="")
    try:
        with client(again.wait()) as web:
            assert web.get("/setup").json()["needs_setup"] is True
            assert web.post("/setup", json={**ADMIN, "code": "abcd-efgh"}).status_code == 201
            assert web.get("/hosts").json()["total"] == 0
    finally:
        end(again)
    assert not (home / "lab").exists()
