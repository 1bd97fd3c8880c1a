"""YAML with line numbers: each value's line in the file is known, so that every error about a pack can name it."""

import re
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from plumbline.infra.errors import RulesetInvalid

Steps = tuple[str | int, ...]
# The same reader in C where the wheel has it; it is some ten times faster.
_FASTEST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# In YAML 1.1 a number may be written in base 60: `1:30` would be 90, `22:22` 1342. No author means that.
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?")


class _Loader(_FASTEST):  # type: ignore[misc, valid-type]
    """Reads what looks like a number in base 60 as the text that it is."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        if kind is yaml.ScalarNode and implicit[0] and _BASE_60.fullmatch(value):
            return "tag:yaml.org,2002:str"
        return str(super().resolve(kind, value, implicit))


class Located:
    """A document with the line of each of its values, by the steps (names and indexes) that lead there."""

    def __init__(self, path: str, data: Any, lines: dict[Steps, int]) -> None:
        self.path = path
        self.data = data
        self._lines = lines

    def line(self, steps: Steps) -> int:
        """The line of a value, or of the nearest value around it that has one."""
        while steps and steps not in self._lines:
            steps = steps[:-1]
        return self._lines.get(steps, 1)

    def wrong(self, steps: Steps, message: str) -> RulesetInvalid:
        """The error about a value: `file:line: message`."""
        return RulesetInvalid(f"{self.path}:{self.line(steps)}: {message}", file=self.path, line=self.line(steps))


def steps_of(json_path: str) -> Steps:
    """The steps of a path as msgspec writes it. `[...]` (some member of a mapping) ends what can be located."""
    steps: list[str | int] = []
    for name, index in re.findall(r"\.([^.\[\]]+)|\[([^\]]*)\]", json_path):
        if name:
            steps.append(name)
        elif index.isdigit():
            steps.append(int(index))
        else:
            break
    return tuple(steps)


def read(path: Path, shown_as: str = "") -> Located:
    """Reads one YAML file. Refuses what is no YAML, a duplicate name, an alias, and anything that is not plain data."""
    name = shown_as or str(path)
    try:
        return parse(path.read_text(encoding="utf-8"), name)
    except UnicodeDecodeError as error:
        raise RulesetInvalid(f"{name}:1: this is not UTF-8 text ({error.reason})", file=name, line=1) from error


def parse(text: str, name: str) -> Located:
    """The same for text in hand."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = (error.problem_mark.line if error.problem_mark else 0) + 1
        raise RulesetInvalid(f"{name}:{line}: this is not YAML: {error.problem}", file=name, line=line) from error
    except yaml.YAMLError as error:
        raise RulesetInvalid(f"{name}:1: this is not YAML: {error}", file=name, line=1) from error
    if node is None:
        raise RulesetInvalid(f"{name}:1: the file is empty", file=name, line=1)
    reader = _Reader(name)
    return Located(name, reader.construct(node, ()), reader.lines)


class _Reader:
    """Turns nodes into plain data and notes their lines."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[Steps, int] = {}
        self._scalars = SafeConstructor()
        self._seen: set[int] = set()

    def construct(self, node: yaml.Node, steps: Steps) -> Any:
        line = node.start_mark.line + 1
        self.lines[steps] = line
        if id(node) in self._seen:
            raise self._wrong(line, "aliases are not used in rules; write the value out")
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, steps)
        if isinstance(node, yaml.SequenceNode):
            return [self.construct(each, (*steps, index)) for index, each in enumerate(node.value)]
        if node.tag.endswith((":int", ":float")) and _BASE_60.fullmatch(node.value):
            raise self._wrong(line, f"{node.value} would be a number in base 60; write it in base 10, or as text")
        try:
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise self._wrong(line, f"this is not plain data ({node.tag})") from error

    def _mapping(self, node: yaml.MappingNode, steps: Steps) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            if key in mapping:
                raise self._wrong(line, f"{key!r} is here twice")
            mapping[key] = self.construct(value_node, (*steps, key))
            # A name's own line is more useful than that of a value further down.
            self.lines[(*steps, key)] = line
        return mapping

    def _wrong(self, line: int, message: str) -> RulesetInvalid:
        return RulesetInvalid(f"{self.name}:{line}: {message}", file=self.name, line=line)
