"""Loads are told by their parameters."""

import pytest

from plumbline.core.benchmarks.loads import is_same_load, judged_by, load_words, paper_load
from plumbline.core.benchmarks.run import BenchmarkRun, Load, Results


def _run(**load: object) -> BenchmarkRun:
    return BenchmarkRun("vdbench", 1, Load(**{"block_bytes": 8192, "read_percent": 67.0, "access": "random", **load}), Results(iops=1.0))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("load", "name"),
    [
        (Load(8192, 67.0, "random"), "8k_random_mix"),
        (Load(8192, 66.93, "random"), "8k_random_mix"),
        (Load(8192, 70.0, "random"), "8k_random_mix"),
        (Load(65536, 70.0, "random"), "64k_random_mix"),
        (Load(262144, 100.0, "sequential"), "256k_seq_read"),
        (Load(262144, 0.0, "sequential"), "256k_seq_write"),
        (Load(8192, 67.0, "sequential"), None),
        (Load(8192, 50.0, "random"), None),
        (Load(262144, 99.0, "sequential"), None),
        (Load(4096, 67.0, "random"), None),
        (Load(None, 67.0, "random"), None),
        (Load(262144, None, "sequential"), None),
        (Load(65536, 70.0, "random", protocol="tcp"), None),
    ],
)
def test_load_of_a_paper(load: Load, name: str | None) -> None:
    found = paper_load(load)
    assert (found.name if found else None) == name


def test_seventy_percent_is_the_esxi_papers_sixty_seven() -> None:
    assert "70% reads" in paper_load(Load(8192, 70.0, "random")).note  # type: ignore[union-attr]
    assert paper_load(Load(8192, 67.0, "random")).note == ""  # type: ignore[union-attr]


def test_unknown_order_is_a_load_of_a_paper_only_perhaps() -> None:
    found = paper_load(Load(262144, 100.0, "unknown"))
    assert found is not None
    assert (found.name, found.is_order_known) == ("256k_seq_read", False)


def test_same_load_needs_the_same_of_everything() -> None:
    assert is_same_load(_run(), _run(read_percent=66.8))
    for changed in ({"block_bytes": 4096}, {"read_percent": 50.0}, {"read_percent": None}, {"access": "sequential"}, {"threads": 5}):
        assert not is_same_load(_run(), _run(**changed))


def test_small_random_loads_are_judged_by_requests_and_others_by_bytes() -> None:
    assert judged_by(Load(8192, 67.0, "random")) == "iops"
    assert judged_by(Load(262144, 100.0, "sequential")) == "bytes_per_second"
    assert judged_by(Load(65536, None, "unknown", protocol="tcp")) == "bytes_per_second"


def test_words_of_a_load() -> None:
    assert load_words(Load(8192, 67.0, "random", threads=5)) == "8K random, 67% reads, 5 threads"
    assert load_words(Load(262144, 100.0, "unknown")) == "256K order not known, 100% reads"
    assert load_words(Load(131072, None, "unknown", threads=1, protocol="tcp")) == "TCP, 128K buffers, 1 thread"
