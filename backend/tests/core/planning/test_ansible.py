"""Playbook and inventory in a real ansible-core: read, and run over local shells where `esxcli` notes what it was told."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from plumbline.cli.remote.ansible import inventory_of
from plumbline.core.planning.ansible import inventory_name, playbook
from tests.core.planning.test_script import esxi_plan, windows_plan

# ansible-core is not among the dependencies: PLUMBLINE_ANSIBLE names the folder of its programs in an environment of its own.
PROGRAMS = os.environ.get("PLUMBLINE_ANSIBLE", "")
PLAYBOOK = shutil.which("ansible-playbook", path=PROGRAMS or None)
needs_ansible = pytest.mark.skipif(
    PLAYBOOK is None, reason="ansible-playbook is not on PATH, and PLUMBLINE_ANSIBLE names no folder with it"
)


def host(name: str, host_id: str = "a" * 32, **more: object) -> dict[str, object]:
    return {
        "id": host_id, "name": name, "platform": "esxi", "group_name": "PROD A", "cluster": "", "score": 70, "n_fail": 2, "n_unknown": 0,
        "mode_effective": "observe", "freshness": "fresh", **more,
    }  # fmt: skip


def test_hosts_of_the_inventory_are_those_of_playbooks() -> None:
    odd = "web*[1]"
    document = inventory_of([host("esx-1"), host(odd, "b" * 32), host("esx-1", "c" * 32)])
    assert set(document["_meta"]["hostvars"]) == {"esx-1", inventory_name(odd, "b" * 32), f"host_{'c' * 32}"}
    assert document["plumbline_group_prod_a"]["hosts"] == ["esx-1", f"host_{'c' * 32}", f"host_{'b' * 32}"]


def test_groups_tell_the_state() -> None:
    document = inventory_of([
        host("a", "1" * 32, score=95, n_fail=0), host("b", "2" * 32, score=None), host("c", "3" * 32, freshness="silent", cluster="SQL-1"),
    ])  # fmt: skip
    assert document["plumbline_compliant"]["hosts"] == ["a"]
    assert document["plumbline_not_scored"]["hosts"] == ["b"]
    assert document["plumbline_failing"]["hosts"] == document["plumbline_not_reporting"]["hosts"] == ["c"]
    assert document["plumbline_cluster_sql_1"]["hosts"] == ["c"]
    assert set(document["all"]["children"]) == set(document) - {"_meta", "all"}


def _prepared(folder: Path, text: str) -> dict[str, str]:
    (folder / "play.yaml").write_text(text)
    inventory = json.dumps(inventory_of([host("esx-b07"), host("sql-01", "d" * 32, platform="windows"), host("esx-1", "e" * 32)]))
    (folder / "inventory.py").write_text(f"#!/bin/sh\ncat <<'END'\n{inventory}\nEND\n")
    (folder / "inventory.py").chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8", "ANSIBLE_LOCALHOST_WARNING": "false"}


@needs_ansible
def test_ansible_reads_the_inventory_and_the_playbook(tmp_path: Path) -> None:
    environment = _prepared(tmp_path, playbook(esxi_plan()))
    command = [str(PLAYBOOK), "-i", "inventory.py", "--syntax-check", "play.yaml"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = subprocess.run(
        [str(Path(str(PLAYBOOK)).with_name("ansible-inventory")), "-i", "inventory.py", "--list"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert shown.returncode == 0, shown.stderr
    assert set(json.loads(shown.stdout)["_meta"]["hostvars"]) == {"esx-b07", "sql-01", "esx-1"}


@needs_ansible
@pytest.mark.parametrize("name", ["vmnic2", "vm'nic $(reboot) {{ 1 + 1 }}"])
def test_a_playbook_runs_the_commands_of_the_plan(tmp_path: Path, name: str) -> None:
    plan = esxi_plan(name)
    text = playbook(plan)
    environment = _prepared(tmp_path, text)
    for program in ("esxcli", "esxcfg-nics", "ethtool", "vmkping"):
        note = f'printf "%s" {program} >> told; for each; do printf "\\t%s" "$each" >> told; done; echo >> told'
        (tmp_path / program).write_text(f"#!/bin/sh\ncd '{tmp_path}'\n{note}\n")
        (tmp_path / program).chmod(0o755)
    command = [str(PLAYBOOK), "-i", "inventory.py", "-c", "local", "play.yaml"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = (tmp_path / "told").read_text().splitlines()
    written = [line for line in told if "set" in line.split("\t")]
    assert written
    assert any(name in line.split("\t") for line in told), told
    assert "unreachable=0    failed=0" in done.stdout


@needs_ansible
def test_a_failing_command_ends_the_run(tmp_path: Path) -> None:
    environment = _prepared(tmp_path, playbook(esxi_plan()))
    (tmp_path / "esxcli").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "esxcli").chmod(0o755)
    command = [str(PLAYBOOK), "-i", "inventory.py", "-c", "local", "play.yaml"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode != 0
    assert "failed=1" in done.stdout


def test_windows_plans_name_the_collection_that_they_need() -> None:
    assert "ansible.windows.win_powershell" in playbook(windows_plan())
