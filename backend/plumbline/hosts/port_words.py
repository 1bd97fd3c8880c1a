"""The switch ports of hosts in words, for pages that show what hangs on a step."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session

from plumbline.core.facts.esxi.values import natural
from plumbline.models.configurations import SWITCH_PORT

STORAGE_ROLES = ("san_iscsi", "s2d_storage")


def port_words(session: Session, host_ids: Sequence[str]) -> dict[str, list[str]]:
    """Host id -> "vmnic4 on sw-san-2, Eth1/17, MTU 9216" of each storage adapter that heard a switch. One query."""
    found: dict[str, list[str]] = {}
    query = select(
        SWITCH_PORT.host_id, SWITCH_PORT.name, SWITCH_PORT.switch, SWITCH_PORT.port, SWITCH_PORT.switch_mtu, SWITCH_PORT.lost_at
    ).where(SWITCH_PORT.host_id.in_(host_ids), SWITCH_PORT.switch_id != "", SWITCH_PORT.role.in_(STORAGE_ROLES))
    for host_id, name, switch, port, mtu, lost_at in session.execute(query):
        parts = [f"{name} on {switch}", port, f"MTU {mtu}" if mtu else "", "not heard any more" if lost_at else ""]
        found.setdefault(host_id, []).append(", ".join(filter(None, parts)))
    return {host_id: sorted(words, key=natural) for host_id, words in found.items()}
