"""Every advisory lock has a number of its own: two with one number would keep each other waiting."""

import re
from collections import Counter

from plumbline.infra.resources import CHECKOUT

_NAMED = re.compile(r"^(_?[A-Z_]+_LOCK) = (0x[0-9A-F_]+|[0-9_]+)$", re.MULTILINE)


def test_no_two_advisory_locks_have_one_number() -> None:
    files = sorted((CHECKOUT / "backend" / "plumbline").rglob("*.py"))
    found = [(name, int(number, 0)) for file in files for name, number in _NAMED.findall(file.read_text())]
    assert len(found) >= 8
    twice = {number for number, times in Counter(number for _, number in found).items() if times > 1}
    assert [name for name, number in found if number in twice] == []
