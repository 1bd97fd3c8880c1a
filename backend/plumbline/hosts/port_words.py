"""The switch ports of hosts in words, for pages that show what hangs on a step."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.core.facts.esxi.values import natural
from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.models.configurations import SWITCH_PORT
from plumbline.models.hosts import HOST, HOST_GROUP


def port_words(session: Session, *, actor: Actor, host_ids: Sequence[str]) -> dict[str, list[str]]:
    """Host id -> "vmnic4 on sw-san-2, Eth1/17, MTU 9216" of each storage adapter that heard a switch. One query.

    Nothing of a host that was moved to where the person has no rights.
    """
    found: dict[str, list[str]] = {}
    query = (
        select(SWITCH_PORT.host_id, SWITCH_PORT.name, SWITCH_PORT.switch, SWITCH_PORT.port, SWITCH_PORT.switch_mtu, SWITCH_PORT.lost_at)
        .join(HOST, HOST.id == SWITCH_PORT.host_id)
        .join(HOST_GROUP, HOST_GROUP.id == HOST.group_id)
        .where(SWITCH_PORT.host_id.in_(host_ids), SWITCH_PORT.switch_id != "", SWITCH_PORT.role.in_(STORAGE_ROLES), in_scope(actor))
    )
    for host_id, name, switch, port, mtu, lost_at in session.execute(query):
        parts = [f"{name} on {switch}", port, f"MTU {mtu}" if mtu else "", "not heard any more" if lost_at else ""]
        found.setdefault(host_id, []).append(", ".join(filter(None, parts)))
    return {host_id: sorted(words, key=natural) for host_id, words in found.items()}
