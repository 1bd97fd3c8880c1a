"""The files of the larger shape, held to the program: commands, variables, secrets, volumes. No container is started here."""

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from typer.core import TyperGroup

from plumbline.cli import app
from plumbline.cli.remote import connection
from plumbline.infra.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
UNITS = sorted((ROOT / "docs" / "systemd").glob("*.service"))
VARIABLES = {f"PLUMBLINE_{name.upper()}" for name in Settings.model_fields}
# What the command line over the API reads in the environment of the person who calls it.
OF_COMMAND_LINE = set(re.findall(r"\bPLUMBLINE_[A-Z_]+", Path(connection.__file__).read_text()))
# Read by `plumbline migrate` itself, not a setting of running processes.
MIGRATE_ONLY = {f"PLUMBLINE_{role}_PASSWORD" for role in ("API", "EXECUTOR", "BACKGROUND")}
KINDS = {"executor", "isolated", "background"}
WAY_IN = re.compile(r"\$\{(\w+)(:\?[^}]+)?\}")


def wrong_command(words: list[str]) -> str | None:
    """What is wrong with a command line of ours; None: the program knows it and each of its options."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    command = group.commands.get(words[0])
    if command is None:
        return f"no command {words[0]}"
    known = {option for parameter in command.params for option in parameter.opts}
    unknown = [word for word in words[1:] if word.startswith("--") and word not in known]
    if unknown:
        return f"{words[0]} has no option {unknown[0]}"
    if words[0] == "worker" and words[1] not in KINDS | {"%i"}:
        return f"no kind of worker {words[1]}"
    return None


def test_a_wrong_command_is_found() -> None:
    assert wrong_command(["api", "--bind", "0.0.0.0"]) is None
    assert wrong_command(["serve"]) == "no command serve"
    assert wrong_command(["api", "--listen", "x"]) == "api has no option --listen"
    assert wrong_command(["worker", "feet"]) == "no kind of worker feet"


@pytest.mark.parametrize("name", OURS)
def test_services_run_real_commands_with_real_variables(name: str) -> None:
    service = OURS[name]
    assert wrong_command(service["command"]) is None
    allowed = VARIABLES | (MIGRATE_ONLY if name == "migrate" else set())
    assert set(service["environment"]) - allowed == set()
    assert ("PLUMBLINE_DATABASE_URL" in service["environment"]) == (name != "keys")
    assert (ROOT / service["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("migrate", "owner"),
        ("api", "api"),
        ("background", "background"),
        ("beat", "background"),
        ("executor", "executor"),
        ("isolated", "executor"),
    ],
)
def test_each_process_has_its_own_database_role(name: str, role: str) -> None:
    assert f"//plumbline_{role}:${{{role.upper()}_PASSWORD" in OURS[name]["environment"]["PLUMBLINE_DATABASE_URL"]


def test_every_kind_of_process_is_there() -> None:
    assert {tuple(service["command"][:2]) for service in OURS.values() if service["command"][0] == "worker"} == {
        ("worker", kind) for kind in KINDS
    }
    assert {"db", "redis", "migrate", "api", "beat"} <= set(SERVICES)


def test_no_secret_has_a_default_and_each_is_asked_for() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    assert not re.search(r"\$\{\w+:?-", text), "a default"
    asked = {name for name, must in WAY_IN.findall(text) if must}
    assert {name for name, _ in WAY_IN.findall(text)} == asked
    for service in SERVICES.values():
        for variable, value in service.get("environment", {}).items():
            if "PASSWORD" in variable or "_URL" in variable:
                assert WAY_IN.search(str(value)), f"{variable} is written out"


def test_health_is_asked_of_what_others_wait_for() -> None:
    for name in ("db", "redis", "api"):
        check = SERVICES[name]["healthcheck"]
        assert check["test"][0] in ("CMD", "CMD-SHELL")
        assert {"interval", "timeout", "retries"} <= set(check)
    for name, service in SERVICES.items():
        for other, wait in service.get("depends_on", {}).items():
            assert wait["condition"] in ("service_healthy", "service_completed_successfully"), name
            assert wait["condition"] != "service_healthy" or "healthcheck" in SERVICES[other], name


def test_volumes_are_named_and_the_image_has_their_folders() -> None:
    used = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])
    # A volume that is mounted where the image has no folder belongs to root, and our user could not write its keys.
    made = re.search(r"install --directory --owner plumbline --mode 0700 (.+)", DOCKERFILE)
    assert made
    folders = {volume.split(":")[1] for service in OURS.values() for volume in service.get("volumes", [])}
    assert folders <= set(made[1].split())
    assert "PLUMBLINE_HOME=/home/plumbline/var" in DOCKERFILE


def test_the_vault_key_is_within_reach_of_the_hands_alone() -> None:
    keys = {name: [volume for volume in service.get("volumes", []) if volume.endswith(":/keys")] for name, service in OURS.items()}
    assert {name for name, volumes in keys.items() if volumes == ["vault_keys:/keys"]} == {"executor", "isolated"}
    assert keys["api"] == ["api_keys:/keys"]
    assert keys["background"] == ["background_keys:/keys"]


def test_every_kind_of_process_finds_the_keys_that_were_made_for_it() -> None:
    filled = dict(each.split(":/made/") for each in OURS["keys"]["volumes"])
    assert filled == {"api_keys": "api", "background_keys": "background", "vault_keys": "executor"}
    assert OURS["keys"]["command"] == ["make-keys", "--once", "/made"]
    for name, service in OURS.items():
        if name not in ("keys", "migrate"):
            assert service["depends_on"]["keys"] == {"condition": "service_completed_successfully"}
    # A volume takes over the owner of the image's folder that it is first mounted at.
    made = re.search(r"^RUN install --directory --owner plumbline --mode 0700 (.+)$", DOCKERFILE, re.MULTILINE)
    assert made is not None
    assert {f"/made/{kind}" for kind in filled.values()} | {"/keys"} <= set(made[1].split())


def test_the_scheduler_has_the_public_key_of_approvals() -> None:
    """Without it the reconciler can check no signature, and starts no plan."""
    assert "background_keys:/keys" in OURS["beat"]["volumes"]
    assert OURS["beat"]["environment"]["PLUMBLINE_KEYS_FOLDER"] == "/keys"
    units = {unit.stem: unit.read_text() for unit in UNITS}
    homes = [re.findall(r"^(?:User|EnvironmentFile|StateDirectory|Environment)=.+", text, re.MULTILINE) for text in (
        units["plumbline-worker@"].replace("%i", "background"), units["plumbline-beat"])]  # fmt: skip
    assert homes[0] == homes[1]


def test_running_services_cannot_write_their_file_system() -> None:
    for name, service in OURS.items():
        if name != "migrate":
            assert service["read_only"] is True
            assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_image_runs_as_nobody_special_and_pins_what_it_installs() -> None:
    steps = [line.split(" ", 1) for line in DOCKERFILE.splitlines() if re.match(r"[A-Z]+ ", line)]
    last_stage = steps[max(index for index, step in enumerate(steps) if step[0] == "FROM") :]
    assert ["USER", "plumbline"] in last_stage
    assert ["ENTRYPOINT", '["plumbline"]'] in last_stage
    assert "--require-hashes" in DOCKERFILE
    for source in re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
    for variable in re.findall(r"\b(PLUMBLINE_\w+)=", DOCKERFILE):
        assert variable in VARIABLES
    for target in re.findall(r"\bmake ([a-z]+)", DOCKERFILE):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE) or target == "y"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_run_real_commands_and_can_write_their_state(unit: Path) -> None:
    parsed = configparser.ConfigParser(interpolation=None, strict=True)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(unit.read_text())
    assert set(parsed) == {"DEFAULT", "Unit", "Service", "Install"}
    service = parsed["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/bin/plumbline")
    assert wrong_command(words) is None
    assert service["User"].startswith("plumbline")
    assert service["Restart"] == "always"
    assert service["ProtectSystem"] == "strict"
    # Under a file system that is read only, the home folder must be one that systemd makes for this user.
    name, value = service["Environment"].split("=", 1)
    assert name in VARIABLES
    assert value == f"/var/lib/{service['StateDirectory']}"
    assert service["EnvironmentFile"].startswith("/etc/plumbline/")


def test_every_variable_that_operating_names_is_a_setting() -> None:
    pages = sorted((ROOT / "docs" / "operating").glob("*.md"))
    named = {name for page in pages for name in re.findall(r"`(PLUMBLINE_[A-Z_]+)`", page.read_text())}
    assert len(named) > 4
    assert named - VARIABLES - MIGRATE_ONLY - OF_COMMAND_LINE == set()
