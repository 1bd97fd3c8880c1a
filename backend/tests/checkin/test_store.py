"""What the door decides from what it remembers equals what it would decide from nothing, whatever changes in whatever order."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from faults.samples import samples, sections_of
from plumbline.evaluation.waivers_in_force import ActiveWaiver
from plumbline.infra import resources
from plumbline.packs.in_force import ActiveRules
from tests.checkin.played import Played, Sections, rules_of_the_program

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.esxi.agent import EsxiMachine
from lab.host import LabHost
from lab.windows import render

STEPS = 30
_TOKEN = re.compile(r"[A-Za-z0-9.:_-]+")
_ODD: tuple[Any, ...] = (None, "", 0, 1, 2, True, False, "Enabled", "Disabled", "0", "1", "9014", "1514", [], "x")
NAMES = [f"lab/{spec.name}" for spec in fleet.load()] + [
    f"{platform}/{path.stem}" for platform in ("windows", "esxi") for path in samples(platform)
]


@pytest.fixture(scope="module")
def rules() -> ActiveRules:
    return rules_of_the_program()


@cache
def _rendered(name: str, folder: Path) -> tuple[str, dict[str, bytes]]:
    where, _, what = name.partition("/")
    if where != "lab":
        return where, sections_of(next(path for path in samples(where) if path.stem == what))
    spec = next(spec for spec in fleet.load() if spec.name == what)
    host = LabHost(spec, folder / what)
    if spec.platform == "windows":
        return "windows", render.sections(host)
    machine = EsxiMachine(host)
    host.tick()
    machine.refresh()
    command = machine.command_line(["--collect-only"])
    done = subprocess.run(command, env=machine.environment(), capture_output=True, check=True, timeout=60)
    line, *bodies = done.stdout.rstrip(b"\n").split(b"\n")
    told = [section for section, row in json.loads(line)["sections"].items() if "sha256" in row]
    return "esxi", dict(zip(told, bodies, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_every_host_through_random_changes(name: str, rules: ActiveRules, tmp_path_factory: pytest.TempPathFactory) -> None:
    platform, original = _rendered(name, tmp_path_factory.getbasetemp() / "played")
    rng = random.Random(name)
    played = Played(platform, rules, waivers(rules))
    sections: dict[str, Any] = dict(original)
    version, overrides = "1.0.0", dict[str, str]()
    assert played.check_in(sections, version, overrides)
    changes = 0
    for _ in range(STEPS):
        version, overrides = changed(sections, original, rng, version, overrides, played)
        changes += played.check_in(sections, version, overrides)
    assert changes > STEPS / 10


def waivers(rules: ActiveRules) -> list[ActiveWaiver]:
    """One on every seventh rule, wherever on the host; one of them ends when the release changes."""
    numbers = sorted(rules.by_group[1].numbers.values())[::7]
    return [ActiveWaiver(number, number, "", "", {"host//os_release": "2012r2"} if number == numbers[0] else {}) for number in numbers]


def changed(
    sections: dict[str, Any], original: Sections, rng: random.Random, version: str, overrides: dict[str, str], played: Played
) -> tuple[str, dict[str, str]]:
    """Does one thing to the sections: mostly another value somewhere, seldom a failure, a recovery, a person's word, an upgrade."""
    name = rng.choice(sorted(sections))
    kind = rng.randrange(24)
    if kind == 0:
        sections[name] = rng.choice([("failed", "time limit of 20 s"), ("unavailable", "no such feature")])
    elif kind < 4:
        failed = sorted(name for name, held in sections.items() if not isinstance(held, bytes))
        name = failed[0] if failed else name
        sections[name] = original[name]
    elif kind == 4:
        version = f"1.0.{rng.randrange(3)}"
    elif kind == 5:
        adapters = played.document.configuration.subjects("adapter") if played.document is not None else []
        if adapters:
            overrides = {rng.choice(adapters).address("role"): rng.choice(["san_iscsi", "other"])}
    elif isinstance(sections[name], bytes):
        sections[name] = edited(sections[name], rng.randrange(10_000), rng.randrange(10_000), is_row=kind < 9)
    return version, overrides


def edited(body: bytes, place: int, value: int, *, is_row: bool) -> bytes:
    """The body with one value replaced, or one row of a list dropped."""
    decoded = json.loads(body)
    places = [each for each in _places(decoded) if (isinstance(each[0], list) and isinstance(each[0][each[1]], dict)) == is_row]
    if not places:
        return body
    holder, key = places[place % len(places)]
    if is_row:
        del holder[key]
        return json.dumps(decoded, separators=(",", ":")).encode()
    old = holder[key]
    tokens = list(_TOKEN.finditer(old)) if isinstance(old, str) else []
    if len(tokens) > 5:
        at = tokens[value % len(tokens)]
        holder[key] = old[: at.start()] + tokens[place % len(tokens)][0] + old[at.end() :]
    else:
        alike = [each[0][each[1]] for each in _places(decoded) if each[1] == key]
        choices = [*alike, *_ODD]
        holder[key] = choices[value % len(choices)]
    return json.dumps(decoded, separators=(",", ":")).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)
