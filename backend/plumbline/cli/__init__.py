"""The command line. Each command prints what it does, and on an error one clear line and a non-zero exit.

Commands import what they need when they run: most need little of the program, and starting stays quick.
"""

import sys

import typer
from sqlalchemy.exc import OperationalError

from plumbline.cli import assess, benchmarks, evidence, hosts, keys, lab, packs, server
from plumbline.cli.remote import acting, reading
from plumbline.infra.errors import BadInput, PlumblineError

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, help="Plumbline checks SAN host settings against published evidence."
)
app.add_typer(server.app)
app.add_typer(hosts.app)
app.add_typer(assess.app)
app.add_typer(evidence.app)
app.add_typer(reading.app)
app.add_typer(acting.app)
app.add_typer(keys.app)
app.add_typer(keys.vault_app, name="vault-key")
app.add_typer(keys.receipt_app, name="receipt-key")
app.add_typer(packs.app, name="ruleset")
app.add_typer(benchmarks.app, name="benchmark")
app.add_typer(lab.app, name="lab")


def main() -> None:
    """Entry point: our errors are one line on standard error, not a traceback."""
    try:
        app()
    except PlumblineError as error:
        print(f"plumbline: {error.message}", file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else getattr(error, "exit_code", 1))
    except OperationalError as error:
        reason = str(error.orig).strip().splitlines()[0]
        print(f"plumbline: database not responding; nothing was done. Is Plumbline running? ({reason})", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
