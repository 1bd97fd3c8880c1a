"""Commands of the simulated fleet."""

import json
from pathlib import Path
from typing import Annotated

import typer

from plumbline.infra.errors import BadInput

app = typer.Typer(no_args_is_help=True, help="Control the simulated fleet.")


@app.command("run")
def run(
    home: Annotated[Path, typer.Option(help="Home of the installation; tokens and address are read from its folder `run`.")] = Path("var"),
    server: Annotated[str, typer.Option(help="Address of the server; by default what `up` wrote.")] = "",
) -> None:
    """Run the simulated fleet against a server in the foreground."""
    from plumbline.infra.pid_files import note_pid
    from plumbline.ops.demo import add_lab_to_path

    note_pid()
    add_lab_to_path()
    from lab import run

    raise typer.Exit(run.run(run.LabOptions(home=home.resolve(), server=server)))


@app.command("generate")
def generate(
    home: Annotated[Path, typer.Option(help="An empty folder, which becomes the home of an installation.")],
    hosts: Annotated[int, typer.Option(min=1, max=200_000, help="How many hosts, in 25 groups and clusters of eight.")] = 1000,
    days: Annotated[int, typer.Option(min=0, max=365, help="Days of changes behind them.")] = 30,
) -> None:
    """Make an installation with a fleet of any size, for measurements. No agents run for its hosts. Start it with `plumbline up --home`."""
    from plumbline.ops import up

    evaluated = up.generate(up.UpOptions(home=home), hosts=hosts, days=days)
    print(f"{evaluated:,} hosts stored and evaluated, {days} days of changes. Logins: {home / 'demo-logins.json'}")
    print(f"Start it with: plumbline up --home {home}")


@app.command("set")
def set_value(
    host: str,
    setting: str,
    value: str,
    home: Annotated[Path, typer.Option()] = Path("var"),
) -> None:
    """Change a setting of a lab host; it shows with the host's next check-in."""
    _send(home, "set", host=host, setting=setting, value=value)


@app.command("silence")
def silence(host: str, on: Annotated[bool, typer.Option("--on/--off")] = True, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Stop or resume a lab host's check-ins."""
    _send(home, "silence", host=host, on=on)


@app.command("check-in")
def check_in(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Trigger a check-in of a lab host."""
    _send(home, "check-in", host=host)


@app.command("hosts")
def hosts(home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """List the lab's hosts and how their last check-in went."""
    _send(home, "hosts")


@app.command("journal")
def journal(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Print all changes on a lab host, oldest first: who made them, what was set, what it was before."""
    _send(home, "journal", host=host)


@app.command("faults")
def faults(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """List the faults that are set on a lab host, and those that can be set (`plumbline lab set HOST fault.NAME VALUE`)."""
    _send(home, "faults", host=host)


@app.command("boot")
def boot(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Restart a lab host: what runs there ends, and its boot ID changes."""
    _send(home, "boot", host=host)


@app.command("fence")
def fence(host: str, gen: int, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Block commands of an older generation on a lab host."""
    _send(home, "fence", host=host, gen=gen)


def _send(home: Path, act: str, **body: object) -> None:
    from plumbline.ops.demo import add_lab_to_path

    add_lab_to_path()
    from lab import control

    try:
        answer = control.call(home.resolve(), act, **body)
    except control.LabRefused as error:
        raise BadInput(str(error)) from None
    print(json.dumps(answer, indent=1, ensure_ascii=False, default=str))
