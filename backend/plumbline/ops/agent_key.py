"""Renewing the agent key, and listing the hosts that still sign under an older one."""

from sqlalchemy import text
from sqlmodel import Session

from plumbline.core.texts import counted
from plumbline.hosts.agent_keys import key_ring

# A host that got a secret under the newest key still counts under the older one until it uses the new secret.
_IN_USE = "SELECT key_id, count(*) FROM host WHERE state <> 'retired' GROUP BY key_id ORDER BY CAST(key_id AS int)"


def renew(session: Session) -> list[str]:
    """Creates the next agent key; returns lines of text that say what happens next."""
    ring = key_ring()
    before = ring.newest
    new = ring.make_next_agent_key()
    lines = [
        f"{ring.folder / f'agent-{new}.key'} is the agent key now.",
        "Copy it to the folder of keys of every other API process before anything else; a process that lacks it refuses hosts that use it.",
        "Each host gets a secret from it with its next check-in and signs with that from then on; nothing is to be done on hosts.",
    ]
    return lines + [f"agent-{key}.key is still used by {counted(count, 'host')}. Keep the file until none uses it: see `plumbline doctor`."
                    for key, count in hosts_by_key(session) if int(key) <= int(before)]  # fmt: skip


def hosts_by_key(session: Session) -> list[tuple[str, int]]:
    """How many hosts sign under each key, oldest key first."""
    return [(key, count) for key, count in session.execute(text(_IN_USE))]
