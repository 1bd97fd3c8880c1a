"""Tables as PowerShell prints them: headings of one or more lines, a line of dashes, cells to the left or to the right of their column.

A column is known by its dashes. Cells begin where the dashes begin or end where they end; a console pads East Asian text by its width on
the screen, a redirection by its characters, so both measures are tried. A copy that lost its runs of spaces is taken apart by words, as far
as that is certain; a row that cannot be taken apart is reported, never guessed.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from plumbline.core.facts.captures.decoding import cell_width
from plumbline.core.facts.captures.windows_text.names import name_of, named
from plumbline.core.facts.captures.windows_text.values import Row, value_of

_DASHES = re.compile(r"^\s*-+(?:\s+-+)*\s*$")
# Columns of free text, which hold spaces of their own; every other column holds one word.
_FREE = ("Name", "InterfaceDescription", "DisplayName", "DisplayValue", "FriendlyName", "InterfaceAlias", "Description")
# Columns whose cells may have several words; cells of other columns have one.
_SEVERAL_WORDS = (
    *_FREE, "LinkSpeed", "Size", "Status", "MediaConnectionState", "OperationalStatus", "Members", "TeamNics", "Owner", "Template",
    "Profile",
    "NetAdapterInterfaceDescription", "NetAdapterInterfaceDescriptions", "Priority", "RegistryValue", "Value", "State", "Caption", "Policy",
    "Manufacturer", "Model", "DriverProvider", "SerialNumber", "PartitionStyle", "Switch", "SwitchName", "Path", "DSMName",
)  # fmt: skip
# How far a copy edited by hand may have moved a cell.
_SLACK = 2
_SPEED = re.compile(r"(\d+(?:[.,]\d+)?) ([KMGT]?bps|[KMGTP]?B)\b")
Measure = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the dashes of each column begin and end, by one measure."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.starts)


def read_tables(lines: list[str]) -> tuple[list[Row], list[str]]:
    """The rows of every table in a text, by property name, and the lines that could not be taken apart."""
    lines = _closed([line.expandtabs(8).rstrip() for line in lines])
    rules = [at for at, line in enumerate(lines) if at and _is_rule(line) and lines[at - 1].strip()]
    rows: list[Row] = []
    odd: list[str] = []
    first: set[str] = set()
    for number, rule in enumerate(rules):
        columns = _columns(lines[rule])
        top, names = _heading(lines, rule, columns, rules[number - 1] if number else -1)
        if not names or top is None:
            continue
        titles = {name_of(name) for name in names}
        if first and not first & titles:
            # The output of another command, pasted without the line that was typed.
            odd.append(f"another table follows and is not read: {lines[top].strip()}")
            break
        first = first or titles
        end = len(lines)
        if number + 1 < len(rules):
            following = _heading(lines, rules[number + 1], _columns(lines[rules[number + 1]]), rule)[0]
            end = following if following is not None else rules[number + 1] - 1
        found, unread = _body(lines[rule + 1 : end], names, columns)
        rows.extend(found)
        odd.extend(unread)
    return rows, odd


def _closed(lines: list[str]) -> list[str]:
    """Without the blank lines that a copy put between a heading and its dashes."""
    kept: list[str] = []
    for line in lines:
        if _is_rule(line):
            while kept and not kept[-1].strip():
                kept.pop()
        kept.append(line)
    return kept


def _is_rule(line: str) -> bool:
    return bool(_DASHES.match(line)) and "--" in line


def _columns(rule: str) -> _Columns:
    found = [match.span() for match in re.finditer(r"-+", rule)]
    return _Columns(tuple(start for start, _ in found), tuple(end for _, end in found))


def _heading(lines: list[str], rule: int, columns: _Columns, above: int) -> tuple[int | None, list[str]]:
    """The first line of a heading and its names. A heading too long for its column goes on in the next line, under its own beginning."""
    parts = [""] * len(columns)
    for at in range(rule - 1, above, -1):
        if not lines[at].strip():
            break
        cells = _cells(lines[at], columns, len) or _cells(lines[at], columns, cell_width)
        if cells is None:
            break
        parts = [upper + lower for upper, lower in zip(cells, parts, strict=True)]
        if all(cells):
            return at, [part.strip() for part in parts]
    words = lines[rule - 1].split()
    return (rule - 1, words) if len(words) == len(columns) else (None, [])


def _body(lines: list[str], names: list[str], columns: _Columns) -> tuple[list[Row], list[str]]:
    kept: list[list[str]] = []
    odd: list[str] = []
    for line in lines:
        if not line.strip() or _DASHES.match(line):
            continue
        cells = _aligned(line, names, columns)
        if cells is not None and not cells[0] and kept and len(columns) > 1:
            # `Format-Table -Wrap`: what did not fit goes on below, with the columns that did fit left empty.
            kept[-1] = [_continued(upper, lower, width) for upper, lower, width in zip(kept[-1], cells, _widths(columns), strict=True)]
            continue
        cells = cells if cells is not None else _nearly(line, names, columns) or _by_words(line, names)
        if cells is None:
            odd.append(line.strip())
        else:
            kept.append(cells)
    return [named((name, value_of(cell)) for name, cell in zip(names, cells, strict=True)) for cells in kept], odd


def _widths(columns: _Columns) -> list[int]:
    return [after - start - 1 for start, after in zip(columns.starts, [*columns.starts[1:], columns.ends[-1] + 1], strict=True)]


def _continued(upper: str, lower: str, width: int) -> str:
    # A word longer than the column is broken where the column ends, anything else at a space.
    is_broken = len(upper) >= width and " " not in upper
    return upper + ("" if is_broken or not upper or not lower else " ") + lower


def _aligned(line: str, names: list[str], columns: _Columns) -> list[str] | None:
    """The cells of a row whose columns are where the dashes are. Where the dashes lost their own spaces, only words that fit count."""
    for measure in (len, cell_width):
        cells = _cells(line, columns, measure)
        if cells is not None and (not _is_collapsed(columns) or _fits(cells, names)):
            return cells
    return None


def _nearly(line: str, names: list[str], columns: _Columns) -> list[str] | None:
    cells = _cells(line, columns, len, _SLACK) or _cells(line, columns, cell_width, _SLACK)
    return cells if cells is not None and not _is_collapsed(columns) and _fits(cells, names) else None


def _is_collapsed(columns: _Columns) -> bool:
    return all(start - end == 1 for start, end in zip(columns.starts[1:], columns.ends, strict=False))


def _fits(cells: list[str], names: list[str]) -> bool:
    return all(" " not in cell or cell.startswith("{") or name_of(name) in _SEVERAL_WORDS for cell, name in zip(cells, names, strict=True))


def _cells(line: str, columns: _Columns, measure: Measure, slack: int = 0) -> list[str] | None:
    """The cells of a line by position; None where a word is under two columns or a cell is not where its column is."""
    words = [(measure(line[: match.start()]), measure(line[: match.end()]), match.group(0)) for match in re.finditer(r"\S+", line)]
    owners: list[int] = []
    for at, (start, end, _) in enumerate(words):
        under = [number for number in range(len(columns)) if start < columns.ends[number] and end > columns.starts[number]]
        if len(under) > 1:
            return None
        owners.append(under[0] if under else _beside(words, at, owners, columns))
    if owners != sorted(owners) or -1 in owners:
        return None
    cells = [""] * len(columns)
    for number in set(owners):
        mine = [word for word, owner in zip(words, owners, strict=True) if owner == number]
        is_last = number == len(columns) - 1
        is_left, is_right = abs(mine[0][0] - columns.starts[number]) <= slack, abs(mine[-1][1] - columns.ends[number]) <= slack
        if not is_left and not is_right and not (is_last and mine[0][0] >= columns.starts[number]):
            return None
        cells[number] = _spaced(mine)
    return cells


def _beside(words: list[tuple[int, int, str]], at: int, owners: list[int], columns: _Columns) -> int:
    """The column of a word between two: it goes on with the text before it, or begins one that ends under its column."""
    start, end, _ = words[at]
    if owners and start - words[at - 1][1] <= 1:
        return owners[-1]
    following = next((number for number in range(len(columns)) if columns.starts[number] >= end), None)
    if at + 1 < len(words) and words[at + 1][0] - end <= 1 and following is not None:
        return following
    # More than one space inside the text of a column to the left.
    return owners[-1] if owners else -1


def _spaced(words: list[tuple[int, int, str]]) -> str:
    """The words with as many spaces between them as were printed."""
    text = words[0][2]
    for before, word in pairwise(words):
        text += " " * (word[0] - before[1]) + word[2]
    return text


def _by_words(line: str, names: list[str]) -> list[str] | None:
    """A row whose spaces were lost: by runs of them, else by words with the surplus in the one column of free text."""
    chunks = re.split(r"\s{2,}", line.strip())
    if len(chunks) == len(names):
        return chunks
    words = [word.replace("\x00", " ") for word in _SPEED.sub("\\1\x00\\2", line).split()]
    surplus = len(words) - len(names)
    if surplus == 0:
        return words
    if surplus < 0:
        return None
    free = [number for number, name in enumerate(names) if name_of(name) in _FREE] or [0]
    if len(free) == 1:
        first, last = free[0], free[0] + surplus + 1
        return [*words[:first], " ".join(words[first:last]), *words[last:]]
    if free == list(range(free[0], free[0] + len(free))):
        # Several columns of free text side by side: where one ends and the next begins is not known.
        first, last = free[0], free[-1] + surplus + 1
        return [*words[:first], *_undivided(words[first:last], len(free)), *words[last:]]
    return None


def _undivided(words: Iterable[str], count: int) -> list[str]:
    return [" ".join(words) + "..."] * count
