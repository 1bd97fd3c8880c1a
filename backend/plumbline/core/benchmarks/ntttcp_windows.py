"""NTttcp for Windows: its text, which prints totals as small tables under rules of `=`. Pure."""

import re

from plumbline.core.benchmarks.run import MIB, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, size

_VERSION = re.compile(r"Copyright Version\s+(\d{1,3}\.\d{1,4})")
_COMMAND = re.compile(r"ntttcp(?:\.exe)?[\"']?\s+(?P<options>-.*)", re.IGNORECASE)
_RULE = re.compile(r"\s*={3,}(?:\s+={3,})*\s*")
_FAILED = re.compile(r"^\s*(?:ERROR|Error|FATAL)\b.*")
# The columns of the totals by the words of their heading. Some editions print all in one table, others in five.
_COLUMNS = (
    "Bytes(MEG)", "realtime(s)", "Avg Frame Size", "Throughput(MB/s)", "Throughput(Buffers/s)", "Cycles/Byte", "Buffers", "DPCs(count/s)",
    "Pkts(num/DPC)", "Intr(count/s)", "Pkts(num/intr)", "Packets Sent", "Packets Received", "Retransmits", "Errors", "Avg. CPU %",
)  # fmt: skip
_NAMES = re.compile("|".join(re.escape(name) for name in sorted(_COLUMNS, key=len, reverse=True)))
_NEEDED = ("Bytes(MEG)", "realtime(s)", "Throughput(MB/s)", "Retransmits", "Avg. CPU %")


def read_ntttcp_windows(text: str) -> list[BenchmarkRun]:
    """A run for each `Copyright Version` line. Raises `UnreadableBenchmark` if one has no totals, or only part of them."""
    lines = lines_of(text)
    starts = [place for place, line in enumerate(lines, 1) if _VERSION.search(line)]
    if not starts:
        # A copy that begins below the banner.
        starts = [next((place for place, line in enumerate(lines, 1) if line.strip()), 1)]
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    return [_run(lines, start, end) for start, end in zip(starts, ends, strict=True)]


def _run(lines: list[str], start: int, end: int) -> BenchmarkRun:
    command_line, options = _command(lines, start)
    version = found[1] if (found := _VERSION.search(lines[start - 1])) else ""
    totals: dict[str, float | None] = {}
    in_totals = False
    threads = 0
    for place in range(start, end + 1):
        line = lines[place - 1]
        if "Totals:" in line:
            in_totals = True
        elif _FAILED.match(line):
            raise UnreadableBenchmark(place, f"NTttcp did not finish: “{shown(line)}”. Nothing was imported; run it again")
        elif not in_totals:
            threads += re.match(r"\s*\d{1,6}\s+[\d.,]+\s+[\d.,]+\s+[\d.,]+\s*$", line) is not None
        elif _RULE.fullmatch(line) and place > start:
            names = _NAMES.findall(lines[place - 2])
            cells = lines[place].split() if place < end else []
            if names and len(cells) != len(names):
                raise UnreadableBenchmark(place, f"{len(names)} columns are named here and {len(cells)} values follow; the file was cut")
            totals |= {name: number(cell, place + 1) for name, cell in zip(names, cells, strict=False)}
    if not in_totals:
        raise UnreadableBenchmark(command_line, "the run has no totals: it was stopped, or the file was cut. Nothing was imported")
    if missing := [name for name in _NEEDED if name not in totals]:
        raise UnreadableBenchmark(command_line, f"the totals lack {', '.join(missing)}: the file was cut. Nothing was imported")
    mib, seconds = totals["Bytes(MEG)"], totals["realtime(s)"]
    if mib is None or not seconds:
        raise UnreadableBenchmark(command_line, "the totals hold no bytes or no time; the run measured nothing")
    sent, again = totals.get("Packets Sent"), totals["Retransmits"]
    return BenchmarkRun(
        tool="ntttcp",
        line=command_line,
        version=version,
        label=shown(options, 400),
        role="sender" if "-s" in options.split() else "receiver" if "-r" in options.split() else "",
        load=Load(
            block_bytes=_option_size(options, "-l"),
            access="unknown",
            threads=threads or None,
            protocol="udp" if "-u" in options.split() else "tcp",
        ),
        results=Results(
            bytes_per_second=mib * MIB / seconds,
            cpu_percent=totals["Avg. CPU %"],
            retransmits=again,
            retransmit_percent=100 * again / sent if sent and again is not None else None,
            errors=totals.get("Errors"),
        ),
        planned_seconds=_option_seconds(options, "-t"),
        warm_up_seconds=_option_seconds(options, "-wu"),
        measured_seconds=seconds,
        parameters={"command": shown(options, 400)} if options else {},
    )


def _command(lines: list[str], start: int) -> tuple[int, str]:
    """The command of the run, in the lines just above its banner: its line and its options."""
    for place in range(start, max(0, start - 4), -1):
        if found := _COMMAND.search(lines[place - 1]):
            return place, found["options"].strip()
        if place < start and lines[place - 1].strip():
            break
    return start, ""


def _option_size(options: str, name: str) -> int | None:
    found = re.search(rf"(?:^|\s){re.escape(name)}\s+(\S{{1,20}})", options)
    return size(found[1]) if found else None


def _option_seconds(options: str, name: str) -> float | None:
    found = re.search(rf"(?:^|\s){re.escape(name)}\s+(\d{{1,7}})(ms|s|m|h)?(?:\s|$)", options)
    return None if found is None else float(found[1]) * {"ms": 0.001, "m": 60.0, "h": 3600.0}.get(found[2] or "s", 1.0)
