"""Commands that make all keys of a larger installation, and renew those of the vault and of receipts while everything runs."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()
vault_app = typer.Typer(no_args_is_help=True, help="The key that host credentials are sealed under.")
receipt_app = typer.Typer(no_args_is_help=True, help="The key of the receipts that agents get.")

Home = Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")]


def _use(home: Path | None) -> None:
    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home, role="plumbline_api")


@app.command("make-keys")
def make_keys(
    folder: Annotated[Path, typer.Argument(help="A folder that gets the folders api, background and executor.")],
    once: Annotated[bool, typer.Option("--once", help="Do nothing where all three hold keys already.")] = False,
) -> None:
    """Make all keys of a larger installation, before its first start."""
    from plumbline.ops import make_keys as keys

    made = keys.make_keys(folder, once=once)
    if not made:
        print(f"{folder} has its keys already.")
        return
    print("Made " + ", ".join(map(str, made)) + ".")
    print(
        "Copy each to PLUMBLINE_KEYS_FOLDER of every machine of that kind: isolated gets that of executor, the scheduler that of background."
    )
    print("Then keep a copy apart from the backups of the database, and delete these.")


@vault_app.command("renew")
def vault_renew(home: Home = None) -> None:
    """Make the vault's next key. On one machine, `plumbline vault-key reseal` can follow at once; else copy the files first."""
    from plumbline.infra.database import session_scope
    from plumbline.infra.settings import get_settings
    from plumbline.vault import renew_key

    _use(home)
    folder = get_settings().keys
    with session_scope() as session:
        made = renew_key.make_next(session, folder=folder)
    print(f"{folder / f'vault-{made}.key'} is made. New credentials are sealed under it wherever vault-{made}.pub is.")
    print(
        f"With more than one machine: copy vault-{made}.key to every executor and isolated worker first, then vault-{made}.pub to every API."
    )
    print("Then run `plumbline vault-key reseal`.")


@vault_app.command("reseal")
def vault_reseal(home: Home = None) -> None:
    """Seal every credential again under the newest key, while everything runs. Safe to run again after an interruption."""
    from plumbline.infra.database import session_scope
    from plumbline.infra.settings import get_settings
    from plumbline.vault import renew_key

    _use(home)
    folder, done = get_settings().keys, 0
    while True:
        # A transaction for each chunk: no credential is locked for long.
        with session_scope() as session:
            count = renew_key.reseal_chunk(session, folder=folder)
        if not count:
            break
        done += count
        print(f"{done} credentials sealed again ...", flush=True)
    with session_scope() as session:
        by_key = renew_key.credentials_by_key(session)
    newest = by_key[-1][0] if by_key else ""
    print(
        f"{done} credentials sealed again. All {sum(count for _, count in by_key)} are under vault-{newest}.key."
        if by_key
        else "No credentials."
    )
    old = sorted(file.name for file in folder.glob("vault-*.key") if by_key and file.name != f"vault-{newest}.key")
    if old:
        print(f"Remove {', '.join(old)} from every folder of keys once no backup from before is needed: a restored backup needs its key.")


@receipt_app.command("renew")
def receipt_renew(home: Home = None) -> None:
    """Replace the key of receipts. API processes take it up within seconds; nothing is to be done on hosts."""
    from plumbline import audit
    from plumbline.hosts.agent_keys import key_ring
    from plumbline.infra.database import session_scope

    _use(home)
    ring = key_ring()
    with session_scope() as session:
        ring.renew_receipt_key()
        audit.record(session, actor=audit.account(), action="receipt_key.renewed", about=audit.Object("installation"))
    print(f"{ring.folder / 'receipt.key'} is new. Copy it to the folder of keys of every other API process.")
    print("A check-in that is sent twice meanwhile may get two receipts; agents accept either.")
