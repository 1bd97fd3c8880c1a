"""One row of a page of measured faults."""

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """What was done, what was seen, and what broke a promise."""

    name: str
    what: str
    seen: str
    took_seconds: float
    wrong: list[str]
    # Load of the machine (one minute) when it began.
    load_before: float = 0.0


def print_line(line: Line) -> Line:
    """Prints the row at once, so that a long run can be watched, and returns it."""
    print(f"{line.name}, {line.took_seconds:.0f} s: {line.what}: {line.seen}", *line.wrong[:20], sep="\n  ", file=sys.stderr, flush=True)
    return line
