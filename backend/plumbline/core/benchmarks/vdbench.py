"""Vdbench: its summary, totals, log and console, which share one form: a line when a run starts, intervals, and a line of averages. Pure.

Only the averages count. They leave out the first interval, or the warm-up where one was set, as the tool's manual says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from plumbline.core.benchmarks.run import MIB, Access, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, size, whole
from plumbline.core.benchmarks.vdbench_parameters import ORDER_UNKNOWN, Parameters

_TAG = re.compile(r"<[^<>\n]*>")
_TIME = r"(?P<time>\d\d:\d\d:\d\d[.,]\d{3})"
_START = re.compile(rf"(?:{_TIME}\s+)?Starting RD=(?P<name>[^;]{{1,400}});(?P<rest>.*)")
_AVERAGE = re.compile(rf"\s*(?:{_TIME})?\s*avg_(?P<first>\d{{1,9}})(?:-(?P<last>\d{{1,9}}))?\s+(?P<values>\S.*)")
_INTERVAL = re.compile(rf"\s*(?:{_TIME}\s+)?(?P<interval>\d{{1,9}})\s+(?P<values>[\d.,-].*)")
_HEADING = re.compile(r"^(?P<date>.{0,40}?)\s*\binterval\s+i/o\s+MB/sec\b", re.IGNORECASE)
_FILE_HEADING = re.compile(r"^(?P<date>.{0,40}?)\s*\.Interval\.\s+\.ReqstdOps")
_VERSION = re.compile(r"Vdbench distribution:\s*vdbench(\w{1,20})")
_SETTING = re.compile(r"\b(\w{1,30})=(\([^)]{0,80}\)|[^\s,;]{1,80})")
# The last words of a run that did not end by itself, as the tool's own code writes them.
_FAILED = re.compile(
    r"common\.failure\(\)|java\.lang\.\w*(?:Exception|Error)|prematurely terminated|terminated prematurely|Vdbench terminated"
    r"|Failure loading shared library|CTRL-C|Run terminated|Error opening lun|Vdbench: not enough",
    re.IGNORECASE,
)
_PREPARES = re.compile(r"^(?:SD_format|format_for_\S*)$", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    """A run that has begun: its line, name and settings, and the last interval seen."""

    line: int
    name: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    time: str = ""
    interval: int = 0
    average: int = 0  # the line of its averages


def read_vdbench(text: str, parameters: Parameters | None = None) -> list[BenchmarkRun]:
    """The runs of a summary, totals, log or console. Raises `UnreadableBenchmark` if any of them did not end by itself."""
    lines = [_TAG.sub("", line) for line in lines_of(text)]
    version, date = "", ""
    columns: list[str] = []
    runs: list[BenchmarkRun] = []
    current: _Open | None = None
    prepared = 0
    for place, line in enumerate(lines, 1):
        if _FAILED.search(line) and not line.lstrip().startswith("Link "):
            raise UnreadableBenchmark(place, f"Vdbench stopped with an error: “{shown(line)}”. Run it again; nothing was imported")
        if found := _VERSION.search(line):
            version = found[1]
        elif found := _HEADING.match(line):
            date = found["date"].strip() or date
            columns = _columns(lines, place)
        elif found := _FILE_HEADING.match(line):
            date = found["date"].strip() or date
            columns = _file_columns(line[found.end("date") :], place)
        elif found := _START.search(line):
            _refuse_open(current)
            settings = dict(_SETTING.findall(found["rest"]))
            current = _Open(place, found["name"].strip(), settings, found["time"] or "")
        elif found := _AVERAGE.match(line):
            current = current or _Open(place)
            if current.average:
                raise UnreadableBenchmark(place, f"a second line of averages for the run of line {current.line}; its beginning is missing")
            current.average = place
            values = _values(found["values"], columns, place)
            first = int(found["first"])
            last = int(found["last"] or first)
            if found["last"] is None:
                first = min(2, last)  # `avg_600` names the last interval alone
            if _PREPARES.match(current.name):
                prepared += 1
            elif last < first:
                raise UnreadableBenchmark(
                    place, f"run {shown(current.name, 60) or 'without a name'} has one interval only, so its averages are of nothing"
                )
            else:
                runs.append(_run(current, values, (first, last), date, version, parameters))
        elif columns and (found := _INTERVAL.match(line)) and len(found["values"].split()) == len(columns):
            if current is None or current.average:
                current = _Open(place)
            current.interval = int(found["interval"])
    _refuse_open(current)
    if not runs:
        words = "it only prepared its files" if prepared else "it has no line that begins with avg_"
        raise UnreadableBenchmark(len(lines), f"there is no finished run in this Vdbench output: {words}")
    return runs


def _refuse_open(current: _Open | None) -> None:
    if current is not None and not current.average:
        name = f"run {shown(current.name, 60)}" if current.name else "the run that begins here"
        ended = f"interval {current.interval}" if current.interval else "its first interval"
        raise UnreadableBenchmark(
            current.line, f"{name} has no line of averages (avg_…) after {ended}: it was stopped, or the file was cut. Nothing was imported"
        )


def _columns(lines: Sequence[str], place: int) -> list[str]:
    """The columns after the interval, from the two lines of a heading: `i/o rate`, `read pct` …"""
    top = lines[place - 1][re.search(r"interval", lines[place - 1], re.IGNORECASE).end() :].split()  # type: ignore[union-attr]
    below = lines[place].split() if place < len(lines) else []
    if len(top) != len(below) or len(top) < 5:
        raise UnreadableBenchmark(place, "the two lines of the heading do not have the same number of columns; the file was changed")
    return [f"{one} {other}" for one, other in zip(top, below, strict=True)]


# The groups of the file-system heading by their name, with the columns of each.
_GROUPS = {
    "reqstdops": ("ops rate", "ops resp"),
    "cpu%": ("cpu% total", "cpu% sys"),
    "read pct": ("read pct",),
    "read": ("read rate", "read resp"),
    "write": ("write rate", "write resp"),
    "mb/sec": ("mb read", "mb write"),
    "mb/sec total": ("mb total",),
    "xfer": ("xfer size",),
}


def _file_columns(heading: str, place: int) -> list[str]:
    """The columns after the interval of a file-system heading. A group in dots has two columns, `read` and `mb/sec` without dots one."""
    columns: list[str] = []
    for word in heading.split():
        name = word.strip(".").casefold()
        is_dotted = word.startswith(".")
        if name == "interval":
            continue
        if not is_dotted and name in ("read", "mb/sec"):
            name = "read pct" if name == "read" else "mb/sec total"
        columns += _GROUPS.get(name, (f"{name} rate", f"{name} resp"))
    if "mb total" not in columns or "ops rate" not in columns:
        raise UnreadableBenchmark(place, "the heading lacks the columns of requested operations or of MB/sec; the file was changed")
    return columns


def _values(words: str, columns: Sequence[str], place: int) -> dict[str, float | None]:
    if not columns:
        raise UnreadableBenchmark(place, "averages without a heading above them; the beginning of the file is missing")
    split = words.split()
    if len(split) != len(columns):
        raise UnreadableBenchmark(place, f"the averages have {len(split)} values and the heading {len(columns)} columns; the line is cut")
    values = [number(word, place) for word in split]
    return dict(zip(columns, values, strict=True))


def _run(
    current: _Open, values: dict[str, float | None], span: tuple[int, int], date: str, version: str, parameters: Parameters | None
) -> BenchmarkRun:
    is_files = "ops rate" in values
    first, last = span
    elapsed, warm_up = _seconds(current.settings.get("elapsed")), _seconds(current.settings.get("warmup"))
    interval = (elapsed + (warm_up or 0)) / last if elapsed else None
    load = Load(
        block_bytes=size(current.settings.get("xfersize", "")) or whole(values.get("xfer size" if is_files else "bytes i/o")),
        read_percent=values.get("read pct"),
        access=_access(current.settings.get("seekpct")),
        threads=whole(_seconds(current.settings.get("threads"))),
    )
    if parameters is not None:
        load = parameters.fill(current.name, load)
    mib = values.get("mb total" if is_files else "MB/sec 1024**2")
    thousand = values.get("MB/sec 1000**2")
    response = values.get("ops resp" if is_files else "resp time")
    maxima = [value for name in ("resp max", "read max", "write max") if (value := values.get(name)) is not None]
    results = Results(
        iops=values.get("ops rate" if is_files else "i/o rate"),
        read_iops=values.get("read rate"),
        write_iops=values.get("write rate"),
        bytes_per_second=mib * MIB if mib is not None else thousand * 1e6 if thousand is not None else None,
        latency_ms=response,
        read_latency_ms=values.get("read resp"),
        write_latency_ms=values.get("write resp"),
        latency_max_ms=max(maxima, default=None),
        cpu_percent=next((values[name] for name in ("cpu% sys+u", "cpu% sys+usr", "cpu% total") if name in values), None),
    )
    if results.iops is None or results.bytes_per_second is None:
        raise UnreadableBenchmark(current.average, "the averages hold no rate or no MB/sec; the run measured nothing")
    return BenchmarkRun(
        tool="vdbench",
        line=current.line,
        version=version,
        label=current.name,
        load=load,
        results=results,
        started_text=f"{date} {current.time}".strip(),
        planned_seconds=elapsed,
        warm_up_seconds=warm_up,
        measured_seconds=None if interval is None else round((last - first + 1) * interval, 3),
        parameters={**current.settings, "averages": f"intervals {first} to {last}"},
        notes=(ORDER_UNKNOWN,) if load.access == "unknown" else (),
    )


def _access(seek_percent: str | None) -> Access:
    if seek_percent is None:
        return "unknown"
    word = seek_percent.casefold()
    if word in ("seq", "sequential", "seqnz", "eof", "0", "-1"):
        return "sequential"
    if word in ("random", "rand", "100"):
        return "random"
    return "mixed"


def _seconds(word: str | None) -> float | None:
    """`120`, `10m`, `2h` as seconds; None for `(none)`."""
    found = re.fullmatch(r"(\d{1,9})([smh]?)", word or "")
    return None if found is None else float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]
