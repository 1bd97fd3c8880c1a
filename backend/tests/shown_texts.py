"""Every text of the backend that a person may read, taken from the source: problem details, notifications, reports, command line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "plumbline"
# SQL, and what only a program reads. `log.warning("event", …)` is left out by its call.
_SQL = re.compile(r"\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|CREATE|ALTER|GRANT|REVOKE|WHERE|ORDER BY|JOIN|EXECUTE|BEGIN|COALESCE)\b")
_COMMAND = ("command", "callback")


class Shown(NamedTuple):
    where: str  # the file below plumbline/, and the line
    text: str  # what is inserted stands in it as {}


def texts() -> Iterator[Shown]:
    """Strings with a blank in them, the help of commands, and the text of the reports' templates."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield from texts_of(path.relative_to(PACKAGE).as_posix(), path.read_text())
    for path in sorted(PACKAGE.rglob("*.typ")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.lstrip().startswith("//"):
                yield Shown(f"{path.relative_to(PACKAGE).as_posix()}:{number}", line.strip())


def texts_of(name: str, source: str) -> Iterator[Shown]:
    """The texts of one module."""
    tree = ast.parse(source)
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))  # a docstring
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log."):
            hidden.update(id(part) for part in ast.walk(node))
        if isinstance(node, ast.JoinedStr):
            hidden.update(id(part) for part in node.values)
        if isinstance(node, ast.FunctionDef) and _is_command(node) and (help_text := ast.get_docstring(node)):
            yield Shown(f"{name}:{node.lineno}", " ".join(help_text.split()))
    for node in ast.walk(tree):
        text = _text_of(node) if id(node) not in hidden else None
        if text and " " in text.strip() and not _SQL.search(text):
            yield Shown(f"{name}:{getattr(node, 'lineno', 0)}", " ".join(text.split()))


def _is_command(function: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Call) and ast.unparse(each.func).endswith(_COMMAND) for each in function.decorator_list)


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None
