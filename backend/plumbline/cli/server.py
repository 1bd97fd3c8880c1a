"""The command line. Each command prints what it does, and on an error one clear line and a non-zero exit."""

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.exc import OperationalError

from plumbline.infra.errors import BadInput, PlumblineError

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="Plumbline: hosts as the evidence says they should be."
)
ruleset_app = typer.Typer(no_args_is_help=True, help="Packs of rules: check, publish.")
admin_app = typer.Typer(no_args_is_help=True, help="People who may sign in.")
check_in_app = typer.Typer(no_args_is_help=True, help="Check-ins by hand.")
keys_app = typer.Typer(no_args_is_help=True, help="Keys by which hosts are known.")
lab_app = typer.Typer(no_args_is_help=True, help="The simulated fleet.")
app.add_typer(ruleset_app, name="ruleset")
app.add_typer(admin_app, name="admin")
app.add_typer(check_in_app, name="check-in")
app.add_typer(keys_app, name="keys")
app.add_typer(lab_app, name="lab")


@app.command()
def up(
    home: Annotated[Path, typer.Option(help="Folder of state: database, keys, logs.")] = Path("var"),
    bind: Annotated[str, typer.Option(help="Address to listen on; any but loopback is served over TLS.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; by default 8080 or the next free one.")] = None,
    demo: Annotated[bool, typer.Option(help="Start with a lab fleet, or empty.")] = True,
    certificate: Annotated[Path | None, typer.Option(help="PEM file with the certificate and its chain.")] = None,
    certificate_key: Annotated[Path | None, typer.Option(help="PEM file with its key.")] = None,
) -> None:
    """Start everything on this machine: database, broker, API, workers, web interface and, with --demo, a lab fleet."""
    from plumbline.ops import up as embedded

    options = embedded.UpOptions(home, bind, port, demo, certificate, certificate_key)
    raise typer.Exit(embedded.up(options))


@app.command(hidden=True)
def child(name: str, home: Annotated[Path, typer.Option()], parent: Annotated[int | None, typer.Option()] = None) -> None:
    """Body of one supervised child of `up`."""
    from plumbline.ops.child_processes import run_child

    run_child(name, home, parent)


