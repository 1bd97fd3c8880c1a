"""Outputs that real runs printed: each figure worked out by hand from the text. They are not part of the repository."""

from typing import Any

import pytest

from plumbline.core.benchmarks import UnreadableBenchmark, read_benchmark
from plumbline.core.benchmarks.run import BenchmarkRun
from tests.core.facts.builders import REPOSITORY

FOLDER = REPOSITORY.parent / "shared" / "benchmarks"
MIB = 1024 * 1024


def _content(name: str) -> bytes:
    path = FOLDER / name
    if not path.exists():
        pytest.skip("the outputs of benchmarks are not here")
    return path.read_bytes()


def _figures(run: BenchmarkRun) -> dict[str, Any]:
    names = ("iops", "bytes_per_second", "latency_ms", "cpu_percent", "retransmits")
    return {name: value for name in names if (value := getattr(run.results, name)) is not None}


# The file, its runs: line where it begins, block size, share of reads, order, figures.
READ: list[tuple[str, list[tuple[int, int | None, float | None, str, dict[str, float]]]]] = [
    ("diskspd__text-indented__stress-unit-test-2.2-read-D.txt",
     [(5, 4096, 100.0, "random", {"iops": 72908.34, "bytes_per_second": 284.80 * MIB, "latency_ms": 0.094, "cpu_percent": 0.82})]),
    ("diskspd__text__container-ltsc2019-mix4k.txt",
     [(3, 4096, 50.0, "random", {"iops": 48202.48, "bytes_per_second": 188.29 * MIB, "latency_ms": 1.327, "cpu_percent": 50.21})]),
    # 16 requests and 6,291,456 bytes in 120 s.
    ("diskspd__xml__microsoft-unit-test-iops-buckets.xml",
     [(1, 65536, 100.0, "sequential", {"iops": 16 / 120, "bytes_per_second": 52428.8, "cpu_percent": 18.33})]),
    # 22,645 + 22,623 + 22,548 + 23,154 = 90,970 requests of 64K in 30.02 s.
    ("diskspd__xml__pkb-2.0.21a-noL.xml",
     [(1, 65536, 100.0, "sequential", {"iops": 90970 / 30.02, "bytes_per_second": 90970 * 65536 / 30.02, "cpu_percent": 3.2})]),
    ("iometer__csv__sqlserverio-2008-middle-specswitch.csv",
     [(11, 8192, 0.0, "sequential",
       {"iops": 822.472459, "bytes_per_second": 6.425566 * MIB, "latency_ms": 1.215078, "cpu_percent": 9.381056}),
      (27, 8192, 0.0, "sequential",
       {"iops": 1723.434342, "bytes_per_second": 13.464331 * MIB, "latency_ms": 1.159745, "cpu_percent": 6.397382})]),
    ("ntttcp-linux__text__homelab-1.4.0-sender-verbose-nosync.txt",
     [(1, 131072, None, "unknown", {"bytes_per_second": 238419968 / 60, "cpu_percent": 5.51, "retransmits": 805})]),
    ("ntttcp-linux__text__mana-patch-1.4.0-two-receivers.txt",
     [(1, None, None, "unknown", {"bytes_per_second": 630292053310 / 60, "cpu_percent": 3.59, "retransmits": 4}),
      (26, None, None, "unknown", {"bytes_per_second": 741966608384 / 60, "cpu_percent": 3.82, "retransmits": 6})]),
    # The XML prints 1,484,404,184.555 bytes a second itself, from more digits than it prints of its parts.
    ("ntttcp-linux__xml__virtualclient-1.4.0-sender.xml",
     [(1, None, None, "unknown", {"bytes_per_second": 1484404184.555, "cpu_percent": 3.87, "retransmits": 3494})]),
    ("ntttcp__text__blog-5.28-sender-totals-on-one-line.txt",
     [(1, 131072, None, "unknown", {"bytes_per_second": 33959.125 * MIB / 30.016, "cpu_percent": 4.559, "retransmits": 0})]),
    ("ntttcp__text__homelab-5.40-sender-ns.txt",
     [(2, 131072, None, "unknown", {"bytes_per_second": 285.0 * MIB / 60.011, "cpu_percent": 14.704, "retransmits": 12})]),
    # 1,990.541 Mb/s is what the XML prints.
    ("ntttcp__xml__pkb-5.28-tcp-sender.xml",
     [(1, 65536, None, "unknown", {"bytes_per_second": 1990.541e6 / 8, "cpu_percent": 20.148, "retransmits": 0})]),
    ("ntttcp__xml__pkb-5.33-udp-sender.xml",
     [(1, 128, None, "unknown", {"bytes_per_second": 245.153e6 / 8, "cpu_percent": 68.29, "retransmits": 0})]),
    ("vdbench__console-excerpt-fs__p4510-xfs-avg600.txt",
     [(3, 1048578, 60.0, "unknown", {"iops": 3492.2, "bytes_per_second": 3492.2 * MIB, "latency_ms": 18.3, "cpu_percent": 29.6})]),
    ("vdbench__console__cmcc-50406-warmup.txt",
     [(10, 1048576, 29.89, "unknown", {"iops": 704.31, "bytes_per_second": 704.31 * MIB, "latency_ms": 90.171, "cpu_percent": 1.2})]),
    ("vdbench__flatfile-fs__hero0906-20210311.txt",
     [(58, 4096, 100.0, "unknown", {"iops": 11471.3, "bytes_per_second": 44.8098 * MIB, "latency_ms": 0.0801, "cpu_percent": 1.7454})]),
    # The run that prepares the volume comes first and is none.
    ("vdbench__summary__tiger7z-mac-m1-zh.txt",
     [(32, 1024, 51.07, "unknown", {"iops": 105.3, "bytes_per_second": 0.1 * MIB, "latency_ms": 0.026})]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), READ, ids=[name for name, _ in READ])
def test_real_output_is_read(name: str, expected: list[tuple[int, int | None, float | None, str, dict[str, float]]]) -> None:
    runs = read_benchmark(_content(name))
    assert [(run.line, run.load.block_bytes, run.load.read_percent, run.load.access) for run in runs] == [each[:4] for each in expected]
    for run, (*_, figures) in zip(runs, expected, strict=True):
        assert _figures(run) == pytest.approx(figures, rel=2e-6)


def test_38_runs_of_a_totals_file() -> None:
    runs = read_benchmark(_content("vdbench__totals__masakioui-oceanstor-38runs.txt"))
    assert len(runs) == 38
    by_name = {run.label: run for run in runs}
    assert by_name["ran_write_64k"].results.iops == 2520.3
    assert by_name["seq_read_1m"].results.bytes_per_second == pytest.approx(300.11 * MIB)
    assert by_name["seq_read_2m"].results.latency_ms == 97.694
    assert {run.measured_seconds for run in runs} == {9.0}


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("diskspd__stderr__diskspeedtest-rxml-io-errors.txt", 2, "error during overlapped IO operation (error code: 59)"),
        ("ntttcp-linux__text__homelab-1.4.0-receiver-no-totals.txt", 2, "no totals"),
        ("vdbench__console__arm-50407-missing-lib.txt", 15, "Can't load library: /home/me/linux/aarch64.so"),
        ("vdbench__logfile__hero0906-slave-terminated.txt", 38, "slave terminated prematurely"),
    ],
)
def test_real_failure_is_told(name: str, line: int, words: str) -> None:
    with pytest.raises(UnreadableBenchmark) as refused:
        read_benchmark(_content(name))
    assert (refused.value.line, words in refused.value.reason) == (line, True)
