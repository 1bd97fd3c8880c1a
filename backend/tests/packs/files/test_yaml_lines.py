"""YAML as rule files are read: what looks like a number is one only where people read it as one."""

import pytest

from plumbline.infra.errors import RulesetInvalid
from plumbline.packs.files.yaml_lines import parse


@pytest.mark.parametrize("text", ["1:30", "22:22", "-1:30", "1:30.5", "190:20:30", "+1_0:59"])
def test_numbers_in_base_60_are_text(text: str) -> None:
    assert parse(f"value: {text}", "a.yaml").data == {"value": text}


@pytest.mark.parametrize("tag", ["!!int", "!!float"])
def test_a_number_that_is_asked_for_in_base_60_is_refused(tag: str) -> None:
    with pytest.raises(RulesetInvalid, match=r"a.yaml:2: 1:30 would be a number in base 60"):
        parse(f"first: 1\nvalue: {tag} 1:30", "a.yaml")


def test_other_values_are_read_as_before() -> None:
    read = parse("[90, -1, 0x10, 1.5, 1.0e+3, true, null, '1:30', a:b, 9000, 12:99:1x]", "a.yaml").data
    assert read == [90, -1, 16, 1.5, 1000.0, True, None, "1:30", "a:b", 9000, "12:99:1x"]
