"""Commands about benchmark runs: look at a file, and import it for a host."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from plumbline.infra.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="Benchmark runs from files.")


@app.command("show")
def show(
    file: Annotated[Path, typer.Argument(help="Output of Vdbench, DiskSpd, NTttcp or Iometer.")],
    parameters: Annotated[Path | None, typer.Option(help="Vdbench: the parameter file of the runs.")] = None,
) -> None:
    """Say which runs a file holds. Nothing is stored and no server is needed."""
    from plumbline.core.benchmarks import UnreadableBenchmark, read_benchmark
    from plumbline.core.benchmarks.loads import load_words
    from plumbline.core.benchmarks.run import RESULT_NAMES

    try:
        runs = read_benchmark(_content(file), parameter_file=_content(parameters) if parameters else None)
    except UnreadableBenchmark as error:
        raise BadInput(f"{file}, line {error.line}: {error.reason}") from None
    for number, run in enumerate(runs, 1):
        print(f"{number}. {run.tool} {run.version}, line {run.line}: {load_words(run.load)}{f' ({run.label})' if run.label else ''}")
        known = [(name, getattr(run.results, name)) for name in RESULT_NAMES]
        print("   " + ", ".join(f"{name} {value:g}" for name, value in known if value is not None))
        for note in run.notes:
            print(f"   {note}")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="Output of Vdbench, DiskSpd, NTttcp or Iometer.")],
    host: Annotated[str, typer.Option(help="Name or id of the host that the runs were made on.")],
    parameters: Annotated[Path | None, typer.Option(help="Vdbench: the parameter file of the runs.")] = None,
    at: Annotated[str, typer.Option(help="When the first run began, such as 2026-11-20T10:00:00+01:00.")] = "",
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Import all runs of a file for a host, or none and the line that is wrong."""
    from plumbline import audit
    from plumbline.infra.database import session_scope
    from plumbline.proofs.run_import import host_by_name, request_of, store_benchmark

    measured_at = _moment(at) if at else None
    request = request_of(
        file.name, _content(file), parameters.name if parameters else "", _content(parameters) if parameters else None, measured_at
    )
    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home, role="plumbline_api")
    with session_scope() as session:
        done = store_benchmark(session, host=host_by_name(session, host), by=f"account:{audit.account()}", request=request)
        for run in done.runs:
            print(f"run {run.id}: {run.load.words}{f' ({run.label})' if run.label else ''}")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text!r} is no time; write it as 2026-11-20T10:00:00+01:00") from None
    if moment.tzinfo is None:
        raise BadInput(f"{text!r} has no time zone; write it as 2026-11-20T10:00:00+01:00")
    return moment
