"""DiskSpd's text: the command line, the parameters of each time span, then its results as tables. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from plumbline.core.benchmarks.diskspd_errors import refuse_failed
from plumbline.core.benchmarks.run import MIB, Access, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, size, whole

_COMMAND = re.compile(r"^\s*Command Line:\s*(?P<words>.*)")
_SPAN = re.compile(r"^\s*timespan:\s+(\d{1,4})\s*$")
_RESULTS = re.compile(r"^\s*Results for timespan (\d{1,4}):")
_TABLE = re.compile(r"^\s*(Total|Read|Write) IO\s*$")
_DISTRIBUTION = re.compile(r"^\s*(?:\S.{0,20})?\|\s*Read \(ms\)\s*\|\s*Write \(ms\)\s*\|\s*Total \(ms\)")
_MIX = re.compile(r"performing mix test \((read/write|write/read) ratio: (\d{1,3})/(\d{1,3})\)")
_RANDOM_SHARE = re.compile(r"using mixed random/sequential I/O \((\d{1,3})% random\)")
_T = TypeVar("_T")


@dataclass(slots=True)
class _Target:
    block_bytes: int | None = None
    read_percent: float | None = None
    access: Access = "unknown"
    outstanding: int | None = None


@dataclass(slots=True)
class _Span:
    """One time span: what was asked, then what was measured."""

    line: int
    targets: list[_Target] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    results_line: int = 0
    tables: dict[str, dict[str, float | None]] = field(default_factory=dict)
    cpu: float | None = None
    distribution_line: int = 0
    percentiles: dict[str, float | None] = field(default_factory=dict)


@dataclass(slots=True)
class _Invocation:
    line: int
    command: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    spans: dict[int, _Span] = field(default_factory=dict)


def read_diskspd_text(text: str) -> list[BenchmarkRun]:
    """A run for each time span. Raises `UnreadableBenchmark` if one has no results, or only part of them."""
    lines = lines_of(text)
    refuse_failed(lines)
    invocations: list[_Invocation] = []
    span: _Span | None = None
    table = ""
    columns: list[str] = []
    for place, line in enumerate(lines, 1):
        stripped = line.strip()
        if found := _COMMAND.match(line):
            invocations.append(_Invocation(place, found["words"].strip()))
            span, table = None, ""
        elif stripped == "Input parameters:" and (not invocations or invocations[-1].spans):
            invocations.append(_Invocation(place))
            span, table = None, ""
        elif not invocations:
            continue
        elif found := _SPAN.match(line):
            span = invocations[-1].spans.setdefault(int(found[1]), _Span(place))
        elif found := _RESULTS.match(line):
            span = invocations[-1].spans.setdefault(int(found[1]), _Span(place))
            span.results_line, table = place, ""
        elif stripped == "System information:":
            span = None
        elif span is None:
            _fact(invocations[-1].facts, stripped)
        elif not span.results_line:
            _parameter(span, stripped)
        elif found := _TABLE.match(line):
            table, columns = found[1], []
        elif _DISTRIBUTION.match(line):
            table, span.distribution_line = "percentiles", place
        elif stripped.startswith("avg.") and "|" in stripped:
            span.cpu = number(stripped.split("|")[1], place)
        elif table == "percentiles" and stripped.count("|") == 3:
            cells = [cell.strip() for cell in stripped.split("|")]
            span.percentiles[cells[0]] = number(cells[3], place)
        elif table and stripped.startswith("thread |"):
            columns = [cell.strip() for cell in stripped.split("|")[1:]]
        elif table and stripped.startswith("total:") and "|" in stripped:
            span.tables[table] = _total(stripped, columns, place)
            table = ""
        elif not table:
            _fact(span.facts, stripped)
    runs = [_run(each, spans) for each in invocations for spans in each.spans.values()]
    for each in invocations:
        if not each.spans:
            raise UnreadableBenchmark(each.line, "the command has no parameters and no results after it: the file was cut")
    if not runs:
        raise UnreadableBenchmark(len(lines), "there is no time span in this DiskSpd output; its beginning is missing")
    return runs


def _fact(facts: dict[str, str], line: str) -> None:
    name, colon, value = line.partition(":")
    if colon and len(name) < 40 and "|" not in name and len(facts) < 100:
        facts.setdefault(name.strip(), value.strip())


def _parameter(span: _Span, line: str) -> None:
    if line.startswith("path:"):
        span.targets.append(_Target())
        return
    if not span.targets:
        _fact(span.facts, line)
        return
    target = span.targets[-1]
    if line == "performing read test":
        target.read_percent = 100.0
    elif line == "performing write test":
        target.read_percent = 0.0
    elif found := _MIX.search(line):
        target.read_percent = float(found[2] if found[1] == "read/write" else found[3])
    elif line.startswith("block size:"):
        target.block_bytes = size(line.partition(":")[2])
    elif line.startswith("using random I/O"):
        target.access = "random"
    elif _RANDOM_SHARE.search(line):
        target.access = "mixed"
    elif re.match(r"using (?:interlocked )?sequential I/O", line):
        target.access = "sequential"
    elif line.startswith("number of outstanding I/O operations"):
        target.outstanding = int(found[1]) if (found := re.search(r":\s*(\d{1,9})$", line)) else None


def _total(line: str, columns: list[str], place: int) -> dict[str, float | None]:
    cells = [cell.strip() for cell in line.partition("total:")[2].split("|")]
    if not columns or len(cells) != len([name for name in columns if name != "file"]):
        raise UnreadableBenchmark(place, f"the totals have {len(cells)} values and the heading of the table has others; the line is cut")
    return {name: number(cell, place) for name, cell in zip(columns, cells, strict=False)}


def _run(invocation: _Invocation, span: _Span) -> BenchmarkRun:
    if not span.results_line:
        raise UnreadableBenchmark(span.line, "the time span has no results: the run was stopped, or the file was cut. Nothing was imported")
    for name in ("Total", "Read", "Write"):
        if name not in span.tables:
            raise UnreadableBenchmark(
                span.results_line, f"the results lack the totals of “{name} IO”: the run was stopped, or the file was cut"
            )
    if span.distribution_line and "max" not in span.percentiles:
        raise UnreadableBenchmark(
            span.distribution_line, "the table of latencies has no line “max”: the file was cut. Nothing was imported"
        )
    total, reads, writes = (span.tables[name] for name in ("Total", "Read", "Write"))
    mib = total.get("MiB/s", total.get("MB/s"))
    if total.get("I/O per s") is None or mib is None:
        raise UnreadableBenchmark(span.results_line, "the totals hold no requests or bytes a second; the run measured nothing")
    started = invocation.facts.get("start time", "")
    return BenchmarkRun(
        tool="diskspd",
        line=invocation.line,
        load=Load(
            block_bytes=_same([each.block_bytes for each in span.targets]),
            read_percent=_same([each.read_percent for each in span.targets]),
            access=_same([each.access for each in span.targets]) or ("mixed" if span.targets else "unknown"),
            threads=whole(_plain(span.facts.get("thread count"))),
            outstanding=_same([each.outstanding for each in span.targets]),
        ),
        results=Results(
            iops=total["I/O per s"],
            read_iops=reads.get("I/O per s"),
            write_iops=writes.get("I/O per s"),
            bytes_per_second=mib * MIB,
            latency_ms=total.get("AvgLat"),
            read_latency_ms=reads.get("AvgLat"),
            write_latency_ms=writes.get("AvgLat"),
            latency_p99_ms=span.percentiles.get("99th"),
            latency_max_ms=span.percentiles.get("max"),
            cpu_percent=span.cpu,
        ),
        label=shown(invocation.command, 400),
        computer=invocation.facts.get("computer name", ""),
        started_text=started,
        started_at=_utc(started),
        planned_seconds=_plain(span.facts.get("duration")),
        warm_up_seconds=_plain(span.facts.get("warm up time")),
        measured_seconds=_plain(span.facts.get("actual test time")),
        parameters={"command": shown(invocation.command, 400)} if invocation.command else {},
    )


def _same(values: Sequence[_T]) -> _T | None:
    return values[0] if values and all(each == values[0] for each in values) else None


def _plain(word: str | None) -> float | None:
    found = re.fullmatch(r"(\d{1,9}(?:[.,]\d{1,6})?)\s*s?", word or "")
    return float(found[1].replace(",", ".")) if found else None


def _utc(words: str) -> datetime | None:
    try:
        return datetime.strptime(words, "%Y/%m/%d %H:%M:%S UTC").replace(tzinfo=UTC)
    except ValueError:
        return None
