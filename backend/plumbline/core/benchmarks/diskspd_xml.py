"""DiskSpd's XML (`-Rxml`): the profile that was asked for, then the counts of each thread and target for each time span. Pure."""

from datetime import UTC, datetime

from plumbline.core.benchmarks.diskspd_errors import refuse_failed
from plumbline.core.benchmarks.run import Access, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import lines_of, number, whole
from plumbline.core.benchmarks.xml_tree import Element, documents


def read_diskspd_xml(text: str) -> list[BenchmarkRun]:
    """A run for each time span of each document. Raises `UnreadableBenchmark` if one is not whole."""
    refuse_failed(lines_of(text))
    runs: list[BenchmarkRun] = []
    for document in documents(text, ("Results",)):
        spans = document.all("TimeSpan")
        asked = document.find("Profile", "TimeSpans")
        profiles = asked.all("TimeSpan") if asked else []
        if not spans:
            raise UnreadableBenchmark(document.line, "the XML has no results of a time span: the run was stopped before it measured")
        if len(profiles) > len(spans):
            raise UnreadableBenchmark(
                document.line, f"the profile has {len(profiles)} time spans and the results {len(spans)}: the run was stopped in between"
            )
        runs += [_run(document, span, profiles[index] if index < len(profiles) else None) for index, span in enumerate(spans)]
    if not runs:
        raise UnreadableBenchmark(1, "there is no <Results> element in this DiskSpd output")
    return runs


def _run(document: Element, span: Element, profile: Element | None) -> BenchmarkRun:
    seconds = _number(span, "TestTimeSeconds")
    if not seconds:
        raise UnreadableBenchmark(span.line, "the time span has no test time: the run was stopped before it measured")
    targets = [target for thread in span.all("Thread") for target in thread.all("Target")]
    if not targets:
        raise UnreadableBenchmark(span.line, "the time span has no thread with a target, so nothing was measured")
    reads, writes = _sum(targets, "ReadCount"), _sum(targets, "WriteCount")
    asked_targets = asked.all("Target") if profile and (asked := profile.find("Targets")) else []
    latency = span.find("Latency")
    started = document.value("System", "RunTime") or ""
    return BenchmarkRun(
        tool="diskspd",
        line=document.line,
        version=document.value("System", "Tool", "Version") or "",
        load=_load(asked_targets, whole(_number(span, "ThreadCount"))),
        results=Results(
            iops=_sum(targets, "IOCount") / seconds,
            read_iops=reads / seconds,
            write_iops=writes / seconds,
            bytes_per_second=_sum(targets, "BytesCount") / seconds,
            latency_ms=_number(latency, "AverageTotalMilliseconds"),
            read_latency_ms=_number(latency, "AverageReadMilliseconds"),
            write_latency_ms=_number(latency, "AverageWriteMilliseconds"),
            latency_p99_ms=_percentile(latency, 99.0),
            latency_max_ms=_percentile(latency, 100.0),
            cpu_percent=_number(span, "CpuUtilization", "Average", "UsagePercent"),
        ),
        computer=document.value("System", "ComputerName") or "",
        started_text=started,
        started_at=_utc(started),
        planned_seconds=_number(profile, "Duration"),
        warm_up_seconds=_number(profile, "Warmup"),
        measured_seconds=seconds,
    )


def _load(targets: list[Element], threads: int | None) -> Load:
    blocks = {_number(each, "BlockSize") for each in targets}
    writes = {_number(each, "WriteRatio") for each in targets}
    accesses = {_access(each) for each in targets}
    outstanding = {_number(each, "RequestCount") for each in targets}
    write = writes.pop() if len(writes) == 1 else None
    return Load(
        block_bytes=whole(blocks.pop()) if len(blocks) == 1 else None,
        read_percent=None if write is None else 100 - write,
        access=accesses.pop() if len(accesses) == 1 else "mixed" if accesses else "unknown",
        threads=threads,
        outstanding=whole(outstanding.pop()) if len(outstanding) == 1 else None,
    )


def _access(target: Element) -> Access:
    """`RandomAccess` is a hint to the cache and says nothing of the order; `Random` (the alignment) and `RandomRatio` do."""
    ratio = _number(target, "RandomRatio")
    if ratio is not None:
        return "random" if ratio == 100 else "sequential" if ratio == 0 else "mixed"
    return "random" if target.find("Random") is not None else "sequential"


def _percentile(latency: Element | None, percent: float) -> float | None:
    if latency is None:
        return None
    for bucket in latency.all("Bucket"):
        if _number(bucket, "Percentile") == percent:
            return _number(bucket, "TotalMilliseconds")
    return None


def _sum(targets: list[Element], name: str) -> float:
    total = 0.0
    for each in targets:
        value = _number(each, name)
        if value is None:
            raise UnreadableBenchmark(each.line, f"the target has no {name}; the file was cut or changed")
        total += value
    return total


def _number(element: Element | None, *path: str) -> float | None:
    found = element.find(*path) if element is not None else None
    return None if found is None else number(found.text, found.line)


def _utc(words: str) -> datetime | None:
    try:
        return datetime.strptime(words, "%Y/%m/%d %H:%M:%S UTC").replace(tzinfo=UTC)
    except ValueError:
        return None
