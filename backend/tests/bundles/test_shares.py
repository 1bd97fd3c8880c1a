"""The share of each paper's rules that a bundle of each kind answers, worked out from the product itself.

The rules are those of the ESXi paper (E-R) and of the Windows papers (W-R and W-D): a rule is answered where a whole bundle of some
recorded host gives it a verdict.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from plumbline.bundles.assess import assess_host
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.packs.files import load_builtin
from tests.bundles import esxi_bundle, windows_bundle
from tests.bundles.archives import zipped
from tests.bundles.test_rvtools import csv_files
from tests.bundles.test_same_verdicts import by_bundle
from tests.bundles.test_windows_bundles import assessed

_WINDOWS = [name for name in windows_bundle.HOSTS if "isoe" not in name and "s2d" not in name]


@cache
def covered() -> dict[str, tuple[str, ...]]:
    """Rule -> the rows of the papers that it covers."""
    return {rule.id: tuple(rule.covers) for pack in load_builtin() for rule in pack.rules}


def rows_answered(hosts: Iterable[dict[str, Any]], prefix: str) -> tuple[set[str], set[str]]:
    """Rows of which a rule got a verdict, and rows of which a rule applied and got none, on these hosts."""
    known: set[str] = set()
    unknown: set[str] = set()
    for host in hosts:
        for status in ("failing", "advice", "passing", "unknown"):
            for line in host[status]:
                rows = {row for row in covered()[line["rule"]] if row.startswith(prefix)} if line["kind"] != "attestation" else set()
                (unknown if status == "unknown" else known).update(rows)
    return known, unknown - known


def test_vm_support() -> None:
    known, unknown = rows_answered([by_bundle(host) for host in esxi_bundle.HOSTS], "E-R")
    # E-R6 (checksum offload) is in no file that is text; of E-R7 (TSO) the stack's switch is known and the adapter's is not.
    assert unknown == {"E-R6", "E-R7"}
    assert known >= {"E-R1", "E-R2", "E-R3", "E-R4", "E-R5", "E-R8", "E-R11"}


@pytest.mark.parametrize(
    ("registry", "least_more_unknown"),
    [(True, frozenset[str]()), (False, frozenset({"bp1057r2.advice.nagle", "bp1057r2.netbios"}))],
)
def test_get_net_view(registry: bool, least_more_unknown: frozenset[str]) -> None:
    told = assessed(zipped(windows_bundle.net_view(windows_bundle.Host("bcm57810-2012-default"), registry=registry)))
    unknown = {line["rule"] for line in told["unknown"]}
    assert least_more_unknown <= unknown
    # Its own papers: all rows that hosts can answer but those of sessions, disks and the array.
    known, rest = rows_answered(
        [assessed(zipped(windows_bundle.net_view(windows_bundle.Host(name), registry=registry))) for name in _WINDOWS], "W-R"
    )
    assert rest <= {"W-R6", "W-R7", "W-R8"}
    assert len(known) >= 9


def test_sddc_answers_less_and_with_net_view_as_much() -> None:
    host = windows_bundle.Host("x520-2012r2-default")
    own, nested = (assessed(zipped(windows_bundle.sddc(host, nested=nested))) for nested in (False, True))
    alone = assessed(zipped(windows_bundle.net_view(host)))
    assert own["rules"]["answered"] < alone["rules"]["answered"] <= nested["rules"]["answered"]


def test_rvtools_answers_one_row_of_the_paper() -> None:
    hosts = [assess_host(host, "rvtools") for host in recognise(csv_files(), "rvtools").hosts]
    known, _ = rows_answered(hosts, "E-R")
    assert known <= {"E-R2", "E-R8"}
