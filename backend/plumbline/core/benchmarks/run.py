"""What a benchmark tool's output says: its runs, each with its load and its results. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Literal

Tool = Literal["vdbench", "diskspd", "ntttcp", "iometer"]
Access = Literal["random", "sequential", "mixed", "unknown"]

MIB = 1024 * 1024


class UnreadableBenchmark(ValueError):
    """The output cannot be imported: `line` (from 1) is where, `reason` what is wrong and what to do. Nothing of the file counts."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Load:
    """What was asked of the host. None, or `unknown`, is what the output does not say.

    `read_percent` is what was requested where the output says so, otherwise what was measured. `outstanding` is requests for each thread.
    """

    block_bytes: int | None = None
    read_percent: float | None = None
    access: Access = "unknown"
    threads: int | None = None
    outstanding: int | None = None
    protocol: Literal["", "tcp", "udp"] = ""  # of a network test, empty for one of storage


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured, over the run and all of its targets. None is what the output does not say."""

    iops: float | None = None
    read_iops: float | None = None
    write_iops: float | None = None
    bytes_per_second: float | None = None
    latency_ms: float | None = None
    read_latency_ms: float | None = None
    write_latency_ms: float | None = None
    latency_p99_ms: float | None = None
    latency_max_ms: float | None = None
    cpu_percent: float | None = None
    retransmits: float | None = None
    retransmit_percent: float | None = None
    errors: float | None = None


RESULT_NAMES: tuple[str, ...] = tuple(each.name for each in fields(Results))


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """One finished run.

    `line` is where it begins in the file, `label` the name that its author gave it, which says nothing reliable about the load.
    `planned_seconds` is how long it was to measure, `measured_seconds` how long it did. `started_at` is known only where the output gives
    the time in UTC; `started_text` is the time as printed.
    """

    tool: Tool
    line: int
    load: Load
    results: Results
    version: str = ""
    label: str = ""
    role: Literal["", "sender", "receiver"] = ""
    computer: str = ""
    started_text: str = ""
    started_at: datetime | None = None
    planned_seconds: float | None = None
    warm_up_seconds: float | None = None
    measured_seconds: float | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
