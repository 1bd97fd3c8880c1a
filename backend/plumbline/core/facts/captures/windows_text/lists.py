"""`Format-List`: blocks of `name : value`, a blank line between two; what does not fit goes on below, under the value."""

import re
from dataclasses import dataclass, field

from plumbline.core.facts.captures.windows_text.names import is_known, named
from plumbline.core.facts.captures.windows_text.values import Row, value_of

# A property's name starts with a letter and may carry a bracketed remark ("BaseProcessor: [Group:Number]"); what follows a name is a colon.
_PROPERTY = re.compile(r"^ {0,2}([A-Za-z_][^:]{0,80}?(?:: \[[^\]]*\])?)\s*:(?:[ \t](.*)|)$")
# Copies lose the space after the colon; then only a name that the readers know is one, since values have colons of their own.
_CLOSE_PROPERTY = re.compile(r"^ {0,2}([A-Za-z]\w*)\s*:(\S.*)$")
# The representation of a dictionary in a program's text: both sides in quotes.
_QUOTED = re.compile(r"^\s*'([^']+)'\s*:\s*'(.*)'\s*$")
# What a person put in place of lines that were left out.
_LEFT_OUT = ("...", "\u2026")
_ANY_PROPERTY = re.compile(r"^( *)[A-Za-z_][\w ()/%-]{0,60}?\s*:(?:\s|$)")
# Properties that hold a table or several lines of their own; in any other one a further line is the rest of the one above.
_SEVERAL_LINES = (
    "Capabilities",
    "HardwareCapabilities",
    "CurrentCapabilities",
    "OperationalTrafficClasses",
    "OperationalFlowControl",
    "OperationalClassifications",
    "RemoteTrafficClasses",
    "RemoteFlowControl",
    "RemoteClassifications",
)
# Shorter than this no console breaks inside a word.
_NARROWEST = 20


@dataclass(slots=True)
class _Record:
    """One block while it is read: the lines of each property's value."""

    lines: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""

    def row(self) -> Row:
        return named((label, _joined(label, lines)) for label, lines in self.lines.items())


def read_records(lines: list[str]) -> list[Row]:
    """The records of a text, by property name."""
    lines = [_QUOTED.sub(r"\1 : \2", line.expandtabs(8) if line[:1] == "\t" else line) for line in lines]
    margin = _margin(lines)
    records: list[_Record] = []
    current = _Record()
    for line in lines:
        if not line.strip():
            records.append(current)
            current = _Record()
            continue
        match = _property(line[margin:] if not line[:margin].strip() else line)
        if match is None:
            if current.last and line.strip() not in _LEFT_OUT:
                current.lines[current.last].append(line.strip())
            continue
        name = match.group(1).strip()
        if name in current.lines:
            # Copies lose the blank line between two records: a name that comes again begins the next.
            records.append(current)
            current = _Record()
        current.last = name
        current.lines[name] = [(match.group(2) or "").strip()]
    records.append(current)
    return [record.row() for record in records if record.lines]


def _property(line: str) -> re.Match[str] | None:
    close = _CLOSE_PROPERTY.match(line)
    return close if close is not None and is_known(close.group(1)) else _PROPERTY.match(line)


def leaves_out(lines: list[str]) -> bool:
    """Whether a person cut lines out of the text, and marked the place."""
    return any(line.strip() in _LEFT_OUT for line in lines)


def other_output(rows: list[Row]) -> int | None:
    """Where records of something else begin, as where another command's output was pasted below: none of their names is among the first."""
    first = set(rows[0]) if rows else set()
    return next((at for at, row in enumerate(rows) if len(row) > 1 and not first & set(row)), None)


def _margin(lines: list[str]) -> int:
    """How far a copy is indented as a whole."""
    found = [len(match.group(1)) for line in lines if (match := _ANY_PROPERTY.match(line))]
    found += [
        len(line) - len(line.lstrip()) for line in lines if (close := _CLOSE_PROPERTY.match(line.lstrip())) and is_known(close.group(1))
    ]
    return min(found, default=0)


def _joined(name: str, lines: list[str]) -> object:
    filled = [line for line in lines if line]
    if name in _SEVERAL_LINES:
        return "\n".join(filled) if len(filled) > 1 else value_of(filled[0]) if filled else None
    text = ""
    for line in filled:
        # One long word is broken where the window ends, anything else at a space.
        is_broken = len(text) >= _NARROWEST and " " not in text and not text.endswith((",", "{"))
        text += ("" if is_broken or not text else " ") + line
    return value_of(text)
