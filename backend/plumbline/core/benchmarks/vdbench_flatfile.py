"""Vdbench's flatfile: one line of names, then a line for each interval and for the averages of each run. Pure."""

import re
from datetime import UTC, datetime

from plumbline.core.benchmarks.run import MIB, Access, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, whole
from plumbline.core.benchmarks.vdbench_parameters import ORDER_UNKNOWN, Parameters

_TAG = re.compile(r"<[^<>\n]*>")
_PREPARES = re.compile(r"^(?:SD_format|format_for_\S*)$", re.IGNORECASE)


def is_heading(line: str) -> bool:
    """Whether the line names the columns of a flatfile."""
    words = line.split()
    return "tod" in words and "Run" in words and "Interval" in words


def read_flatfile(text: str, parameters: Parameters | None = None) -> list[BenchmarkRun]:
    """The runs of a flatfile, from their lines of averages. Raises `UnreadableBenchmark` if a run has none."""
    names: list[str] = []
    runs: list[BenchmarkRun] = []
    open_run: tuple[str, int] | None = None
    started = ""
    lines = lines_of(text)
    for place, raw in enumerate(lines, 1):
        line = _TAG.sub("", raw)
        if is_heading(line):
            names = line.split()
            continue
        if not names or not line.strip() or line.lstrip().startswith("*"):
            continue
        words = line.split()
        if len(words) != len(names):
            raise UnreadableBenchmark(place, f"the line has {len(words)} values and the heading {len(names)} columns; the file is cut")
        row = dict(zip(names, words, strict=True))
        run = row["Run"]
        if open_run is None or open_run[0] != run:
            _refuse(open_run)
            open_run, started = (run, place), row.get("timestamp", "")
        if not row["Interval"].startswith("avg_"):
            continue
        if not _PREPARES.match(run):
            runs.append(_run(row, place, open_run[1], started, parameters))
        open_run = None
    _refuse(open_run)
    if not runs:
        raise UnreadableBenchmark(len(lines), "there is no line of averages (avg_…) of a measured run in this flatfile")
    return runs


def _refuse(open_run: tuple[str, int] | None) -> None:
    if open_run is not None:
        name, place = open_run
        raise UnreadableBenchmark(
            place, f"run {shown(name, 60)} has no line of averages (avg_…): it was stopped, or the file was cut. Nothing was imported"
        )


def _run(row: dict[str, str], place: int, first_line: int, started: str, parameters: Parameters | None) -> BenchmarkRun:
    def value(*columns: str) -> float | None:
        return next((number(row[name], place) for name in columns if name in row), None)

    span = re.fullmatch(r"avg_(\d{1,9})-(\d{1,9})", row["Interval"])
    if span is not None and int(span[2]) < int(span[1]):
        raise UnreadableBenchmark(place, f"run {shown(row['Run'], 60)} has one interval only, so its averages are of nothing")
    reads, writes = value("Read_rate"), value("Write_rate")
    total = (reads or 0.0) + (writes or 0.0)
    measured_reads = value("read%") if "read%" in row else (100 * (reads or 0.0) / total if total else None)
    requested_reads = value("rdpct") if row.get("rdpct", "n/a") not in ("n/a", "-1", "-1.0000") else None
    mib = value("MB/sec")
    results = Results(
        iops=value("rate"),
        read_iops=reads,
        write_iops=writes,
        bytes_per_second=None if mib is None else mib * MIB,
        latency_ms=value("resp"),
        read_latency_ms=value("Read_resp", "read_resp"),
        write_latency_ms=value("Write_resp", "write_resp"),
        latency_max_ms=value("resp_max"),
        cpu_percent=value("cpu_used"),
    )
    if results.iops is None or results.bytes_per_second is None:
        raise UnreadableBenchmark(place, "the averages hold no rate or no MB/sec; the run measured nothing")
    load = Load(
        block_bytes=whole(value("Xfersize", "xfersize")) or whole(value("bytes/io")),
        read_percent=measured_reads if requested_reads is None else requested_reads,
        access=_access(row.get("seekpct")),
        threads=whole(value("threads")),
    )
    if parameters is not None:
        load = parameters.fill(row["Run"], load)
    return BenchmarkRun(
        tool="vdbench",
        line=first_line,
        label=row["Run"],
        load=load,
        results=results,
        started_text=started,
        started_at=_utc(started),
        parameters={"averages": f"intervals {span[1]} to {span[2]}"} if span else {},
        notes=(ORDER_UNKNOWN,) if load.access == "unknown" else (),
    )


def _access(word: str | None) -> Access:
    try:
        seek = float((word or "").replace(",", "."))
    except ValueError:
        return "unknown"
    return "random" if seek == 100 else "sequential" if seek <= 0 else "mixed"


def _utc(timestamp: str) -> datetime | None:
    """`03/11/2021-09:10:24-UTC`; other zones are abbreviations that mean several places."""
    found = re.fullmatch(r"(\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d)-(?:UTC|GMT)", timestamp)
    try:
        return datetime.strptime(found[1], "%m/%d/%Y-%H:%M:%S").replace(tzinfo=UTC) if found else None
    except ValueError:
        return None
