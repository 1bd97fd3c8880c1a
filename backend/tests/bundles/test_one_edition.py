"""An assessment shows what is wrong once: of two editions of a paper it evaluates the newer one."""

from collections import Counter
from pathlib import Path

import pytest

from plumbline.bundles.assess import assess_host, packs_told
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.infra.resources import SCHEMA

SAMPLES = sorted((SCHEMA / "samples").glob("*/*.checkin"))


def test_a_superseded_edition_is_not_evaluated() -> None:
    assert "dell-bp1057-2012" not in {pack["pack"] for pack in packs_told()}
    assert {"dell-bp1057-2012r2", "dell-esxi55", "plumbline-core"} <= {pack["pack"] for pack in packs_told()}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_no_headline_stands_twice_on_a_host(sample: Path) -> None:
    (found,) = recognise({"x.checkin": sample.read_bytes()}, "x").hosts
    told = assess_host(found, "x")
    for status in ("failing", "advice", "unknown"):
        twice = [line for line, times in Counter(each.get("headline") or each["title"] for each in told[status]).items() if times > 1]
        assert twice == [], status
