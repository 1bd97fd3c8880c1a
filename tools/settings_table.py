"""Writes the table of settings in `docs/operating/settings.md` from the settings class: names and defaults always, meanings if it has them.

    python tools/settings_table.py           # rewrites the table between the two marker comments
    python tools/settings_table.py --check   # says whether the table is up to date; exit code 1 if not

The meaning of a setting is its field's `description`; without one the page keeps its text; a new setting begins with the comment above its
field. Which process reads a setting is not known to the class, so the page keeps that column.
"""

import argparse
import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "operating" / "settings.md"
BEGIN, END = "<!-- settings table -->", "<!-- end of settings table -->"
HEAD = ["| variable | read by | default | meaning |", "|---|---|---|---|"]


def settings_class() -> Any:
    """The class of the program's settings."""
    sys.path.insert(0, str(ROOT / "backend"))
    try:
        return importlib.import_module("plumbline.infra.settings").Settings
    except ModuleNotFoundError:
        return importlib.import_module("plumbline.settings").Settings


def comments_of(settings: Any) -> dict[str, str]:
    """The comment above each field, joined to one line."""
    comments: dict[str, str] = {}
    above: list[str] = []
    for line in inspect.getsource(settings).splitlines():
        text = line.strip()
        if text.startswith("#"):
            above.append(text.removeprefix("#").strip())
            continue
        if (field := re.match(r"([a-z_]+): ", text)) and above:
            comments[field[1]] = " ".join(above)
        above = []
    return comments


def shown(default: Any) -> str:
    """A default as one would write it into the environment."""
    value = default.get_secret_value() if hasattr(default, "get_secret_value") else default
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def rows_of(table: str) -> dict[str, list[str]]:
    """The rows of a table by variable, each as its cells."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row for row in rows}


def table_of(settings: Any, before: dict[str, list[str]]) -> str:
    """The table, in the order of the page; settings that the page does not have yet come last."""
    comments = comments_of(settings)
    fields = {f"PLUMBLINE_{name.upper()}": (name, field) for name, field in settings.model_fields.items()}
    order = [name for name in before if name in fields] + [name for name in fields if name not in before]
    lines = []
    for variable in order:
        name, field = fields[variable]
        old = before.get(variable, ["", "", "", ""])
        meaning = field.description or old[3] or comments.get(name, "–")
        lines.append(f"| `{variable}` | {old[1] or '–'} | {shown(field.default)} | {meaning} |")
    return "\n".join([*HEAD, *lines])


def page_of(text: str, settings: Any) -> str:
    """The page with its table made again."""
    head, rest = text.split(BEGIN)
    table, tail = rest.split(END)
    return f"{head}{BEGIN}\n{table_of(settings, rows_of(table))}\n{END}{tail}"


def main() -> int:
    """Rewrites the page, or compares it."""
    parser = argparse.ArgumentParser(description="The table of settings in docs/operating/settings.md")
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 where the table is out of date")
    is_check = parser.parse_args().check
    now = PAGE.read_text("utf-8")
    made = page_of(now, settings_class())
    if made == now:
        print("The table of settings is up to date.")
        return 0
    if is_check:
        print("docs/operating/settings.md is out of date: run `python tools/settings_table.py`.")
        return 1
    PAGE.write_text(made, "utf-8")
    print("Wrote docs/operating/settings.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
