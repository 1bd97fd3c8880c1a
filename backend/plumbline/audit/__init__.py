"""The audit trail: `record` writes an act into the transaction of the act itself; `chain` numbers and links what has been committed."""

import os
import pwd
import socket
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

from sqlmodel import Session

from plumbline.models.audit import AuditEntry

# Id of the request that this thread or task serves, empty outside of one; set by the API and by task shells.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")

SYSTEM = "system"


def account() -> str:
    """The account that runs this program, for acts on the command line: "ana on ops-1, command line"; under sudo also the user behind it.

    It is the account of the process, which no environment variable changes.
    """
    number = os.getuid()
    try:
        name = pwd.getpwuid(number).pw_name
    except KeyError:
        name = f"uid {number}"
    sudo_user = os.environ.get("SUDO_USER", "") if number == 0 else ""
    return f"{name}{f' for {sudo_user}' if sudo_user else ''} on {socket.gethostname()}, command line"


class Object(NamedTuple):
    """What an act was done to: its kind ("host", "plan"), its id, and the group whose people may read the entry (None: admins only)."""

    kind: str = ""
    id: str = ""
    group_id: int | None = None


_NOTHING = Object()


def record(
    session: Session,
    *,
    actor: str,
    action: str,
    about: Object = _NOTHING,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> None:
    """Adds one entry to the act's own transaction: both are committed or neither.

    `actor` is `person:3 ana`, `host:<id> name`, `account:ana on ops-1, command line` or `system`; `action` is `object.verb_in_the_past`.
    `before` and `after` hold plain JSON values, never a secret.
    """
    session.add(
        AuditEntry(
            actor=actor,
            action=action,
            object_kind=about.kind,
            object_id=about.id,
            group_id=about.group_id,
            before=dict(before) if before is not None else None,
            after=dict(after) if after is not None else None,
            reason=reason,
            request_id=REQUEST_ID.get(),
        )
    )


__all__ = ["REQUEST_ID", "SYSTEM", "Object", "account", "record"]


def person_name(audit_name: str) -> str:
    """The login in a name of the audit log: `ana` of `person:3 ana`."""
    return audit_name.partition(" ")[2] or audit_name
