"""Commands that run Plumbline's processes, look after its database, and make its first admin."""

import os
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()
admin_app = typer.Typer(no_args_is_help=True, help="Manage admin accounts.")
app.add_typer(admin_app, name="admin")


@app.command()
def up(
    home: Annotated[Path, typer.Option(help="Data folder: database, keys and logs.")] = Path("var"),
    bind: Annotated[str, typer.Option(help="Address to listen on. Addresses other than loopback use TLS.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port. Default: 8080, or the next free port.")] = None,
    demo: Annotated[
        bool | None,
        typer.Option("--demo/--no-demo", help="Run the simulated lab fleet. Default: in an empty home, and in one that has it."),
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="PEM file with the certificate and its chain.")] = None,
    certificate_key: Annotated[Path | None, typer.Option(help="PEM file with its key.")] = None,
    past_days: Annotated[
        int, typer.Option(min=0, max=365, help="Days of the lab fleet's past that the first start writes; 0: the fleet begins now.")
    ] = 90,
) -> None:
    """Start everything on this machine: database, broker, API, workers, web interface and, in a new home, a lab fleet."""
    from plumbline.ops import up as embedded

    options = embedded.UpOptions(home, bind, port, demo, certificate, certificate_key, past_days)
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

    from plumbline.infra.database import wait_for_database
    from plumbline.infra.pid_files import note_pid
    from plumbline.infra.settings import get_settings
    from plumbline.ops.migrate import require_present_revision
    from plumbline.ops.tls_suites import TLS_SUITES

    note_pid()
    _logging()
    wait_for_database()
    require_present_revision()
    trusted_proxies = get_settings().proxies
    uvicorn.run(
        "plumbline.web.app:create_app",
        factory=True,
        host=bind,
        port=port,
        http="plumbline.web.http_limits:LimitedProtocol",
        ssl_certfile=certificate,
        ssl_keyfile=certificate_key,
        ssl_ciphers=TLS_SUITES,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Without a trusted proxy, no header may name the address of a client.
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=trusted_proxies,
        timeout_graceful_shutdown=3,
    )


@app.command()
def worker(
    kind: Annotated[
        str,
        typer.Argument(
            help="executor: remediation and collection (holds the vault key); isolated: one job at a time; background: reports, re-evaluation, audit."
        ),
    ],
    concurrency: Annotated[int, typer.Option(help="Threads.")] = 0,
) -> None:
    """Run a Celery worker of one kind."""
    from plumbline.infra.database import wait_for_database
    from plumbline.infra.pid_files import note_pid
    from plumbline.ops.migrate import require_present_revision
    from plumbline.ops.worker import run_worker

    note_pid()
    _logging()
    wait_for_database()
    require_present_revision()
    run_worker(kind, concurrency)


@app.command()
def beat() -> None:
    """Run the scheduler. A second instance waits as standby."""
    from plumbline.infra.database import wait_for_database
    from plumbline.infra.pid_files import note_pid
    from plumbline.ops.migrate import require_present_revision
    from plumbline.ops.worker import run_beat

    note_pid()
    _logging()
    wait_for_database()
    require_present_revision()
    run_beat()


@app.command()
def migrate(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing: show what is to be done, and whether the version before may go on.")
    ] = False,
) -> None:
    """Upgrade the database schema (PLUMBLINE_DATABASE_URL, owner role); publish the packs that come with the program and those of PLUMBLINE_SITE_RULESETS; set role passwords from PLUMBLINE_API_PASSWORD, …_EXECUTOR_…, …_BACKGROUND_…."""
    from plumbline.infra.database import session_scope
    from plumbline.infra.settings import get_settings, read_retired_settings
    from plumbline.ops.migrate import pending, present_revision, upgrade
    from plumbline.packs.publish import install_builtin

    if check:
        steps = pending(present_revision())
        for step in steps:
            print(f"{step.revision} {step.title}{'' if step.is_additive else ' (stop all processes first)'}")
        if not steps:
            print("The database is up to date.")
        elif all(step.is_additive for step in steps):
            print("Processes of the version before can keep running: install node by node.")
        else:
            print("Stop all processes of the version before, then migrate.")
        return
    read_retired_settings(os.environ)
    passwords = {
        f"plumbline_{role}": os.environ[name]
        for role in ("api", "executor", "background")
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
    """Back up the database to a file while Plumbline runs. Keys are not included: back them up separately."""
    from plumbline.ops.backup import make_backup
    from plumbline.ops.running import owner_url

    size = make_backup(owner_url(home), file.resolve())
    print(f"{file}: {size} bytes. Back up the keys folder separately; credentials and signatures can't be read without it.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `plumbline backup` wrote.")],
    home: Annotated[
        Path | None, typer.Option(help="Home of a stopped `plumbline up`; without it, PLUMBLINE_DATABASE_URL (the owner's).")
    ] = None,
) -> None:
    """Restore a backup. The current database is kept under another name. Changes stay paused until an admin resumes them."""
    from plumbline.infra.settings import get_settings
    from plumbline.ops.backup import rename_heads, restore_backup
    from plumbline.ops.running import stopped_database

    with stopped_database(home) as url:
        done = restore_backup(url, file.resolve())
    aside = rename_heads(home.resolve() if home is not None else get_settings().home)
    print(f"Restored. {done.open_jobs} jobs were open. They stay paused until an admin resumes them on the Safety page.")
    print("All users must sign in again. API tokens and enrolment tokens are revoked; create new ones.")
    if done.disabled:
        print(f"Disabled again, as in the database of before: {', '.join(done.disabled)}.")
    if done.kept_as:
        print(f"Previous database kept as {done.kept_as}.")
    else:
        print("There was no database of before: look at the accounts and grants for those that ended after the backup.")
    if aside is not None:
        print(f"Previous audit log heads kept in {aside}.")


@app.command()
def doctor(
    home: Annotated[Path | None, typer.Option(help="Home of a running `plumbline up`; without it, PLUMBLINE_DATABASE_URL.")] = None,
) -> None:
    """Run health checks on a running installation. Exit code 1 if a check fails."""
    from plumbline.infra.database import session_scope
    from plumbline.ops.doctor import PROMISES, examine
    from plumbline.ops.running import use_running

    if home is not None:
        use_running(home, role="plumbline_api")
    broken = False
    with session_scope() as session:
        for check, sentences in examine(session):
            is_promise = check.name in PROMISES
            broken = broken or (is_promise and bool(sentences))
            print(f"{'ok  ' if not sentences else 'FAIL' if is_promise else 'note'}  {check.promise}")
            for sentence in sentences:
                print(f"      {sentence}")
    raise typer.Exit(1 if broken else 0)


@admin_app.command("create")
def admin_create(
    login: str,
    name: Annotated[str, typer.Option(help="Name shown on screen.")] = "",
) -> None:
    """Create an admin of the root group; prompts for the password. Uses PLUMBLINE_DATABASE_URL (the API's role)."""
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
    print(f"User {login} created.")


def _logging() -> None:
    from plumbline.infra.log_text import configure_logs
    from plumbline.infra.settings import get_settings

    configure_logs(as_json=get_settings().log_json)
