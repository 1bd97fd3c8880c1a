"""`plumbline benchmark`: what a file holds, imported by host name, and every refusal as one line."""

from pathlib import Path

import pytest
from sqlmodel import Session, text
from typer.testing import CliRunner

from plumbline.cli import app
from plumbline.infra.database import session_scope
from plumbline.infra.errors import BadInput
from plumbline.models.hosts import Host
from tests.core.benchmarks import samples


def _run(*arguments: str) -> tuple[str, BaseException | None]:
    done = CliRunner().invoke(app, ["benchmark", *arguments])
    return done.output, done.exception


def test_show_needs_no_server(tmp_path: Path) -> None:
    (tmp_path / "summary.html").write_text(samples.vdbench(samples.vdbench_run()))
    (tmp_path / "parmfile").write_text(samples.BP1057_PARAMETERS)
    output, error = _run("show", str(tmp_path / "summary.html"), "--parameters", str(tmp_path / "parmfile"))
    assert error is None
    assert "1. vdbench" in output
    assert "8K random, 67% reads (rd1)" in output
    assert "iops 8000" in output


def test_a_stopped_run_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "summary.html"
    file.write_text(samples.vdbench(samples.vdbench_run(finished=False)))
    _, error = _run("show", str(file))
    assert isinstance(error, BadInput)
    assert "summary.html, line 4: run rd1 has no line of averages" in error.message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "/no/such/file"), "cannot be read"),
        (("import", "/no/such/file", "--host", "a"), "cannot be read"),
        (("import", __file__, "--host", "a", "--at", "yesterday"), "is no time"),
        (("import", __file__, "--host", "a", "--at", "2026-11-20T10:00:00"), "no time zone"),
    ],
)
def test_bad_arguments_are_one_line(arguments: tuple[str, ...], words: str) -> None:
    _, error = _run(*arguments)
    assert isinstance(error, BadInput)
    assert words in error.message


def test_import_by_the_name_of_a_host(fresh_database: str, tmp_path: Path) -> None:
    with session_scope() as session:
        session.add(Host(id="a" * 32, name="win-a", platform="windows", group_id=1, state="active"))
    file = tmp_path / "diskspd.txt"
    file.write_bytes(samples.diskspd().encode("utf-16"))
    output, error = _run("import", str(file), "--host", "WIN-A")
    assert error is None, output
    assert "8K random, 67% reads, 4 threads, 8 outstanding" in output
    with session_scope() as session:
        assert _stored(session) == [("win-a", "diskspd", 8000.0)]
        assert session.execute(text("SELECT uploaded_by FROM benchmark_file")).scalar_one().startswith("account:")
    _, again = _run("import", str(file), "--host", "win-a")
    assert again is not None
    assert "has this file already" in str(again)
    _, unknown = _run("import", str(file), "--host", "win-b")
    assert isinstance(unknown, BadInput)


def _stored(session: Session) -> list[tuple[str, str, float]]:
    rows = session.execute(
        text("SELECT h.name, r.tool, (r.results ->> 'iops')::float AS iops FROM benchmark_run r JOIN host h ON h.id = r.host_id")
    )
    return [(row.name, row.tool, row.iops) for row in rows]
