"""The fleet as data: one short file for each host over a base, and the cards that both refer to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).resolve().parent


class FleetInvalid(ValueError):
    """A file of the fleet cannot be used; the message names file and place."""


@dataclass(frozen=True)
class Behaviour:
    """What a host does apart from answering: who it is to the server, and what goes wrong in it."""

    silent_after_first: bool = False
    waits_for_approval: bool = False
    # section -> error sentence
    failing: Mapping[str, str] = field(default_factory=dict)
    # section/read -> error that comes after half of its rows (Windows)
    broken_off: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HostSpec:
    """One host as its file and its bases describe it. `number` is its place in the fleet by name, and fills addresses."""

    name: str
    number: int
    platform: str
    group: str
    cluster: str
    data: Mapping[str, Any]
    settings: Mapping[str, Any]
    behaviour: Behaviour


@dataclass(frozen=True)
class Event:
    """Something that happens to hosts by itself, minutes after the lab's first start."""

    at_minutes: float
    what: str
    hosts: tuple[str, ...]
    settings: Mapping[str, Any]


@cache
def cards() -> dict[str, dict[str, Any]]:
    """The cards: description, identities, driver and keywords."""
    found = _read(FOLDER / "cards.yaml")
    return {str(name): dict(card) for name, card in found.items()}


@cache
def load(folder: Path = FOLDER) -> tuple[HostSpec, ...]:
    """Every host of the fleet, by name."""
    files = sorted((folder / "hosts").glob("*.yaml"))
    return tuple(_host(file, number, folder) for number, file in enumerate(files, start=11))


def events(folder: Path = FOLDER) -> list[Event]:
    """What happens by itself, soonest first."""
    file = folder / "events.yaml"
    rows = yaml.safe_load(file.read_text("utf-8")) if file.exists() else []
    found = [Event(float(row["at_minutes"]), str(row["what"]), tuple(row["hosts"]), dict(row["set"])) for row in rows]
    return sorted(found, key=lambda event: event.at_minutes)


def _host(file: Path, number: int, folder: Path) -> HostSpec:
    own = _read(file)
    base = own.pop("base", None)
    if not isinstance(base, str):
        raise FleetInvalid(f"{file}: `base` is missing")
    data = _merge(_base(base, folder), own)
    settings = dict(data.pop("set", {}))
    behaviour = data.pop("behaviour", {})
    try:
        return HostSpec(
            name=file.stem,
            number=number,
            platform=str(data["platform"]),
            group=str(data["group"]),
            cluster=str(data.get("cluster", "")),
            data=data,
            settings=settings,
            behaviour=Behaviour(**behaviour),
        )
    except (KeyError, TypeError) as error:
        raise FleetInvalid(f"{file}: {error}") from error


def _base(name: str, folder: Path) -> dict[str, Any]:
    file = folder / "bases" / f"{name}.yaml"
    if not file.exists():
        raise FleetInvalid(f"{file}: no such base")
    own = _read(file)
    parent = own.pop("extends", None)
    return _merge(_base(parent, folder), own) if isinstance(parent, str) else own


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings are joined key by key, anything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        mine = merged.get(key)
        merged[key] = _merge(mine, value) if isinstance(mine, Mapping) and isinstance(value, Mapping) else value
    return merged


def _read(file: Path) -> dict[str, Any]:
    found = yaml.safe_load(file.read_text("utf-8"))
    if not isinstance(found, dict):
        raise FleetInvalid(f"{file}: a mapping was expected")
    return found
