"""The page on OWASP's ASVS 5.0 names every requirement of levels 1 and 2 once, and only files and tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security-asvs.md"
# How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has.
REQUIREMENTS = {1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7, 10: 29, 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16, 17: 7}
LINE = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| \**(met|partly|not met)\** \| (.+) \|$", re.MULTILINE)
LEFT_OUT = re.compile(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| (?!\d \|)(.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
FILE = re.compile(r"`([\w.][\w./-]*\.(?:py|tsx?|lock|json|yaml|yml))`")
LINK = re.compile(r"\]\(([^)]+)\)")


@cache
def defined_in(file: str) -> frozenset[str]:
    """The functions that a file below `backend/tests` defines; none where there is no such file."""
    path = ROOT / "backend" / "tests" / file
    if not path.is_file():
        return frozenset()
    return frozenset(node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef))


def unknown_names(text: str) -> list[str]:
    """The tests and files of a line that do not exist."""
    tests = [f"{file}::{name}" for file, name in TEST.findall(text) if name not in defined_in(file)]
    files = [name for name in FILE.findall(text) if not (ROOT / "backend" / "plumbline" / name).is_file() and not (ROOT / name).is_file()]
    return tests + files


def test_every_requirement_is_there_once() -> None:
    page = PAGE.read_text()
    named = [found[0] for found in LINE.findall(page)] + [one for group, _ in LEFT_OUT.findall(page) for one in group.split(", ")]
    assert len(named) == len(set(named))
    chapters = [int(number.partition(".")[0]) for number in named]
    assert {chapter: chapters.count(chapter) for chapter in sorted(set(chapters))} == REQUIREMENTS


def test_the_sum_at_the_top_is_that_of_the_lines() -> None:
    page = re.sub(r"\s+", " ", PAGE.read_text())
    states = [state for _, _, state, _ in LINE.findall(PAGE.read_text())]
    whole, left_out = sum(REQUIREMENTS.values()), sum(REQUIREMENTS.values()) - len(states)
    met, partly, not_met = (states.count(state) for state in ("met", "partly", "not met"))
    assert f"Of the {whole} requirements of both levels, {left_out} do not apply. Of the {len(states)} others" in page
    assert f"**{met} are met, {partly} in part, and {not_met} are not met**" in page


@pytest.mark.parametrize("chapter", sorted(REQUIREMENTS))
def test_files_and_tests_that_are_named_exist(chapter: int) -> None:
    lines = {number: text for number, _, _, text in LINE.findall(PAGE.read_text()) if number.startswith(f"{chapter}.")}
    assert {number: unknown for number, text in lines.items() if (unknown := unknown_names(text))} == {}


def test_what_is_met_names_where_and_what_is_not_says_why() -> None:
    reasons = {"1.4.1", "3.5.4"}  # the language, and where a site puts us: no file shows these
    for number, _, state, text in LINE.findall(PAGE.read_text()):
        if state == "met" and number not in reasons:
            assert TEST.search(text) or FILE.search(text) or LINK.search(text) or text.startswith("as "), number
        if state != "met":
            assert len(re.sub(r"`[^`]*`|[.,]", "", text).split()) >= 5, number


def test_a_name_that_is_not_there_is_found() -> None:
    assert unknown_names("`auth/rights.py`, `api/test_rights.py::test_allow_denies_by_default`, `docker-compose.yml`") == []
    assert unknown_names("`auth/wrongs.py` `api/test_rights.py::test_nothing` `api/test_wrongs.py::test_allow_denies_by_default`") == [
        "api/test_rights.py::test_nothing",
        "api/test_wrongs.py::test_allow_denies_by_default",
        "auth/wrongs.py",
    ]