@app.command()
def api(
    bind: Annotated[str, typer.Option()] = "127.0.0.1",
    port: Annotated[int, typer.Option()] = 8080,
    certificate: Annotated[Path | None, typer.Option()] = None,
    certificate_key: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Serve the API and the web interface (settings from PLUMBLINE_… variables)."""
    import uvicorn

    from plumbline.ops.pid_files import note_pid

    note_pid()
    _logging()
    _wait_for_database()
    uvicorn.run(
        "plumbline.web.app:create_app",
        factory=True,
        host=bind,
        port=port,
        ssl_certfile=certificate,
        ssl_keyfile=certificate_key,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )


@app.command()
def worker(
    kind: Annotated[
        str,
        typer.Argument(
            help="hands: remediation and collection (holds the vault key); alone: one job at a time; desk: reports, rescoring, audit."
        ),
    ],
    concurrency: Annotated[int, typer.Option(help="Threads.")] = 0,
) -> None:
    """Run a Celery worker of one kind."""
    from plumbline.ops.pid_files import note_pid
    from plumbline.ops.worker import run_worker

    note_pid()
    _logging()
    _wait_for_database()
    run_worker(kind, concurrency)


@app.command()
def beat() -> None:
    """Run the scheduler; a second one stands by until the first is gone."""
    from plumbline.ops.pid_files import note_pid
    from plumbline.ops.worker import run_beat

    note_pid()
    _logging()
    _wait_for_database()
    run_beat()


@app.command()
def migrate() -> None:
    """Bring the database of PLUMBLINE_DATABASE_URL (the owner's) to the present shape; publish the packs that come with the program and those of PLUMBLINE_SITE_RULESETS; set role passwords from PLUMBLINE_API_PASSWORD, …_HANDS_…, …_DESK_…."""
    from plumbline.infra.database import session_scope
    from plumbline.infra.settings import get_settings
    from plumbline.ops.migrate import upgrade
    from plumbline.packs.in_force import install_builtin

    passwords = {
        f"plumbline_{role}": os.environ[name]
        for role in ("api", "hands", "desk")
        if (name := f"PLUMBLINE_{role.upper()}_PASSWORD") in os.environ
    }
    upgrade(get_settings().database_url.get_secret_value(), role_passwords=passwords)
    with session_scope() as session:
        published = install_builtin(session)
    print("The database is up to date.")
    if published:
        print(f"Published: {', '.join(published)}.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="File to write, such as plumbline-2026-11-22.backup.")],
    home: Annotated[
        Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_DATABASE_URL (the owner's).")
    ] = None,
) -> None:
    """Write the whole database into one file while everything runs. The keys are not in it: keep them apart."""
    from plumbline.ops.backup import make_backup
    from plumbline.ops.up import owner_url

    size = make_backup(owner_url(home), file.resolve())
    print(f"{file}: {size} bytes. Keep the folder of keys apart from it: without them credentials and signatures cannot be read.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `plumbline backup` wrote.")],
    home: Annotated[
        Path | None, typer.Option(help="Home of a stopped `plumbline up`; without it, PLUMBLINE_DATABASE_URL (the owner's).")
    ] = None,
) -> None:
    """Put a backup in the place of the database, which is kept under another name. Everything stays stopped until an admin lifts it."""
    from plumbline.infra.settings import get_settings
    from plumbline.ops.backup import restore_backup, set_heads_aside
    from plumbline.ops.up import stopped_database

    with stopped_database(home) as url:
        done = restore_backup(url, file.resolve())
    aside = set_heads_aside(home.resolve() if home is not None else get_settings().home)
    print(f"Restored. {done.open_jobs} jobs were open then; nothing of them goes on until an admin lifts the stop in the browser.")
    if done.kept_as:
        print(f"The database of before is kept as {done.kept_as}.")
    if aside is not None:
        print(f"The exported heads of the audit trail of before are kept in {aside}.")


@app.command()
def collect(
    host: Annotated[str, typer.Argument(help="Name or id of a host that Plumbline reads over SSH or WinRM.")],
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Read a host now and post what it says through the door. Needs the vault key, as the workers of kind hands do."""
    from plumbline.collection.collect_now import collect_by_hand

    if home is not None:
        from plumbline.ops.up import use_running

        use_running(home)
    print(f"Reading {host} ...", flush=True)
    print(collect_by_hand(host))


@app.command()
def evaluate(
    path: Annotated[Path, typer.Argument(help="A folder of captured outputs, one such file, or a check-in file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print settings, unknowns and findings as JSON.")] = False,
) -> None:
    """Understand and judge a host from files alone; nothing is stored and no server is needed."""
    from plumbline.cli.evaluate import evaluate_path

    found = evaluate_path(path)
    if as_json:
        print(json.dumps(found[0] if len(found) == 1 else found, indent=1, ensure_ascii=False, sort_keys=True))
        return
    for one in found:
        counts = Counter(finding["outcome"] for finding in one["findings"])
        print(f"{one['host'] or 'a host without a name'} ({one['platform']}): {len(one['settings'])} settings, {len(one['unknown'])} unknown; "
              + ", ".join(f"{counts[outcome]} {outcome}" for outcome in ("pass", "fail", "unknown", "not_applicable")))  # fmt: skip
        for finding in one["findings"]:
            if finding["outcome"] == "fail":
                print(f"  fail  {finding['pack']}/{finding['rule']}  {finding['subject']}: {finding['reason']}")
        for line in one["unread"]:
            print(f"  unread  {line['file'] or line['command'] or line['section'] or '-'}: {line['reason']}")


@app.command()
def doctor() -> None:
    """Check the promises of a running installation; exits with 1 if one is broken. Uses PLUMBLINE_DATABASE_URL."""
    from plumbline.infra.database import session_scope
    from plumbline.ops.doctor import PROMISES, examine

    broken = False
    with session_scope() as session:
        for check, sentences in examine(session):
            is_promise = check.name in PROMISES
            broken = broken or (is_promise and bool(sentences))
            print(f"{'ok  ' if not sentences else 'FAIL' if is_promise else 'note'}  {check.promise}")
            for sentence in sentences:
                print(f"      {sentence}")
    raise typer.Exit(1 if broken else 0)


@app.command()
def rejudge(host: Annotated[list[str] | None, typer.Option(help="Ids of hosts; by default every host that lags.")] = None) -> None:
    """Judge hosts again from their stored configurations. Uses PLUMBLINE_DATABASE_URL."""
    from plumbline.evaluation.reevaluate import rejudge_hosts, rejudge_lagging
    from plumbline.infra.database import session_scope

    done = 0
    if host:
        with session_scope() as session:
            done = rejudge_hosts(session, host, in_full=True)
    else:
        while True:
            with session_scope() as session:
                chunk = rejudge_lagging(session)
            done += chunk
            if not chunk:
                break
    print(f"{done} hosts judged again.")


@ruleset_app.command("check")
def ruleset_check(
    folder: Annotated[Path | None, typer.Argument(help="A pack, or a folder of packs; by default those that come with Plumbline.")] = None,
) -> None:
    """Check packs: shape, meaning, links, cases. One line for each mistake, with file and line."""
    from plumbline.infra.resources import RULESETS
    from plumbline.packs.files.check import check_folder, summary

    checked = check_folder(folder or RULESETS)
    print("\n".join(summary(checked)))
    if checked.problems:
        raise typer.Exit(1)


@ruleset_app.command("diff")
def ruleset_diff(
    first: Annotated[str, typer.Argument(help="A pack that comes with Plumbline, or the folder of one.")],
    second: Annotated[str, typer.Argument(help="The pack to compare it with, or another version of it.")],
) -> None:
    """Tell two packs apart in words: what each asks alone, what both ask differently, where it stands in the papers."""
    from plumbline.infra.errors import PlumblineError
    from plumbline.packs.files.editions import compared

    try:
        print("\n".join(compared(first, second)))
    except PlumblineError as error:
        print(error.message)
        raise typer.Exit(1) from error


@ruleset_app.command("publish")
def ruleset_publish(
    folder: Annotated[Path, typer.Argument(help="A pack, or a folder of packs, of this site.")],
    note: Annotated[str, typer.Option(help="What is new, for whoever reads the history.")] = "",
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Check packs and publish them as immutable versions. They judge nothing until somebody activates them, after a preview, in the browser."""
    from plumbline.infra.database import session_scope
    from plumbline.packs.files.check import summary
    from plumbline.packs.publish_folder import check_to_publish, publish_checked

    checked = check_to_publish(folder)
    if checked.problems:
        print("\n".join(summary(checked)))
        raise typer.Exit(1)
    if home is not None:
        from plumbline.ops.up import use_running

        use_running(home, role="plumbline_api")
    with session_scope() as session:
        lines = publish_checked(session, checked, note=note)
    print("\n".join(lines))


@admin_app.command("create")
def admin_create(
    login: str,
    name: Annotated[str, typer.Option(help="Name shown on screen.")] = "",
) -> None:
    """Create an administrator of everything; asks for the password. Uses PLUMBLINE_DATABASE_URL (the API's role)."""
    from plumbline import audit, auth
    from plumbline.infra.database import session_scope

    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    with session_scope() as session:
        auth.create_person(
            session,
            actor=f"account:{audit.account()}",
            login=login,
            display_name=name.strip() or login,
            password=password,
            roles=[("admin", 1)],
        )
    print(f"{login} may now sign in.")


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
    """Send a check-in file as an enrolled host; prints what the server answered."""
    from plumbline.collection.send_file import send_file

    print(send_file(file, server=server, identity_path=identity, ca=ca))


@keys_app.command("import")
def keys_import(
    file: Annotated[Path, typer.Argument(help="A known_hosts file, or a CSV with the lines host,key or host,port,key.")],
    form: Annotated[str, typer.Option("--format", help="known_hosts or csv; by default what the file's name says.")] = "",
    apply: Annotated[bool, typer.Option("--apply", help="Pin the keys; without it, only say what each line would do.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="A host that has another key takes the file's instead.")] = False,
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_… variables count.")] = None,
) -> None:
    """Pin host keys and certificates from a file, for hosts that Plumbline signs in to. All of a file or nothing of it."""
    from plumbline.collection.import_keys import import_file
    from plumbline.infra.database import session_scope

    try:
        content = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}") from None
    if home is not None:
        from plumbline.ops.up import use_running

        use_running(home, role="plumbline_api")
    chosen = form or ("csv" if file.suffix.casefold() == ".csv" else "known_hosts")
    with session_scope() as session:
        lines = import_file(session, content, form=chosen, is_applied=apply, replaces=replace)
    print("\n".join(lines))


@lab_app.command("run")
def lab_run(
    home: Annotated[Path, typer.Option(help="Home of the installation; tokens and address are read from its folder `run`.")] = Path("var"),
    server: Annotated[str, typer.Option(help="Address of the server; by default what `up` wrote.")] = "",
) -> None:
    """Run the simulated fleet against a server, in the foreground."""
    from plumbline.ops.demo import add_lab_to_path
    from plumbline.ops.pid_files import note_pid

    note_pid()
    add_lab_to_path()
    from lab import run

    raise typer.Exit(run.run(run.LabOptions(home=home.resolve(), server=server)))


@lab_app.command("set")
def lab_set(
    host: str,
    setting: str,
    value: str,
    home: Annotated[Path, typer.Option()] = Path("var"),
) -> None:
    """Change a setting of a lab host; it shows with the host's next check-in."""
    _lab_act(home, "set", host=host, setting=setting, value=value)


@lab_app.command("silence")
def lab_silence(
    host: str, on: Annotated[bool, typer.Option("--on/--off")] = True, home: Annotated[Path, typer.Option()] = Path("var")
) -> None:
    """Let a lab host stop checking in, or go on."""
    _lab_act(home, "silence", host=host, on=on)


@lab_app.command("check-in")
def lab_check_in(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Let a lab host check in now."""
    _lab_act(home, "check-in", host=host)


@lab_app.command("hosts")
def lab_hosts(home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """List the lab's hosts and how their last check-in went."""
    _lab_act(home, "hosts")


@lab_app.command("journal")
def lab_journal(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Print every effect on a lab host, oldest first: whose act it was, what was set, what it was before."""
    _lab_act(home, "journal", host=host)


@lab_app.command("faults")
def lab_faults(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Say what is set to go wrong on a lab host, and what can be (`plumbline lab set HOST fault.NAME VALUE`)."""
    _lab_act(home, "faults", host=host)


@lab_app.command("boot")
def lab_boot(host: str, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Restart a lab host: whatever runs there ends, and its boot gets another name."""
    _lab_act(home, "boot", host=host)


@lab_app.command("fence")
def lab_fence(host: str, gen: int, home: Annotated[Path, typer.Option()] = Path("var")) -> None:
    """Raise a lab host's fence by hand: commands of an older generation are refused from then on."""
    _lab_act(home, "fence", host=host, gen=gen)


def _lab_act(home: Path, act: str, **body: object) -> None:
    from plumbline.ops.demo import add_lab_to_path

    add_lab_to_path()
    from lab import control

    try:
        answer = control.call(home.resolve(), act, **body)
    except control.LabRefused as error:
        raise BadInput(str(error)) from None
    print(json.dumps(answer, indent=1, ensure_ascii=False, default=str))


def _wait_for_database() -> None:
    from plumbline.infra.database import wait_for_database

    wait_for_database()


def _logging() -> None:
    import structlog

    from plumbline.infra.settings import get_settings

    last = structlog.processors.JSONRenderer() if get_settings().log_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            last,
        ]
    )


def main() -> None:
    """Entry point: our errors are one line on standard error, not a traceback."""
    try:
        app()
    except PlumblineError as error:
        print(f"plumbline: {error.message}", file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else 1)
    except OperationalError as error:
        said = str(error.orig).strip().splitlines()[0]
        print(f"plumbline: the database does not answer, nothing was done. Is Plumbline running? It says: {said}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
