"""What DiskSpd prints when a run fails: it goes to the error output, and often stands in the same file as results. Pure."""

import re
from collections.abc import Sequence

from plumbline.core.benchmarks.run import UnreadableBenchmark
from plumbline.core.benchmarks.text import shown

FAILED = re.compile(
    r"error during overlapped IO|There has been an error during threads execution|Error generating I/O requests|Error opening file"
    r"|Failed to run test|test was interrupted|^\s*ERROR\b",
)


def refuse_failed(lines: Sequence[str]) -> None:
    """Raises `UnreadableBenchmark` at the first line that tells of a failed run."""
    for place, line in enumerate(lines, 1):
        if FAILED.search(line) and not line.lstrip().startswith("WARNING"):
            raise UnreadableBenchmark(place, f"DiskSpd did not finish: “{shown(line)}”. Nothing was imported; run it again")
