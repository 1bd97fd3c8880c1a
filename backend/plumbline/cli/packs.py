"""Commands for folders of packs: check, compare, publish."""

from pathlib import Path
from typing import Annotated

import typer

from plumbline.infra.errors import PlumblineError

app = typer.Typer(no_args_is_help=True, help="Check, compare and publish rule packs.")


@app.command("check")
def check(
    folder: Annotated[Path | None, typer.Argument(help="Pack folder or folder of packs. Default: built-in packs.")] = None,
    headlines: Annotated[
        bool | None, typer.Option(help="Print the headline of each failing case; by default for a folder that is named.")
    ] = None,
) -> None:
    """Validate packs: schema, references and test cases. Prints one line per error with file and line, then warnings about titles and headlines."""
    from plumbline.infra.resources import RULESETS
    from plumbline.packs.files.check import check_folder, summary

    checked = check_folder(folder or RULESETS)
    print("\n".join(summary(checked, with_headlines=folder is not None if headlines is None else headlines)))
    if checked.problems:
        raise typer.Exit(1)


@app.command("diff")
def diff(
    first: Annotated[str, typer.Argument(help="A pack that comes with Plumbline, or the folder of one.")],
    second: Annotated[str, typer.Argument(help="The pack to compare it with, or another version of it.")],
) -> None:
    """Compare two packs or versions: requirements found in one only, differences and sources."""
    from plumbline.packs.files.editions import compared

    try:
        print("\n".join(compared(first, second)))
    except PlumblineError as error:
        print(error.message)
        raise typer.Exit(1) from error


@app.command("publish")
def publish(
    folder: Annotated[Path, typer.Argument(help="A pack, or a folder of packs, of this site.")],
    note: Annotated[str, typer.Option(help="What is new, for readers of the history.")] = "",
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Check packs and publish them as immutable versions. They have no effect until activated in the web interface."""
    from plumbline.infra.database import session_scope
    from plumbline.packs.files.check import summary
    from plumbline.packs.publish_folder import check_to_publish, publish_checked

    checked = check_to_publish(folder)
    if checked.problems:
        print("\n".join(summary(checked)))
        raise typer.Exit(1)
    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home, role="plumbline_api")
    with session_scope() as session:
        lines = publish_checked(session, checked, note=note)
    print("\n".join(lines))
