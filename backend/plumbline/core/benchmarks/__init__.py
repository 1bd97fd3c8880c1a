"""Outputs of Vdbench, DiskSpd, NTttcp and Iometer, read as runs. A file's content tells which tool wrote it, not its name. Pure."""

import re
from collections.abc import Callable

from plumbline.core.benchmarks import vdbench_flatfile
from plumbline.core.benchmarks.diskspd_errors import FAILED
from plumbline.core.benchmarks.diskspd_text import read_diskspd_text
from plumbline.core.benchmarks.diskspd_xml import read_diskspd_xml
from plumbline.core.benchmarks.iometer import read_iometer
from plumbline.core.benchmarks.ntttcp_linux import read_ntttcp_linux
from plumbline.core.benchmarks.ntttcp_windows import read_ntttcp_windows
from plumbline.core.benchmarks.ntttcp_xml import read_ntttcp_xml
from plumbline.core.benchmarks.run import BenchmarkRun, UnreadableBenchmark
from plumbline.core.benchmarks.text import decode
from plumbline.core.benchmarks.vdbench import read_vdbench
from plumbline.core.benchmarks.vdbench_parameters import Parameters, read_parameters

__all__ = ["BenchmarkRun", "UnreadableBenchmark", "read_benchmark"]

MOST_RUNS = 500

Reader = Callable[[str, Parameters | None], list[BenchmarkRun]]

_VDBENCH = re.compile(
    r"Vdbench (?:distribution|summary|execution)|Starting RD=|\binterval\s+i/o\s+MB/sec\b|\.Interval\.\s+\.ReqstdOps|<title>Vdbench "
)
_READERS: tuple[tuple[str, re.Pattern[str], Reader], ...] = (
    ("DiskSpd", re.compile(r"<Results[\s>]"), lambda text, _: read_diskspd_xml(text)),
    ("NTttcp", re.compile(r"<ntttcp[sr][\s>]"), lambda text, _: read_ntttcp_xml(text)),
    ("NTttcp", re.compile(r"NTTTCP for Linux"), lambda text, _: read_ntttcp_linux(text)),
    ("NTttcp", re.compile(r"Copyright Version\s+\d|Throughput\(KB/s\)"), lambda text, _: read_ntttcp_windows(text)),
    ("Iometer", re.compile(r"^\W{0,3}'(?:Access specifications|Target Type|Results)\b", re.MULTILINE), lambda text, _: read_iometer(text)),
    ("DiskSpd", re.compile(rf"^\s{{0,40}}(?:Input parameters:|Results for timespan \d|Command Line:.*diskspd)|{FAILED.pattern}",
                           re.MULTILINE | re.IGNORECASE), lambda text, _: read_diskspd_text(text)),
    ("Vdbench", re.compile(r"^\s{0,200}tod\s+timestamp\s+Run\s", re.MULTILINE), vdbench_flatfile.read_flatfile),
    ("Vdbench", _VDBENCH, read_vdbench),
)  # fmt: skip


def read_benchmark(content: bytes, *, parameter_file: bytes | None = None) -> list[BenchmarkRun]:
    """The runs of a file, at least one. Raises `UnreadableBenchmark`, and nothing else, for what is not wholly such a file.

    `parameter_file` is what Vdbench was started with: its summary does not say whether requests were random.
    """
    text = decode(content)
    parameters = read_parameters(decode(parameter_file)) if parameter_file else None
    matching = [(name, reader) for name, pattern, reader in _READERS if pattern.search(text)]
    if not matching:
        raise UnreadableBenchmark(
            1,
            "this is no output of Vdbench, DiskSpd, NTttcp or Iometer that is known here; upload what the tool wrote, whole and unchanged",
        )
    if len({name for name, _ in matching}) > 1:
        names = " and ".join(sorted({name for name, _ in matching}))
        raise UnreadableBenchmark(1, f"the file holds output of {names}; upload them as separate files")
    runs = matching[0][1](text, parameters)
    if len(runs) > MOST_RUNS:
        raise UnreadableBenchmark(runs[MOST_RUNS].line, f"the file holds more than {MOST_RUNS} runs; split it")
    return runs
