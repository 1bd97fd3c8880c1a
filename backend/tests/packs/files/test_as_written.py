"""A rule as YAML: the fields in the order of rule files, in whatever order the database has them."""

import pytest
import yaml

from plumbline.infra.resources import RULESETS
from plumbline.packs.history import as_written


@pytest.mark.parametrize(
    "name", ["dell-bp1057-2012/rules/bp1057.bcm57810.ndis.toe.yaml", "chelsio-s2d-qos/rules/chelsio.policy_in_class.yaml"]
)
def test_fields_are_in_the_order_of_rule_files(name: str) -> None:
    written = yaml.safe_load((RULESETS / name).read_text())
    kept = dict(sorted(written.items(), key=lambda pair: len(pair[0])))
    shown = yaml.safe_load(as_written(kept))
    assert shown == written
    assert list(shown) == list(written)
    assert list(shown["evidence"][0]) == list(written["evidence"][0])
