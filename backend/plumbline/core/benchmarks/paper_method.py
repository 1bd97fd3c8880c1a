"""The figures of the papers' method: how often and how long they measured, which differences they took for noise, and the loads they used.

Each names the items of `backend/rulesets/papers.yaml` that it accounts for, so that `coverage.py` finds it, and the place where the paper
prints it. Pure data; nothing here depends on a host.
"""

from dataclasses import dataclass
from typing import Literal

PaperId = Literal["bp1057", "esxi55", "chelsio", "qlogic"]
Measure = Literal["iops", "throughput"]


@dataclass(frozen=True, slots=True)
class MethodConstant:
    """One figure of a paper's method, with its unit, its place, and the items that it accounts for."""

    name: str
    paper: PaperId
    value: float
    unit: str
    at: str
    covers: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Workload:
    """One load of a paper: block size in bytes, share of reads, order of access, and which of its results counted.

    `read_percent` is what the parameter file sets; `label` is the paper's name for it, which differs for ESXi (70, not 67).
    `file_megabytes` is the size of each test area by the number of arrays; 0 means the whole volume.
    """

    paper: PaperId
    name: str
    label: str
    block_bytes: int
    read_percent: int
    is_sequential: bool
    measure: Measure
    threads: int
    seconds: int
    interval_seconds: int
    at: str
    covers: tuple[str, ...]
    file_megabytes: tuple[tuple[int, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class QosShare:
    """Storage throughput beside other traffic under one setting of the traffic classes, and without other traffic.

    `configured_percent` None: no QoS. Throughput in MB/s is the total of writes over four nodes."""

    name: str
    configured_percent: int | None
    write_mb_per_second: int
    write_iops: int
    at: str
    covers: tuple[str, ...]


# BP1057 sections 3.2, 3.3 and 4; the ESXi paper's 3.2 and 4 have the same runs and margin, and no bound for the deviation.
RUNS_PER_WORKLOAD = 3
RUN_SECONDS = 1200
LARGEST_RELATIVE_DEVIATION_PERCENT = 1.0
SIGNIFICANT_FROM_PERCENT = 5.0
# What BP1057 watched beside throughput in its congested SAN, on 256K sequential reads: the array's retransmission rate and the host's
# processor load, in NDIS mode without and with TCP offload (4.2.4), and in iSOE mode (4.2.10). The paper gives the loads as "about".
CONGESTED_RETRANSMIT_PERCENT = 0.11
OFFLOADED_RETRANSMIT_PERCENT = 0.0
CONGESTED_PROCESSOR_PERCENT = 6.0
TOE_PROCESSOR_PERCENT = 4.0
ISOE_PROCESSOR_PERCENT = 1.5

_WATCHED = "watched beside the throughput, 256K sequential read"

CONSTANTS: tuple[MethodConstant, ...] = (
    MethodConstant("restart_before_run", "bp1057", 1, "restarts", "3.2", ("W-M1",), "then the spread of sessions was looked at"),
    MethodConstant("runs_per_workload", "bp1057", RUNS_PER_WORKLOAD, "runs", "3.2", ("W-M3",), "the result is their mean"),
    MethodConstant("run_seconds", "bp1057", RUN_SECONDS, "seconds", "3.2, Appendix C", ("W-M3",)),
    MethodConstant("largest_relative_deviation", "bp1057", LARGEST_RELATIVE_DEVIATION_PERCENT, "%", "3.3", ("W-M4",), "above it: again"),
    MethodConstant("significant_from", "bp1057", SIGNIFICANT_FROM_PERCENT, "%", "4", ("W-M5",), "smaller differences count as none"),
    MethodConstant("options_changed_at_once", "bp1057", 1, "options", "3.4", ("W-M6", "W-T1"), "where the system has a twin, both"),
    MethodConstant("congested_retransmit", "bp1057", CONGESTED_RETRANSMIT_PERCENT, "%", "4.2.4, 4.2.10", ("W-T8", "W-T15"), _WATCHED),
    MethodConstant("offloaded_retransmit", "bp1057", OFFLOADED_RETRANSMIT_PERCENT, "%", "4.2.4, 4.2.10", ("W-T8", "W-T15"), _WATCHED),
    MethodConstant("congested_processor", "bp1057", CONGESTED_PROCESSOR_PERCENT, "%", "4.2.4, 4.2.10", ("W-T8", "W-T15"), _WATCHED),
    MethodConstant("toe_processor", "bp1057", TOE_PROCESSOR_PERCENT, "%", "4.2.4, Figure 4", ("W-T8",), _WATCHED),
    MethodConstant("isoe_processor", "bp1057", ISOE_PROCESSOR_PERCENT, "%", "4.2.10, Figure 4", ("W-T15",), _WATCHED),
    MethodConstant("runs_per_workload", "esxi55", RUNS_PER_WORKLOAD, "runs", "3.2", ("E-S4",), "no bound for the deviation is stated"),
    MethodConstant("run_seconds", "esxi55", RUN_SECONDS, "seconds", "3.2, Appendix C", ("E-S4",)),
    MethodConstant("significant_from", "esxi55", SIGNIFICANT_FROM_PERCENT, "%", "4", ("E-S4",)),
    MethodConstant("options_changed_at_once", "esxi55", 1, "options", "3.3, Table 1", ("E-M1",), "the table has no case 5"),
    MethodConstant("run_seconds", "chelsio", 300, "seconds", "Commands Used", ("C-M7",), "30 s of warm-up and cool-down beside it"),
    MethodConstant("warm_up_seconds", "qlogic", 30, "seconds", "Packets and frames work", ("Q-M10",)),
    MethodConstant("run_seconds", "qlogic", 60, "seconds", "Packets and frames work", ("Q-M10",)),
    MethodConstant("cool_down_seconds", "qlogic", 30, "seconds", "Packets and frames work", ("Q-M10",)),
)

_IN_CACHE = "small areas fit into the array's cache: the figures measure the network, not disks (Plumbline's interpretation)"
_NOT_67 = "the text states 67% reads, the parameter file sets 70"
_HITS = "all requests are set to hit the cache: the network is what is measured (Plumbline's interpretation)"

WORKLOADS: tuple[Workload, ...] = (
    Workload("bp1057", "8k_random_mix", "8K random, 67% read", 8192, 67, False, "iops", 5, RUN_SECONDS, 5,
             "3.2, Appendix C", ("W-M2", "W-M7"), ((2, 102_400), (4, 102_400)), "two workloads with a skew of 67 and 33"),
    Workload("bp1057", "256k_seq_read", "256K sequential read", 262_144, 100, True, "throughput", 5, RUN_SECONDS, 5,
             "3.2, Appendix C", ("W-M2", "W-M7", "W-M8"), ((2, 30), (4, 45)), _IN_CACHE),
    Workload("bp1057", "256k_seq_write", "256K sequential write", 262_144, 0, True, "throughput", 5, RUN_SECONDS, 5,
             "3.2, Appendix C", ("W-M2", "W-M7", "W-M8"), ((2, 30), (4, 45)), _IN_CACHE),
    Workload("esxi55", "8k_random_mix", "8K random, 67% read", 8192, 70, False, "iops", 1, RUN_SECONDS, 30,
             "3.2, Appendix C", ("E-S5", "E-S6", "E-M2"), note=_NOT_67),
    Workload("esxi55", "64k_random_mix", "64K random, 67% read", 65_536, 70, False, "iops", 1, RUN_SECONDS, 30,
             "3.2, Appendix C", ("E-S5", "E-S6", "E-M2"), note=f"{_NOT_67}; run for some cases only"),
    Workload("esxi55", "128k_random_mix", "128K random, 67% read", 131_072, 70, False, "iops", 1, RUN_SECONDS, 30,
             "3.2, Appendix C", ("E-S5", "E-S6", "E-M2"), note=f"{_NOT_67}; run for some cases only"),
    Workload("esxi55", "256k_seq_read", "256K sequential read", 262_144, 100, True, "throughput", 1, RUN_SECONDS, 30,
             "3.2, Appendix C", ("E-S5", "E-M2"), note=_HITS),
    Workload("esxi55", "256k_seq_write", "256K sequential write", 262_144, 0, True, "throughput", 1, RUN_SECONDS, 30,
             "3.2, Appendix C", ("E-S5", "E-M2"), note=_HITS),
    Workload("chelsio", "256k_write", "256K write, VMFleet", 262_144, 0, True, "throughput", 1, 300, 0,
             "Commands Used", ("C-M7",), note="one thread, two outstanding, 80 machines on four nodes"),
)  # fmt: skip

QOS_SHARES: tuple[QosShare, ...] = (
    QosShare("alone", None, 2008, 7727, "Figure 3", ("C-M2",)),
    QosShare("unmanaged", None, 1443, 5543, "Figure 4", ("C-M3",)),
    QosShare("80:20", 80, 1563, 6004, "Figure 5", ("C-M4", "C-M6")),
    QosShare("10:90", 10, 210, 819, "Figure 6", ("C-M5", "C-M6", "C-R4")),
)


def covered_items() -> dict[str, tuple[str, ...]]:
    """Each item of the papers that is a constant of the method, with the names of the constants, in their order."""
    found: dict[str, list[str]] = {}
    everything: tuple[MethodConstant | Workload | QosShare, ...] = (*CONSTANTS, *WORKLOADS, *QOS_SHARES)
    for each in everything:
        paper = "chelsio" if isinstance(each, QosShare) else each.paper
        for item in each.covers:
            found.setdefault(item, []).append(f"{paper} {each.name}")
    return {item: tuple(names) for item, names in found.items()}
