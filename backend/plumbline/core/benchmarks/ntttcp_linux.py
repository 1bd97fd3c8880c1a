"""NTttcp for Linux: its text, a line for each total, with `INFO:` and the time in front of it in newer versions. Pure."""

import re

from plumbline.core.benchmarks.run import BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, shown, size

_BANNER = re.compile(r"NTTTCP for Linux\s+(\S{1,20})")
_COMMAND = re.compile(r"ntttcp(?:-for-linux)?\s+(?P<options>-.*)")
_PREFIX = re.compile(r"^\s*(?:\d\d:\d\d:\d\d\s+)?(?:(?P<level>INFO|DBG|ERR|ERROR|WARN)\s*:)?\s*(?P<words>.*)$")
_TOTAL = re.compile(r"^(?P<name>[a-z][a-z0-9 /()%_-]{1,40}?)\s*:\s*(?P<value>\S.*)$", re.IGNORECASE)
_RATE = re.compile(r"([\d.,]{1,30})\s*([KMGT]?)bps")


def read_ntttcp_linux(text: str) -> list[BenchmarkRun]:
    """A run for each banner. Raises `UnreadableBenchmark` if one has no totals."""
    lines = lines_of(text)
    starts = [place for place, line in enumerate(lines, 1) if _BANNER.search(line)]
    if not starts:
        raise UnreadableBenchmark(1, "there is no line “NTTTCP for Linux”; its beginning is missing")
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    return [_run(lines, start, end) for start, end in zip(starts, ends, strict=True)]


def _run(lines: list[str], start: int, end: int) -> BenchmarkRun:
    asked: dict[str, str] = {}
    totals: dict[str, tuple[str, int]] = {}
    in_totals = False
    role = ""
    failed: tuple[int, str] | None = None
    for place in range(start, end + 1):
        prefixed = _PREFIX.match(lines[place - 1])
        words = prefixed["words"] if prefixed else ""
        if prefixed and prefixed["level"] in ("ERR", "ERROR") and failed is None:
            failed = (place, words)
        if "Totals:" in words:
            in_totals = True
        elif words.startswith("*** ") and " role" in words:
            role = words.split()[1]
        elif found := _TOTAL.match(words):
            name = found["name"].strip().casefold()
            if in_totals:
                totals.setdefault(name, (found["value"].strip(), place))
            else:
                asked.setdefault(name, found["value"].strip())
    command_line, options = _command(lines, start)
    if not in_totals:
        if failed is not None:
            raise UnreadableBenchmark(failed[0], f"NTttcp did not finish: “{shown(failed[1])}”. Nothing was imported")
        raise UnreadableBenchmark(
            start, "the run has no totals: it was stopped, or the sender ran without synchronisation (-N), so that it never ended"
        )

    def total(name: str) -> float | None:
        if name not in totals:
            return None
        value, place = totals[name]
        return number(re.split(r"[\s%a-zA-Z]", value, maxsplit=1)[0], place)

    seconds, transferred = total("test duration"), total("total bytes")
    bits = _bits(totals.get("throughput"))
    if not seconds or (bits is None and transferred is None):
        raise UnreadableBenchmark(start, "the totals lack the test duration or the throughput: the file was cut. Nothing was imported")
    idle = total("idle")
    flags = options.split()
    role = role or ("sender" if "-s" in flags or any(each.startswith("-s") for each in flags) else "receiver" if "-r" in flags else "")
    buffer = asked.get("sender socket buffer (bytes)") or asked.get("receiver socket buffer (bytes)")
    return BenchmarkRun(
        tool="ntttcp",
        line=command_line,
        version=found[1] if (found := _BANNER.search(lines[start - 1])) else "",
        label=shown(options, 400),
        role="sender" if role.startswith("sender") else "receiver" if role.startswith("receiver") else "",
        load=Load(
            block_bytes=size(buffer) if buffer else None,
            threads=_connections(asked.get("connections")),
            protocol="udp" if asked.get("protocol", "").upper() == "UDP" or "-u" in flags else "tcp",
        ),
        results=Results(
            bytes_per_second=transferred / seconds if transferred is not None else (bits or 0) / 8,
            cpu_percent=None if idle is None else round(100 - idle, 6),
            retransmits=total("retrans segs"),
        ),
        planned_seconds=_plain(asked.get("test duration (sec)")),
        warm_up_seconds=_plain(asked.get("test warm-up (sec)")),
        measured_seconds=seconds,
        parameters={"command": shown(options, 400)} if options else {},
        notes=("NTttcp for Linux prints retransmitted segments without the number sent, so no percentage is known.",),
    )


def _bits(throughput: tuple[str, int] | None) -> float | None:
    if throughput is None or not (found := _RATE.match(throughput[0])):
        return None
    value = number(found[1], throughput[1])
    return None if value is None else value * 1000 ** " KMGT".index(found[2] or " ")


def _command(lines: list[str], start: int) -> tuple[int, str]:
    above = lines[start - 2] if start > 1 else ""
    found = _COMMAND.search(above)
    return (start - 1, found["options"].strip()) if found else (start, "")


def _connections(words: str | None) -> int | None:
    """`1 X 1 X 1` is ports, threads a port and connections a thread; their product is the number of connections."""
    factors = re.findall(r"\d{1,6}", words or "")[:3]
    product = 1
    for each in factors:
        product *= int(each)
    return product if factors else None


def _plain(word: str | None) -> float | None:
    return float(word) if word and word.isascii() and word.isdecimal() and len(word) < 9 else None
