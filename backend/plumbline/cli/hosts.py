"""Commands about hosts: read one now, re-evaluate, send a check-in file, import host keys."""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from plumbline.infra.errors import BadInput

app = typer.Typer()
check_in_app = typer.Typer(no_args_is_help=True, help="Check-ins from a file.")
keys_app = typer.Typer(no_args_is_help=True, help="Manage host keys.")
agent_key_app = typer.Typer(no_args_is_help=True, help="The key that every agent's secret is derived from.")
app.add_typer(check_in_app, name="check-in")
app.add_typer(keys_app, name="keys")
app.add_typer(agent_key_app, name="agent-key")


@app.command()
def collect(
    host: Annotated[str, typer.Argument(help="Name or id of a host that Plumbline reads over SSH or WinRM.")],
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Read a host now and submit the check-in. Needs the vault key, as the executor workers do."""
    from plumbline.collection.collect_now import collect_by_hand

    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home)
    print(f"Reading {host} ...", flush=True)
    print(collect_by_hand(host))


@app.command()
def evaluate(
    path: Annotated[Path, typer.Argument(help="Folder of captured outputs, a single output file, or a check-in file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print settings, unknowns and findings as JSON.")] = False,
) -> None:
    """Evaluate a host from files. Nothing is stored; no server needed."""
    from plumbline.cli.evaluate import evaluate_path

    found = evaluate_path(path)
    if as_json:
        print(json.dumps(found[0] if len(found) == 1 else found, indent=1, ensure_ascii=False, sort_keys=True))
        return
    for one in found:
        counts = Counter(finding["outcome"] for finding in one["findings"])
        print(f"{one['host'] or 'a host without a name'} ({one['platform']}): {len(one['settings'])} settings, {len(one['unknown'])} unknown; "
              + ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("pass", "fail", "advice", "unknown", "not_applicable")))  # fmt: skip
        for finding in one["findings"]:
            if finding["outcome"] in ("fail", "advice"):
                named = f"{finding['pack']}/{finding['rule']} ({finding['kind']})"
                print(f"  {finding['outcome']}  {named}  {finding['subject']}: {finding['reason']}")
        for line in one["unread"]:
            print(f"  unread  {line['file'] or line['command'] or line['section'] or '-'}: {line['reason']}")


@app.command("rejudge", hidden=True)
@app.command()
def re_evaluate(
    host: Annotated[
        list[str] | None, typer.Option(help="Ids of hosts; by default every host that lags, with --read-again every host.")
    ] = None,
    read_again: Annotated[
        bool, typer.Option("--read-again", help="Read what the hosts sent again with this version first, as after an upgrade.")
    ] = False,
) -> None:
    """Re-evaluate hosts from stored configurations. Uses PLUMBLINE_DATABASE_URL."""
    from plumbline.evaluation.reevaluate import reevaluate_hosts, reevaluate_lagging
    from plumbline.infra.database import session_scope

    done = 0
    if read_again:
        changed = _read_again(host)
        print(f"{changed} configuration{'' if changed == 1 else 's'} changed.")
        return
    if host:
        with session_scope() as session:
            done = reevaluate_hosts(session, host, in_full=True)
    else:
        while True:
            with session_scope() as session:
                chunk = reevaluate_lagging(session)
            done += chunk
            if not chunk:
                break
    print(f"{done} hosts evaluated again.")


def _read_again(ids: list[str] | None) -> int:
    """Reads the newest sections of these hosts again, or of all that are not retired, and evaluates them; how many configurations changed."""
    from plumbline.checkin.reread import CHUNK, all_hosts, reread_hosts
    from plumbline.infra.database import session_scope

    if ids is None:
        with session_scope() as session:
            ids = all_hosts(session)
    changed = 0
    for start in range(0, len(ids), CHUNK):
        # One transaction a chunk: a fleet is not locked as a whole.
        with session_scope() as session:
            changed += reread_hosts(session, ids[start : start + CHUNK], detail="read again manually")
    return changed


@check_in_app.command("send")
def check_in_send(
    file: Annotated[Path, typer.Argument(help="A check-in file: line 1, then the section bodies.")],
    server: Annotated[str, typer.Option(help="Address of the server, as the host's agent has it.")],
    identity: Annotated[
        Path, typer.Option(help="JSON file of an enrolled host: host_id, secret, epoch, generation. It also keeps the number.")
    ],
    ca: Annotated[
        Path | None, typer.Option(help="PEM file of the CA that signed the server's certificate, where it is not a public one.")
    ] = None,
) -> None:
    """Send a check-in file as an enrolled host and print the response."""
    from plumbline.collection.send_file import send_file

    print(send_file(file, server=server, identity_path=identity, ca=ca))


@keys_app.command("import")
def keys_import(
    file: Annotated[Path, typer.Argument(help="A known_hosts file, or a CSV with the lines host,key or host,port,key.")],
    form: Annotated[str, typer.Option("--format", help="known_hosts or csv; by default from the file's name.")] = "",
    apply: Annotated[bool, typer.Option("--apply", help="Import the keys. Without it, only preview.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace existing keys.")] = False,
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Import host keys and certificates for agentless hosts. All lines are imported, or none."""
    from plumbline.collection.import_keys import import_file
    from plumbline.infra.database import session_scope

    try:
        content = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} can't be read: {error}") from None
    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home, role="plumbline_api")
    chosen = form or ("csv" if file.suffix.casefold() == ".csv" else "known_hosts")
    with session_scope() as session:
        lines = import_file(session, content, form=chosen, is_applied=apply, replaces=replace)
    print("\n".join(lines))


@agent_key_app.command("renew")
def agent_key_renew(
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Create the next agent key in the API's folder of keys. Each host gets a secret from it with its next check-in."""
    from plumbline.infra.database import session_scope
    from plumbline.ops.agent_key import renew

    if home is not None:
        from plumbline.ops.running import use_running

        use_running(home, role="plumbline_api")
    with session_scope() as session:
        print("\n".join(renew(session)))
