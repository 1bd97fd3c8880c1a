"""The way from the lab to an installation of one's own: an admin removes the lab, and `plumbline up` starts again, empty.

The API cannot drop the database that it uses, so it leaves a request in the home folder. `up` sees the file, ends all parts, begins the
database anew, and starts them again without a lab. The file goes last, so that a start which was killed meanwhile does it again.
"""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import structlog
from sqlmodel import Session, col, func, select

from plumbline.auth import passwords
from plumbline.auth.actor import Actor
from plumbline.core.texts import counted
from plumbline.infra.database import direct_url
from plumbline.infra.errors import Conflict
from plumbline.infra.settings import get_settings
from plumbline.models.hosts import Host, HostState

log = structlog.get_logger()

# Hosts that are not simulated, so many by name.
_NAMED = 5
# A retired host is no reason to keep the lab.
_GONE = (HostState.RETIRED.value,)


class LabKept(Conflict):
    """The lab cannot be removed, and the detail says why."""

    code = "lab_kept"


@dataclass(frozen=True)
class Lab:
    """What removing the lab would remove, and why it cannot be removed; `reason` is empty where it can."""

    simulated_hosts: int
    reason: str


def is_lab() -> bool:
    """Whether this process belongs to a lab that `plumbline up` runs."""
    settings = get_settings()
    return settings.is_demo and (settings.home / "run" / "lab.token").exists()


def read_lab(session: Session) -> Lab:
    """The lab of this installation."""
    if not is_lab():
        return Lab(0, "This installation has no lab.")
    simulated = session.exec(select(func.count()).where(col(Host.is_lab))).one()
    others = session.exec(select(Host.name).where(~col(Host.is_lab), col(Host.state).not_in(_GONE)).order_by(Host.name)).all()
    return Lab(simulated, _reason(others))


def _reason(others: Sequence[str]) -> str:
    if not others:
        return ""
    named = ", ".join(others[:_NAMED]) + (f" and {len(others) - _NAMED} more" if len(others) > _NAMED else "")
    return (
        f"{counted(len(others), 'host')} here {'is' if len(others) == 1 else 'are'} not simulated: {named}. "
        "Retire them first, or start an installation beside this one with `plumbline up --no-demo --home FOLDER`."
    )


def ask_removal(session: Session, *, actor: Actor) -> str:
    """Asks `plumbline up` to remove the lab; returns the one-time code for the first admin of what comes after it.

    Raises `LabKept` where hosts would be lost that are not simulated.
    """
    if reason := read_lab(session).reason:
        raise LabKept(reason)
    code = passwords.random_code()
    path = _request(get_settings().home)
    # Written whole before it can be seen.
    partial = path.with_suffix(".part")
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(json.dumps({"code": code}))
    partial.rename(path)
    # The audit log goes with the lab, so this line is what is left.
    log.warning("lab: removal asked for", login=actor.login)
    return code


def is_asked(home: Path) -> bool:
    """Whether somebody asked for the lab to be removed and it has not been done."""
    return _request(home).exists()


def asked_code(home: Path) -> str:
    """The one-time code that was shown to who asked; empty where nobody did."""
    try:
        return str(json.loads(_request(home).read_text())["code"])
    except (OSError, ValueError, KeyError):
        return ""


def loses_only_a_lab(owner_url: str) -> bool:
    """Whether nothing but a lab would be lost. A host may have been added since it was asked, and what was begun after a lab is none."""
    with psycopg.connect(direct_url(owner_url)) as connection:
        row = connection.execute(
            "SELECT (SELECT is_demo OR setup_done_at IS NULL FROM installation WHERE id = 1)"
            " AND NOT EXISTS (SELECT 1 FROM host WHERE NOT is_lab AND state <> ALL(%s))",
            (list(_GONE),),
        ).fetchone()
    return row == (True,)


def remove_files(home: Path) -> None:
    """Removes what the lab left outside the database: the broker's queue and uploaded bundles. Backups and logs stay."""
    for folder in ("valkey", "bundles"):
        shutil.rmtree(home / folder, ignore_errors=True)


def finish(home: Path) -> None:
    """The lab is gone."""
    _request(home).unlink(missing_ok=True)


def _request(home: Path) -> Path:
    return home / "run" / "remove-lab.json"
