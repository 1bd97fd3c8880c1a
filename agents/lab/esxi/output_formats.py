"""The forms in which ESXi prints a command's answer: text, xml and json of one and the same structures."""

import json
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

Row = dict[str, Any]
_NAMESPACE = "http://www.vmware.com/Products/ESX/5.0/esxcli"


@dataclass(frozen=True)
class Answer:
    """What one command answers. `kind` is table, records, single, value (one bare value), text or error."""

    kind: str
    type_name: str = ""
    rows: tuple[Row, ...] = ()
    # The field that heads each record in text.
    head: str = ""
    text: str = ""
    exit: int = 0
    # Fields of the structures that the text leaves out: a heading shows them, or the shell has no use for them.
    hidden: tuple[str, ...] = ()
    # The title above a single block.
    title: str = ""

    def as_text(self) -> str:
        """As a person sees it."""
        if self.kind in ("text", "error"):
            return self.text
        if self.kind == "value":
            return f"{_plain(self.rows[0]['value'])}\n"
        if self.kind == "table":
            return _table(tuple(self._shown(row) for row in self.rows))
        blocks = []
        for row in self.rows:
            lines = [f"   {line}" for line in _lines(self._shown(row))]
            heading = [str(row[self.head])] if self.kind == "records" else [self.title] if self.title else []
            blocks.append("\n".join([*heading, *lines]))
        return "\n\n".join(blocks) + ("\n" if blocks else "")

    def _shown(self, row: Row) -> Row:
        return {title: item for title, item in row.items() if title not in self.hidden} if self.hidden else row

    def as_xml(self) -> str:
        """As `--formatter=xml` prints it; what has no structure stays text."""
        if self.kind in ("text", "error"):
            return self.text
        if self.kind == "value":
            inner = _xml_value(self.rows[0]["value"], 1)
        elif self.kind == "single":
            inner = _xml_structure(self.type_name, self.rows[0], 1)
        else:
            inner = '   <list type="structure">\n' + "".join(_xml_structure(self.type_name, row, 2) for row in self.rows) + "   </list>\n"
        return f'<?xml version="1.0" encoding="utf-8"?>\n<output xmlns="{_NAMESPACE}">\n<root>\n{inner}</root>\n</output>\n'

    def as_json(self) -> str:
        """As `--formatter=json` prints it."""
        if self.kind in ("text", "error"):
            return self.text
        if self.kind == "value":
            return json.dumps(self.rows[0]["value"])
        rows = [_json_row(row) for row in self.rows]
        return json.dumps(rows[0] if self.kind == "single" else rows).replace("/", "\\/")


def table(type_name: str, rows: list[Row], *, hidden: tuple[str, ...] = ()) -> Answer:
    """Columns under headers; `hidden` columns are in the structures only."""
    return Answer("table", type_name, tuple(rows), hidden=hidden)


def records(type_name: str, head: str, rows: list[Row], *, hidden: tuple[str, ...] = ()) -> Answer:
    """Blocks, each headed by one of its fields; `hidden` fields are in the structures only."""
    return Answer("records", type_name, tuple(rows), head, hidden=hidden)


def single(type_name: str, row: Row, *, title: str = "", hidden: tuple[str, ...] = ()) -> Answer:
    """One block, in text under a title where it has one."""
    return Answer("single", type_name, (row,), title=title, hidden=hidden)


def refused(words: str) -> Answer:
    """A command that ends with exit code 1 and these words."""
    return Answer("error", text=f"{words}\n", exit=1)


def value(bare: Any) -> Answer:
    """One bare value."""
    return Answer("value", rows=({"value": bare},))


def text(body: str) -> Answer:
    """A program that knows no formatter."""
    return Answer("text", text=body)


def no_such_command(command: str) -> Answer:
    """A namespace that this release does not have."""
    return Answer("error", text=f"Error: Unknown command or namespace {command.removeprefix('esxcli ')}\n", exit=1)


def _key(title: str) -> str:
    return title.replace(" ", "").replace("(", "").replace(")", "").replace("/", "")


def _plain(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, list):
        return ", ".join(_plain(part) for part in item)
    return str(item)


def _lines(row: Row) -> list[str]:
    lines = []
    for title, item in row.items():
        if isinstance(item, dict):
            lines.append(f"{title}:")
            lines += [f"      {line}" for line in _lines(item)]
        else:
            lines.append(f"{title}: {_plain(item)}")
    return lines


def _table(rows: tuple[Row, ...]) -> str:
    if not rows:
        return ""
    titles = list(rows[0])
    widths = {title: max(len(title), *(len(_plain(row[title])) for row in rows)) for title in titles}
    right = {title for title in titles if all(isinstance(row[title], int) and not isinstance(row[title], bool) for row in rows)}

    def line(cells: dict[str, str]) -> str:
        return "  ".join(
            cells[title].rjust(widths[title]) if title in right else cells[title].ljust(widths[title]) for title in titles
        ).rstrip()

    head = line({title: title for title in titles})
    rule = "  ".join("-" * widths[title] for title in titles)
    return "\n".join([head, rule, *(line({title: _plain(row[title]) for title in titles}) for row in rows)]) + "\n"


def _xml_structure(type_name: str, row: Row, depth: int) -> str:
    pad = "   " * depth
    fields = "".join(
        f'{pad}   <field name="{escape(_key(title))}">\n{_xml_value(row[title], depth + 2, title)}{pad}   </field>\n'
        for title in sorted(row, key=_key)
    )
    return f'{pad}<structure typeName="{type_name}">\n{fields}{pad}</structure>\n'


def _xml_value(item: Any, depth: int, title: str = "") -> str:
    pad = "   " * depth
    if isinstance(item, bool):
        return f"{pad}<boolean>{_plain(item)}</boolean>\n"
    if isinstance(item, int):
        return f"{pad}<integer>{item}</integer>\n"
    if isinstance(item, list):
        inner = "".join(_xml_value(part, depth + 1) for part in item)
        return f'{pad}<list type="string">\n{inner}{pad}</list>\n'
    if isinstance(item, dict):
        return _xml_structure(_key(title), item, depth)
    return f"{pad}<string>{escape(str(item))}</string>\n"


def _json_row(row: Row) -> Row:
    return {_key(title): _json_row(item) if isinstance(item, dict) else item for title, item in row.items()}
