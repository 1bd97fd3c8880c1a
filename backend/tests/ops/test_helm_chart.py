"""The Helm chart: rendered, linted and held against the API's schemas by Helm and kubeconform; and its settings against the program's."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_group

from plumbline.cli import app
from plumbline.infra.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
CHART = ROOT / "docker" / "helm" / "plumbline"
sys.path.insert(0, str(ROOT / "tools"))
import chart  # noqa: E402

TOOLS = chart.find()
needs_helm = pytest.mark.skipif(TOOLS is None, reason="Helm is not here: `make chart` gets it where Go is")
SET = {
    "image.repository": "registry.example/plumbline",
    "image.tag": "0.1.0",
    "publicUrl": "https://plumbline.example",
    "trustedProxies": "10.0.0.0/8",
    "database.host": r"db-1\,db-2",
    "database.existingSecret": "plumbline-database",
    "broker.existingSecret": "plumbline-broker",
    "ingress.tlsSecret": "plumbline-tls",
}


def helm(*words: str) -> "subprocess.CompletedProcess[str]":
    assert TOOLS is not None
    return subprocess.run([str(TOOLS["helm"]), *words], capture_output=True, text=True, check=False, timeout=120)


def sets(values: dict[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in ("--set-string", f"{name}={value}")]


def rendered(values: dict[str, str], *more: str) -> str:
    done = helm("template", "pl", str(CHART), *sets(values), *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(text: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(text) if each}


def conform(text: str) -> "subprocess.CompletedProcess[str]":
    assert TOOLS is not None
    where = str(TOOLS["schemas"]) + "/{{.ResourceKind}}{{.KindSuffix}}.json"
    command = [str(TOOLS["kubeconform"]), "-strict", "-summary", "-output", "json", "-schema-location", where]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=120)


@needs_helm
def test_it_passes_helms_lint_and_the_schemas_of_the_api() -> None:
    linted = helm("lint", "--strict", str(CHART), *sets(SET))
    assert linted.returncode == 0, linted.stdout + linted.stderr
    for values in (SET, SET | {"ingress.enabled": "", "image.digest": "sha256:" + "0" * 64, "settings.PLUMBLINE_LOG_JSON": "false"}):
        found = conform(rendered(values))
        assert found.returncode == 0, found.stdout
        summary = json.loads(found.stdout)["summary"]
        assert (summary["invalid"], summary["errors"], summary["skipped"]) == (0, 0, 0)
        assert summary["valid"] >= 10


@needs_helm
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("replicas: 2", "replicas: two"),
        ("readOnlyRootFilesystem", "readOnlyRoot"),
        ("  selector:\n", "  selectors:\n"),
        ("- name: keys", "- nam: keys"),
    ],
)
def test_a_wrong_field_or_type_is_found(good: str, bad: str) -> None:
    text = rendered(SET)
    assert good in text
    assert conform(text.replace(good, bad, 1)).returncode != 0


@needs_helm
@pytest.mark.parametrize("missing", sorted(SET))
def test_what_has_no_default_is_asked_for_by_name(missing: str) -> None:
    done = helm("template", "pl", str(CHART), *sets({name: value for name, value in SET.items() if name != missing}))
    assert done.returncode != 0
    assert missing in done.stderr


@needs_helm
def test_each_process_has_its_own_role_keys_and_limits() -> None:
    found = objects(rendered(SET))
    expected = {
        "api": ("plumbline_api", "plumbline-keys-api", ["api", "--bind", "0.0.0.0", "--port", "8080"]),
        "executor": ("plumbline_executor", "plumbline-keys-executor", ["worker", "executor"]),
        "isolated": ("plumbline_executor", "plumbline-keys-executor", ["worker", "isolated"]),
        "background": ("plumbline_background", "plumbline-keys-background", ["worker", "background"]),
        "beat": ("plumbline_background", "plumbline-keys-background", ["beat"]),
    }
    for kind, (role, keys, arguments) in expected.items():
        pod = found["StatefulSet" if kind == "background" else "Deployment", f"pl-{kind}"]["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        env = {each["name"]: each.get("value") for each in container["env"]}
        assert container["args"] == arguments
        assert str(env["PLUMBLINE_DATABASE_URL"]).startswith(f"postgresql+psycopg://{role}:$(DATABASE_PASSWORD)@/plumbline?host=db-1,db-2&")
        assert "target_session_attrs=read-write" in str(env["PLUMBLINE_DATABASE_URL"])
        assert next(each["secret"]["secretName"] for each in pod["volumes"] if each["name"] == "keys") == keys
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["automountServiceAccountToken"] is False
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]
        assert (env.get("PLUMBLINE_TRUSTED_PROXIES") is not None) == (kind == "api")
    for kind, name in found:
        assert kind != "Secret", f"{name}: secrets are the installation's own"


COMMANDS = set(get_group(app).commands)
VARIABLES = {f"PLUMBLINE_{name}".upper() for name in Settings.model_fields}
PASSWORDS = {f"PLUMBLINE_{role}_PASSWORD" for role in ("API", "EXECUTOR", "BACKGROUND")}


def test_the_templates_name_commands_settings_and_values_that_exist() -> None:
    """As far as can be read without Helm."""
    text = "\n".join(each.read_text("utf-8") for each in sorted((CHART / "templates").iterdir()))
    commands = set(re.findall(r'"args" \(list "([a-z]+)"', text)) | set(re.findall(r'args: \["([a-z]+)"', text))
    assert commands == {"api", "worker", "beat", "migrate"}
    assert commands <= COMMANDS
    variables = set(re.findall(r"name: (PLUMBLINE_[A-Z_]+)\n", text))
    assert len(variables) > 5
    assert variables <= VARIABLES
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    for path in set(re.findall(r"\.Values\.([A-Za-z.]+)", text)) | set(SET):
        found: Any = values
        for name in path.split("."):
            assert name in found, path
            found = found[name]


@needs_helm
def test_every_setting_and_every_command_is_one_of_the_program() -> None:
    seen = 0
    for each in objects(rendered(SET)).values():
        if "template" not in each.get("spec", {}):
            continue
        for container in each["spec"]["template"]["spec"]["containers"]:
            seen += 1
            assert container["args"][0] in COMMANDS
            names = {one["name"] for one in container["env"]} - {"DATABASE_PASSWORD"}
            assert names <= VARIABLES | PASSWORDS, names
    assert seen == 6
