"""The documents keep up with the program: links resolve, commands, targets, files and messages exist, and nothing names where it was
written."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from plumbline.cli import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "agents").rglob("*.md")),
    ROOT / "backend/rulesets/README.md",
    ROOT / "backend/tests/releases/README.md",
]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
# A file of the repository as a page names it: in code, with an ending that only our own files have.
FILE = re.compile(r"[\w./-]+\.(?:py|ps1|tsx?)")
# Shorter pieces of a message say nothing about where it comes from.
SHORTEST_PIECE = 12
# Put together from parts, so that this file is not its own finding.
FORBIDDEN = re.compile(
    "|".join(["/wo" + r"rk/\w", r"pypi\.o" + "rg", r"registry\.np" + r"mjs\.org", r"files\.python" + "hosted", r"\bartifact" + "ory"])
)
# Captures of real hosts lie outside the repository; only a fixture looks for them, and not by this name.
SHARED = re.compile(r"\.\./sha" + "red")


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z0-9-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def commands() -> TyperGroup:
    found = typer.main.get_command(app)
    assert isinstance(found, TyperGroup)
    return found


def unknown_command(words: list[str], group: TyperGroup) -> str | None:
    """The first word that names no command, or no option of it; None where all do."""
    for number, word in enumerate(words):
        if not re.fullmatch(r"[a-z][a-z-]*", word):
            return None
        found = group.commands.get(word)
        if found is None:
            return word
        if not isinstance(found, TyperGroup):
            known = {option for parameter in found.params for option in parameter.opts + parameter.secondary_opts} | {"--help"}
            return next((each for each in words[number + 1 :] if each.startswith("--") and each.partition("=")[0] not in known), None)
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


@cache
def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    found: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#{1,6} (.+)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        seen = found[anchor] = found.get(anchor, -1) + 1
        anchors.add(f"{anchor}-{seen}" if seen else anchor)
    return anchors


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_anchors_resolve(page: Path) -> None:
    missing = []
    for link in LINK.findall(CODE.sub("", page.read_text())):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if anchor and not re.match(r"https?:|mailto:", link) and target.suffix == ".md" and anchor not in anchors_of(target):
            missing.append(link)
    assert missing == []


def test_anchors_are_those_of_headings() -> None:
    found = anchors_of(ROOT / "docs" / "writing-rules.md")
    assert {"writing-rules", "a-rule-field-by-field", "from-a-file-to-the-fleet"} <= found
    assert "no-such-heading" not in found


def test_every_page_is_looked_at() -> None:
    tracked = {path for path in tracked_text() if path.suffix == ".md"}
    assert tracked
    assert tracked - set(PAGES) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_files_exist(page: Path) -> None:
    """By their path in the repository or the end of it, as pages name files below a folder that they talk about."""
    known = [f"/{path.relative_to(ROOT)}" for path in tracked_text()]
    named = {line for line in code_of(page) if FILE.fullmatch(line)}
    assert sorted(name for name in named if not any(path.endswith(f"/{name.removeprefix('./')}") for path in known)) == []


def test_named_functions_are_defined_in_their_files() -> None:
    """A page names a function behind its file: `hosts/host_findings.py` (`list_findings`)."""
    sources = {f"/{path.relative_to(ROOT)}": path for path in tracked_text() if path.suffix == ".py"}
    named = re.findall(r"`([\w/]+\.py)`\s\(`(\w+)`\)", (ROOT / "docs" / "architecture.md").read_text())
    assert len(named) > 5
    missing = []
    for file, name in named:
        texts = [path.read_text() for known, path in sources.items() if known.endswith(f"/{file}")]
        if not any(re.search(rf"^(?:async )?(?:def|class) {name}\b", text, re.MULTILINE) for text in texts):
            missing.append(f"{file}: {name}")
    assert missing == []


def test_the_steps_of_a_check_in_name_code_that_exists() -> None:
    rows = re.findall(r"^\|[^|]+\|[^|]+\|([^|]+)\|$", (ROOT / "docs" / "check-in.md").read_text(), re.MULTILINE)
    named = {name for cell in rows for name in re.findall(r"`(?:\w+\.)?(\w+)`", cell) if name != "py"}
    assert len(named) > 6
    source = "\n".join(path.read_text() for path in (ROOT / "backend" / "plumbline").rglob("*.py"))
    assert {name for name in named if not re.search(rf"^ *(?:(?:def|class) {name}\b|{name} = )", source, re.MULTILINE)} == set()


@cache
def texts_of_the_program() -> str:
    """All texts that people may meet: strings that the source breaks over lines are whole again."""
    files = [ROOT / "Makefile"]
    for folder, ending in (("backend/plumbline", "py"), ("agents", "py"), ("agents", "ps1"), ("frontend/src", "ts*")):
        files += sorted((ROOT / folder).rglob(f"*.{ending}"))
    return "\n".join(re.sub(r'"\s*\n\s*f?"', "", file.read_text()) for file in files)


def test_messages_that_troubleshooting_names_are_the_programs() -> None:
    page = (ROOT / "docs" / "operating" / "troubleshoot.md").read_text()
    # A first cell that is a message and nothing else.
    messages = [one or other for one, other in re.findall(r"^\| (?:``(.+?)``|`([^`|]+)`) \|", page, re.MULTILINE)]
    pieces = [piece.strip() for message in messages for piece in message.split("…") if len(piece.strip()) >= SHORTEST_PIECE]
    assert len(pieces) > 50
    assert [piece for piece in pieces if piece not in texts_of_the_program()] == []


def test_the_table_of_settings_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "settings_table.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_targets_and_commands_exist(page: Path) -> None:
    lines = code_of(page)
    made = [match[1] for line in lines if (match := re.match(r"make ([a-z][a-z0-9-]*)", line))]
    assert set(made) - targets() == set()
    unknown = [
        line for line in lines if (match := re.match(r"plumbline ((?:\S+ ?)+)", line)) and unknown_command(match[1].split(), commands())
    ]
    assert unknown == []


def test_a_command_that_is_not_there_is_found() -> None:
    assert unknown_command(["lab", "hosts"], commands()) is None
    assert unknown_command(["check-in", "send", "FILE"], commands()) is None
    assert unknown_command(["worker", "background"], commands()) is None
    assert unknown_command(["lab", "dance"], commands()) == "dance"
    assert unknown_command(["fly"], commands()) == "fly"
    assert unknown_command(["up", "--home", "DIR"], commands()) is None
    assert unknown_command(["evidence", "make", "--wait"], commands()) == "--wait"


def test_words_of_the_program_name_targets_that_exist() -> None:
    named = {
        (str(path.relative_to(ROOT)), target)
        for path in sorted((ROOT / "backend" / "plumbline").rglob("*.py"))
        for target in re.findall(r"`make ([a-z][a-z0-9-]*)", path.read_text())
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
