"""The one agreement between whoever asks a runner and both runners: schema and samples fit each other, and the schema can say no."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SCHEMA_FOLDER = Path(__file__).resolve().parents[4] / "agents" / "schema"
SCHEMA = json.loads((SCHEMA_FOLDER / "runner.schema.json").read_text())
SAMPLES = sorted((SCHEMA_FOLDER / "samples" / "runner").glob("*/*.json"))


def validator(part: str) -> jsonschema.Draft202012Validator:
    """The checks of a request or of an answer alone."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": SCHEMA["$defs"]})


def sample(platform: str, name: str) -> dict[str, Any]:
    """A good one, to be spoilt."""
    found: dict[str, Any] = json.loads((SCHEMA_FOLDER / "samples" / "runner" / platform / f"{name}.json").read_text())
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_samples_keep_the_schema(path: Path) -> None:
    validator(path.stem.rsplit(".", 1)[1]).validate(json.loads(path.read_text()))


@pytest.mark.parametrize("platform", ["esxi", "windows"])
def test_every_verb_has_a_sample(platform: str) -> None:
    verbs = set(SCHEMA["$defs"]["request"]["properties"]["verb"]["enum"])
    assert {json.loads(path.read_text())["verb"] for path in SAMPLES if path.parent.name == platform and ".request" in path.name} == verbs


@pytest.mark.parametrize("state", SCHEMA["$defs"]["answer"]["properties"]["state"]["enum"])
def test_every_state_has_a_sample(state: str) -> None:
    assert any(json.loads(path.read_text())["state"] == state for path in SAMPLES if ".answer" in path.name)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("begin.request", {"v": 2}),
        ("begin.request", {"verb": "run"}),
        ("begin.request", {"op_id": "2026-11-21T00:00:00Z"}),
        ("begin.request", {"boot_id": None}),
        ("begin.request", {"not_after_uptime_s": None}),
        ("begin.request", {"step": []}),
        ("begin.request", {"step": [{"setting": "vnic/vmk1/mtu"}]}),
        ("begin.request", {"step": [{"setting": "vnic/vmk1;reboot/mtu", "seen": "1500", "target": "9000", "inverse": "1500"}]}),
        ("begin.request", {"step": [{"setting": "vnic/vmk1/mtu", "seen": "1500", "target": "$(reboot)", "inverse": "1500"}]}),
        ("begin.request", {"restart": "host"}),
        ("begin.request", {"deadman_s": 0}),
        ("begin.request", {"command": "reboot"}),
        ("confirm.request", {"step": [{"setting": "vnic/vmk1/mtu"}]}),
        ("read.request", {"deadman_s": 30}),
        ("confirm.answer", {"end": "plumb"}),
        ("confirm.answer", {"reason": "busy"}),
        ("begin-conflict.answer", {"reason": None}),
        ("begin-conflict.answer", {"error": None}),
        ("begin.answer", {"reason": "late"}),
        ("read.answer", {"health": {"sessions": 4}}),
    ],
)
def test_the_schema_can_fail(name: str, change: dict[str, Any]) -> None:
    assert not validator(name.rsplit(".", 1)[1]).is_valid(sample("esxi", name) | change)
