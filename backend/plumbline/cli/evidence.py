"""The command that checks an evidence bundle offline."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.command("verify-bundle")
def verify_bundle(
    file: Annotated[Path, typer.Argument(help="The bundle, a .zip file.")],
    key: Annotated[str, typer.Option(help="Key id that must have signed it, as the Reports page shows it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Check an evidence bundle: signature, hashes, every finding and score, approvals, audit chain. Needs no server and no database.

    Exit code: 0 everything holds, 1 something does not, 2 the file cannot be read.
    """
    from plumbline.evidence.verify_bundle import main

    arguments = [str(file), *(["--key", key] if key else []), *(["--json"] if as_json else [])]
    raise typer.Exit(main(arguments))
