"""`plumbline ruleset publish`, as a person types it, against a real database."""

import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

from sqlmodel import text

from plumbline.auth.actor import Actor, Grant
from plumbline.infra.database import session_scope
from plumbline.packs.queries import read_pack
from tests.packs import site


def lay_out(folder: Path, **more: str) -> Path:
    for name, content in site.files(**more).items():
        path = folder / "site-array" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def run(*words: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "SUDO_USER"} | {"USER": "somebody", "LOGNAME": "somebody"}
    return subprocess.run([sys.executable, "-m", "plumbline.cli", "ruleset", *words], capture_output=True, text=True, timeout=120, env=env)


def test_a_folder_is_checked_and_published_once_and_never_rewritten(fresh_database: str, tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    done = run("publish", str(folder), "--note", "first")
    assert (done.returncode, done.stdout.startswith("site-array 1.0.0: published, 1 rule, hash "), done.stderr) == (0, True, "")
    again = run("publish", str(folder))
    assert (again.returncode, again.stdout) == (0, "site-array 1.0.0: This content is already published.\n")
    lay_out(tmp_path, title="Other words, same number")
    refused = run("publish", str(folder))
    assert (refused.returncode, "Raise the version in pack.yaml" in refused.stderr) == (1, True)
    rules = tmp_path / "site-array" / "rules" / "site.flow_control.off.yaml"
    rules.write_text(rules.read_text().replace("adapter.flow_control", "adapter.no_such"))
    wrong = run("publish", str(folder))
    assert (wrong.returncode, "site-array/rules/site.flow_control.off.yaml:10: " in wrong.stdout) == (1, True)
    builtin = lay_out(tmp_path / "other", pack="dell-esxi55")
    (builtin / "site-array").rename(builtin / "dell-esxi55")
    taken = run("publish", str(builtin))
    assert (taken.returncode, "is a built-in pack" in taken.stderr) == (1, True)
    with session_scope() as session:
        assert [tuple(row) for row in session.execute(text("SELECT pack, version, note FROM pack_version"))] == [
            ("site-array", "1.0.0", "first")
        ]
        # The account that ran the program is in the audit log and in the pack's history, whatever the environment's variables say.
        me = f"{pwd.getpwuid(os.getuid()).pw_name} on {socket.gethostname()}, command line"
        assert [tuple(row) for row in session.execute(text("SELECT action, actor FROM audit_entry"))] == [
            ("pack.published", f"account:{me}")
        ]
        detail = read_pack(session, actor=Actor(1, "x", grants=(Grant("viewer", 1, "1/"),)), pack="site-array")
        assert [detail.versions[0].published_by, detail.history[0].by] == [me, me]
        assert session.execute(text("SELECT count(*) FROM pack_activation")).scalar_one() == 0


def test_a_database_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    env = os.environ | {"PLUMBLINE_DATABASE_URL": f"postgresql+psycopg://x@/x?host={tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-m", "plumbline.cli", "ruleset", "publish", str(folder)], capture_output=True, text=True, timeout=120, env=env
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("plumbline: database not responding; nothing was done.")
