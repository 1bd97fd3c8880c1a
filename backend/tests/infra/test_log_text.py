"""What other machines send cannot forge a line of the log, nor steer the terminal that shows it."""

import json
import re
from collections.abc import Iterator

import pytest
import structlog

from plumbline.cli.server import _logging
from plumbline.infra.settings import get_settings

FORGED = "2026-11-25T10:00:00Z [info     ] everything is well"
HOSTILE = [
    f"a\n{FORGED}",
    f"a\r{FORGED}",
    f"a\r\n{FORGED}",
    f"\u2028{FORGED}",
    f"\x85{FORGED}",
    "\x1b[2J\x1b[31mred",
    "\x9b31mred",
    "\x1b]0;title\x07",
    "\x08\x08\x08rubbed-out",
]


@pytest.fixture(params=["false", "true"], ids=["console", "json"])
def is_json(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    monkeypatch.setenv("PLUMBLINE_LOG_JSON", request.param)
    get_settings.cache_clear()
    before = structlog.get_config()
    _logging()
    yield request.param == "true"
    structlog.configure(**before)
    monkeypatch.delenv("PLUMBLINE_LOG_JSON")
    get_settings.cache_clear()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_value_is_one_line_without_control_characters(is_json: bool, hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    structlog.get_logger().warning("request refused", path=hostile, who="ana")
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", printed)
    if is_json:
        assert json.loads(printed)["path"] == hostile


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_message_of_an_exception_begins_no_entry(is_json: bool, hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError(hostile)
    except ValueError:
        structlog.get_logger().exception("unexpected exception")
    first, *more = capsys.readouterr().out.splitlines()
    assert first.startswith("{") if is_json else "unexpected exception" in first
    assert all(line.startswith("  ") for line in more)
    assert (more == []) == is_json
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", "".join(more))
