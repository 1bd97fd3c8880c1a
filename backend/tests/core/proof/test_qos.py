"""The share of bandwidth that storage gets, with the Chelsio paper's figures."""

import pytest

from plumbline.core.benchmarks.paper_method import QOS_SHARES
from plumbline.core.proof.qos import achieved_share


def test_the_papers_figures() -> None:
    by_name = {each.name: each for each in QOS_SHARES}
    alone = by_name["alone"].write_mb_per_second
    found = {name: achieved_share(alone, each.write_mb_per_second, each.configured_percent) for name, each in by_name.items()}
    assert round(found["unmanaged"].achieved_percent or 0) == 72
    assert round(found["80:20"].achieved_percent or 0) == 78
    assert round(found["10:90"].achieved_percent or 0, 1) == 10.5
    assert {name: each.conformance for name, each in found.items()} == {
        "alone": "unmanaged", "unmanaged": "unmanaged", "80:20": "within", "10:90": "within",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("contended", "expected"), [(750, "within"), (749, "below"), (850, "within"), (851, "above"), (0, "below"), (1000, "above")]
)
def test_tolerance_is_met_exactly(contended: float, expected: str) -> None:
    assert achieved_share(1000, contended, 80).conformance == expected


def test_nothing_alone_is_unknown() -> None:
    assert achieved_share(0, 500, 80).conformance == "unknown"
