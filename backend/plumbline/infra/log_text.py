"""Text of other machines in the log: no value can begin a line of its own, or steer the terminal of the person who reads it.

As JSON (`PLUMBLINE_LOG_JSON`) a value is quoted anyway. On the console structlog prints a value as it is unless it holds white space, and a
traceback, with the message of its exception, over several lines.
"""

from collections.abc import MutableMapping
from typing import Any

import structlog

# Control characters (C0 but tab and line feed, DEL, C1), and the separators that some readers take for the end of a line.
_ESCAPED = {
    number: f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
    for number in (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029)
}


def escape(text: str) -> str:
    """The text with control characters spelt out."""
    return text.translate(_ESCAPED)


def escape_values(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor of structlog, for the console: spells control characters out, and indents tracebacks so that each entry begins a line."""
    for name, value in entry.items():
        if name == "exception":
            entry[name] = escape("  " + str(value).replace("\n", "\n  "))
        elif isinstance(value, str):
            # Not `repr` for every value: most are plain words.
            entry[name] = escape(value).replace("\n", "\\n")
    return entry


def configure_logs(*, as_json: bool) -> None:
    """Sets how this process logs. Without it structlog draws tracebacks with the values of all local variables."""
    lines: list[Any] = [structlog.processors.JSONRenderer()] if as_json else [escape_values, structlog.dev.ConsoleRenderer(colors=False)]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            *lines,
        ]
    )
