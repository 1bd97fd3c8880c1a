"""Iometer's CSV of results: sections that begin with a quotation mark, and a line `ALL` with the totals of each run. Pure."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.benchmarks.run import MIB, Access, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, whole

_MOST_CELLS = 400


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: list[str]


def read_iometer(text: str) -> list[BenchmarkRun]:
    """A run for each `'Results` section. Raises `UnreadableBenchmark` if one has no line `ALL`, or no time stamp after it."""
    rows = _rows(lines_of(text))
    runs: list[BenchmarkRun] = []
    loads: dict[str, list[Load]] = {}
    version = time = specification = ""
    planned: float | None = None
    ramp: float | None = None
    heading: list[str] = []
    opened: _Row | None = None  # a `'Results` section without its time stamp at the end
    found: tuple[_Row, list[str]] | None = None
    section = ""
    for row in rows:
        first = row.cells[0].strip()
        if first.startswith("'"):
            section = first[1:].strip().casefold()
            if section == "results":
                if opened is not None:
                    _refuse(opened)
                opened, found = row, None
            elif section == "target type":
                heading = [cell.strip().lstrip("'") for cell in row.cells]
            elif section == "access specifications" and opened is None:
                loads = {}
            elif section.startswith("end test"):
                section = ""
            continue
        if section == "version":
            version = first
        elif section.startswith("hours"):
            planned = _run_time(row)
        elif section.startswith("ramp up time"):
            ramp = number(first, row.line)
        elif section == "time stamp":
            if opened is not None:
                if found is None:
                    _refuse(opened)
                else:
                    runs.append(_run(found[0], found[1], loads, time, version, planned, ramp))
                opened = None
            time = first
        elif section == "access specification name":
            specification = ",".join(row.cells).rpartition(",")[0].strip() if len(row.cells) > 2 else first
            loads[specification] = []
        elif section == "size" and specification in loads:
            loads[specification].append(_load(row))
        elif section == "target type" and first == "ALL":
            row = _with_whole_name(row, len(heading))
            if len(row.cells) != len(heading):
                raise UnreadableBenchmark(
                    row.line, f"the line has {len(row.cells)} cells and the heading {len(heading)} columns; the file was cut or changed"
                )
            found = (row, heading)
    if opened is not None:
        _refuse(opened)
    if not runs:
        raise UnreadableBenchmark(rows[-1].line if rows else 1, "there is no finished result in this Iometer file")
    return runs


def _refuse(opened: _Row) -> None:
    raise UnreadableBenchmark(
        opened.line, "the results that begin here have no line ALL or no time stamp after it: the run was stopped, or the file was cut"
    )


def _rows(lines: list[str]) -> list[_Row]:
    """The cells of each line. A spreadsheet that saved the file again may have put semicolons or tabs between them."""
    heading = next((line for line in lines if line.lstrip("\"' ").casefold().startswith("target type")), "")
    delimiter = max((",", ";", "\t"), key=heading.count) if heading else ","
    rows = []
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        # A result file quotes disk names in the middle of a cell, which a CSV reader takes as it is.
        try:
            cells = next(csv.reader([line], delimiter=delimiter), [])
        except csv.Error as error:
            raise UnreadableBenchmark(place, f"the line is no line of a CSV file: {error}") from None
        if len(cells) > _MOST_CELLS:
            raise UnreadableBenchmark(place, f"the line has more than {_MOST_CELLS} cells; no result of Iometer has")
        rows.append(_Row(place, cells))
    return rows


def _with_whole_name(row: _Row, columns: int) -> _Row:
    """The line with a specification's name in one cell: Iometer puts no quotation marks around a name with a comma in it."""
    extra = len(row.cells) - columns
    if extra <= 0 or columns < 3:
        return row
    return _Row(row.line, [*row.cells[:2], ",".join(row.cells[2 : 3 + extra]), *row.cells[3 + extra :]])


def _load(row: _Row) -> Load:
    """size, % of size, % reads, % random, delay, burst, align, reply."""
    if len(row.cells) < 4:
        raise UnreadableBenchmark(
            row.line, f"an access specification has at least four cells, this line {len(row.cells)}; the file was cut"
        )
    block, _, reads, share = (number(cell, row.line) for cell in row.cells[:4])
    access: Access = "unknown" if share is None else "random" if share == 100 else "sequential" if share == 0 else "mixed"
    return Load(block_bytes=whole(block), read_percent=reads, access=access)


def _run_time(row: _Row) -> float | None:
    """Hours, minutes and seconds, apart by spaces or by the file's own delimiter."""
    words = " ".join(row.cells).split()
    if len(words) != 3:
        return None
    hours, minutes, seconds = (number(word, row.line) or 0 for word in words)
    return hours * 3600 + minutes * 60 + seconds


def _run(
    row: _Row,
    heading: list[str],
    loads: Mapping[str, list[Load]],
    time: str,
    version: str,
    planned: float | None,
    ramp: float | None,
) -> BenchmarkRun:
    cells = dict(zip(heading, row.cells, strict=True))

    def value(*names: str) -> float | None:
        return next((number(cells[name], row.line) for name in names if cells.get(name, "").strip()), None)

    label = cells.get("Access Specification Name", "").strip()
    iops = value("IOps")
    mib, decimal = value("MBps (Binary)", "MBps"), value("MBps (Decimal)")
    if iops is None or (mib is None and decimal is None):
        raise UnreadableBenchmark(row.line, "the line ALL holds no IOps or no MBps; the run measured nothing")
    given = loads.get(label, [])
    load = given[0] if len(given) == 1 else Load(access="mixed" if given else "unknown")
    errors = value("Errors")
    return BenchmarkRun(
        tool="iometer",
        line=row.line,
        version=version,
        label=label,
        load=Load(
            block_bytes=load.block_bytes,
            read_percent=load.read_percent,
            access=load.access,
            threads=whole(value("# Workers")),
            outstanding=whole(value("Queue Depth")),
        ),
        results=Results(
            iops=iops,
            read_iops=value("Read IOps"),
            write_iops=value("Write IOps"),
            bytes_per_second=mib * MIB if mib is not None else (decimal or 0) * 1e6,
            latency_ms=value("Average Response Time"),
            read_latency_ms=value("Average Read Response Time"),
            write_latency_ms=value("Average Write Response Time"),
            latency_max_ms=value("Maximum Response Time"),
            cpu_percent=value("% CPU Utilization"),
            errors=errors,
        ),
        started_text=time,
        planned_seconds=planned,
        warm_up_seconds=ramp,
        parameters={"access specification": shown(label)} if label else {},
        notes=(f"{errors:.0f} requests failed during the run.",) if errors else (),
    )
