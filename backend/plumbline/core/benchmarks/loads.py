"""Which load a run had, told by its parameters and never by its name, and whether two runs had the same. Pure."""

from dataclasses import dataclass

from plumbline.core.benchmarks.paper_method import WORKLOADS, Workload
from plumbline.core.benchmarks.run import BenchmarkRun, Load

# Measured shares of reads scatter around what was asked for, and the ESXi paper itself calls 70 % "67 %".
READ_TOLERANCE_POINTS = 4.0
_PURE_TOLERANCE_POINTS = 0.5


@dataclass(frozen=True, slots=True)
class NamedLoad:
    """The load of a paper that a run matches. `is_order_known` is false where the output does not tell random from sequential."""

    name: str
    label: str
    is_order_known: bool
    note: str = ""


def paper_load(load: Load) -> NamedLoad | None:
    """The papers' load with the same block size, order and share of reads; None if there is none or the output says too little."""
    if load.block_bytes is None or load.read_percent is None or load.protocol:
        return None
    known = load.access != "unknown"
    matching = [
        each
        for each in WORKLOADS
        if each.block_bytes == load.block_bytes
        and (not known or (load.access == ("sequential" if each.is_sequential else "random")))
        and abs(each.read_percent - load.read_percent) <= (READ_TOLERANCE_POINTS if 0 < each.read_percent < 100 else _PURE_TOLERANCE_POINTS)
    ]
    if not matching:
        return None
    reads = load.read_percent
    found = min(matching, key=lambda each: abs(each.read_percent - reads))
    return NamedLoad(found.name, found.label, known, _note(found, load))


def _note(found: Workload, load: Load) -> str:
    if 0 < found.read_percent < 100 and abs((load.read_percent or 0) - 70) < 1:
        return "70% reads, as in the ESXi paper's parameter file; its text states 67%."
    return ""


def load_words(load: Load) -> str:
    """The load in words, such as `8K random, 67 % reads, 5 threads`."""
    if load.protocol:
        parts = [load.protocol.upper()]
        if load.block_bytes:
            parts.append(f"{_size(load.block_bytes)} buffers")
    else:
        order = {"random": "random", "sequential": "sequential", "mixed": "random and sequential", "unknown": "order not known"}
        block = _size(load.block_bytes) if load.block_bytes else "several block sizes"
        parts = [f"{block} {order[load.access]}"]
        if load.read_percent is not None:
            parts.append(f"{load.read_percent:.0f}% reads")
    if load.threads:
        parts.append(f"{load.threads} thread{'' if load.threads == 1 else 's'}")
    if load.outstanding:
        parts.append(f"{load.outstanding} outstanding")
    return ", ".join(parts)


def _size(number: int) -> str:
    for unit, factor in (("M", 1024 * 1024), ("K", 1024)):
        if number >= factor and number % factor == 0:
            return f"{number // factor}K" if unit == "K" else f"{number // factor}M"
    return f"{number} B"


def is_same_load(one: BenchmarkRun, other: BenchmarkRun) -> bool:
    """Whether two runs asked the same of a host, so that their results can be compared."""
    first, second = one.load, other.load
    reads = (first.read_percent, second.read_percent)
    is_near = reads[0] == reads[1] or (None not in reads and abs((reads[0] or 0) - (reads[1] or 0)) <= READ_TOLERANCE_POINTS)
    return is_near and (
        (one.tool, one.role, first.block_bytes, first.access, first.threads, first.outstanding, first.protocol)
        == (other.tool, other.role, second.block_bytes, second.access, second.threads, second.outstanding, second.protocol)
    )


def judged_by(load: Load) -> str:
    """The result that counts: requests a second for random loads below 64K, otherwise bytes a second, as the papers judged them."""
    is_small = load.block_bytes is not None and load.block_bytes < 64 * 1024
    return "iops" if not load.protocol and is_small and load.access != "sequential" else "bytes_per_second"
