"""Reading bytes as text, and numbers as tools of many languages print them. Pure."""

import math
import re

from plumbline.core.benchmarks.run import UnreadableBenchmark

LARGEST_BYTES = 4 * 1024 * 1024
MOST_LINES = 100_000
_LONGEST_LINE = 20_000

_SIZE = re.compile(r"(\d{1,15})\s*(?:([kmgt])(?:i?b)?|b)?", re.IGNORECASE)
_POWERS = {"k": 1, "m": 2, "g": 3, "t": 4}
_MISSING = frozenset({"", "-", "n/a", "na", "nan", "inf", "-inf", "infinity"})
_NUMBER = re.compile(r"[+-]?\d{1,18}(?:[.,]\d{1,18})*")


def decode(content: bytes) -> str:
    """The text of a file, whatever wrote it: PowerShell's `>` makes UTF-16, Windows consoles a code page. Raises for anything else."""
    if len(content) > LARGEST_BYTES:
        raise UnreadableBenchmark(1, f"the file is larger than {LARGEST_BYTES // 1024 // 1024} MiB; no summary of a benchmark is")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", errors="replace")
    elif content[1:400:2].count(0) > len(content[1:400:2]) // 2:
        text = content.decode("utf-16-le", errors="replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            # Only words are affected: numbers and the tools' own headings are ASCII in every code page.
            text = content.decode("cp1252", errors="replace")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise UnreadableBenchmark(line, "this is no text file; upload what the tool printed, not an archive or a picture of it")
    if not text.strip():
        raise UnreadableBenchmark(1, "the file is empty")
    return text


def lines_of(text: str) -> list[str]:
    """The lines. Raises where there are more, or longer ones, than any tool prints."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise UnreadableBenchmark(MOST_LINES + 1, f"the file has more than {MOST_LINES:,} lines; upload the summary, not the log")
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST_LINE:
            raise UnreadableBenchmark(number, "the line is longer than any of these tools prints; the file is damaged or of another kind")
    return lines


def number(word: str, line: int) -> float | None:
    """A printed number, with a point or a comma before its decimals; None for `NaN`, `n/a` and the like.

    With both marks the last one begins the decimals. A single comma begins decimals: none of the tools groups digits with only one.
    Raises `UnreadableBenchmark` for what is no number.
    """
    word = word.strip().strip('"').replace("\u00a0", "").replace("\u202f", "").rstrip("%")
    if word.casefold() in _MISSING or "#" in word:
        return None
    found = word
    if "," in word:
        if word.count(",") > 1 or ("." in word and word.rindex(".") > word.rindex(",")):
            found = word.replace(",", "")
        else:
            found = word.replace(".", "").replace(",", ".")
    elif word.count(".") > 1:
        found = word.replace(".", "")
    if not _NUMBER.fullmatch(word) and not re.fullmatch(r"[+-]?\d{1,18}(?:\.\d{1,18})?[eE][+-]?\d{1,3}", found):
        raise UnreadableBenchmark(line, f"a number is expected, and {word[:40]!r} is printed; the line is cut or the file was changed")
    value = float(found)
    return value if math.isfinite(value) else None


def size(word: str) -> int | None:
    """`4096`, `4K`, `64KiB`, `1m` in bytes; None for anything else."""
    found = _SIZE.fullmatch(word.strip())
    if found is None:
        return None
    return int(found[1]) * 1024 ** _POWERS[found[2].casefold()] if found[2] else int(found[1])


def whole(value: float | None) -> int | None:
    """A count that was printed as a number; None where it is unknown or cannot be one."""
    return None if value is None or not 0 <= value < 2**53 else int(value)


def shown(text: str, most: int = 160) -> str:
    """A piece of the file, safe and short enough for a message."""
    plain = "".join(char if char.isprintable() else " " for char in text).strip()
    return plain if len(plain) <= most else plain[: most - 1] + "…"
