"""The documents keep up with the program: links resolve, commands and targets exist, and nothing names where it was written."""

import re
import subprocess
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from plumbline.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "agents").rglob("*.md")),
    ROOT / "backend/rulesets/README.md",
]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
# Put together from parts, so that this file is not its own finding.
FORBIDDEN = re.compile(
    "|".join(["/wo" + r"rk/\w", r"pypi\.o" + "rg", r"registry\.np" + r"mjs\.org", r"files\.python" + "hosted", r"\bartifact" + "ory"])
)
# Captures of real hosts lie outside the repository; only a fixture looks for them, and not by this name.
SHARED = re.compile(r"\.\./sha" + "red")


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def commands() -> TyperGroup:
    found = typer.main.get_command(app)
    assert isinstance(found, TyperGroup)
    return found


def unknown_command(words: list[str], group: TyperGroup) -> str | None:
    """The first word that names no command; None where all do. Arguments and options end the search."""
    for word in words:
        if not re.fullmatch(r"[a-z][a-z-]*", word):
            return None
        found = group.commands.get(word)
        if found is None:
            return word
        if not isinstance(found, TyperGroup):
            return None
        group = found
    return None


def code_of(page: Path) -> list[str]:
    """Inline code and lines of code blocks."""
    return [line.strip() for span in CODE.findall(page.read_text()) for line in span.strip("`").splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    missing = [
        link
        for link in LINK.findall(CODE.sub("", page.read_text()))
        if not re.match(r"https?:|#|mailto:", link) and not (page.parent / link.split("#")[0]).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_targets_and_commands_exist(page: Path) -> None:
    lines = code_of(page)
    made = [match[1] for line in lines if (match := re.match(r"make ([a-z][a-z-]*)", line))]
    assert set(made) - targets() == set()
    unknown = [
        line for line in lines if (match := re.match(r"plumbline ((?:\S+ ?)+)", line)) and unknown_command(match[1].split(), commands())
    ]
    assert unknown == []


def test_a_command_that_is_not_there_is_found() -> None:
    assert unknown_command(["lab", "hosts"], commands()) is None
    assert unknown_command(["check-in", "send", "FILE"], commands()) is None
    assert unknown_command(["worker", "desk"], commands()) is None
    assert unknown_command(["lab", "dance"], commands()) == "dance"
    assert unknown_command(["fly"], commands()) == "fly"


def test_words_of_the_program_name_targets_that_exist() -> None:
    named = {
        (str(path.relative_to(ROOT)), target)
        for path in sorted((ROOT / "backend" / "plumbline").rglob("*.py"))
        for target in re.findall(r"`make ([a-z][a-z-]*)", path.read_text())
    }
    assert {one for one in named if one[1] not in targets()} == set()
    assert named


def tracked_text() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout: which files are tracked cannot be told")
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


def test_nothing_names_a_place_of_work_or_a_registry() -> None:
    found = []
    for path in tracked_text():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
            if FORBIDDEN.search(line) or SHARED.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert found == []


def test_the_figures_that_pages_point_to_were_written_by_a_command_that_exists() -> None:
    pages = sorted((ROOT / "docs" / "measured").glob("*.md"))
    assert len(pages) > 4
    for page in pages:
        named = re.search(r"python -m ([a-z.]+)", page.read_text())
        assert named, f"{page.name} does not tell the command that wrote it"
        module = ROOT / "backend" / Path(*named[1].split("."))
        assert module.with_suffix(".py").is_file() or (module / "__main__.py").is_file(), f"{page.name}: {named[1]} is not there"
