"""Failure domains and their slots: by default a cluster has one, a fabric one, a group ten. Those of fabrics and groups can be changed.

The names: `cluster:<name>`, `fabric:<group id>/<label>`, `group:<id>`; and `unclustered:<group id>` for a host with several paths whose
cluster is not known, which has one slot a group, because two such hosts may be nodes of one cluster.
"""

from collections.abc import Sequence

from sqlmodel import Session, text

from plumbline.models.hosts import Host
from plumbline.models.jobs import DomainSlot

GROUP_SLOTS = 10
_UNLABELLED = "shared"

_FABRICS = "SELECT DISTINCT fabric FROM fabric_label WHERE host_id = :host AND fabric <> '' ORDER BY 1"


def domains_of(session: Session, host: Host) -> list[str]:
    """The domains of a host, in the order in which their slots are locked."""
    labels = [row[0] for row in session.execute(text(_FABRICS), {"host": host.id})] or [_UNLABELLED]
    found = [f"group:{host.group_id}", *(f"fabric:{host.group_id}/{label}" for label in labels)]
    if host.cluster:
        found.append(f"cluster:{host.cluster}")
    elif host.paths_total is None or host.paths_total > 1:
        # How many paths it has may be unknown as well: then it counts as one with several.
        found.append(f"unclustered:{host.group_id}")
    return sorted(found)


def default_slots(domain: str) -> int:
    """How many jobs a domain takes at once unless a person set another number."""
    return GROUP_SLOTS if domain.startswith("group:") else 1


def may_be_raised(domain: str) -> bool:
    """Only fabrics and groups: both nodes of a cluster at once is an outage."""
    return domain.startswith(("group:", "fabric:"))


def lock_slots(session: Session, domains: Sequence[str]) -> dict[str, list[DomainSlot]]:
    """Every slot row of these domains, locked in the one order; missing rows are made first.

    A domain whose number was lowered keeps its rows: those past the number are left out unless a job still holds them.
    """
    wanted = _budgets(session, domains)
    session.execute(
        text(
            "INSERT INTO domain_slot (domain, slot_no) SELECT d, n FROM unnest(CAST(:domains AS text[]), CAST(:slots AS int[])) AS w(d, k),"
            " generate_series(1, k) AS n ORDER BY 1, 2 ON CONFLICT DO NOTHING"
        ),
        {"domains": list(wanted), "slots": list(wanted.values())},
    )
    rows = session.execute(
        text("SELECT domain, slot_no, job_id FROM domain_slot WHERE domain = ANY(:domains) ORDER BY domain, slot_no FOR UPDATE"),
        {"domains": list(domains)},
    ).all()
    found: dict[str, list[DomainSlot]] = {domain: [] for domain in domains}
    for domain, slot_no, job_id in rows:
        found[domain].append(DomainSlot(domain=domain, slot_no=slot_no, job_id=job_id))
    return {domain: _within(slots, wanted[domain]) for domain, slots in found.items()}


def _within(slots: list[DomainSlot], budget: int) -> list[DomainSlot]:
    """The slots that may be used: as many as the budget, those that are held counted first."""
    used = [slot for slot in slots if slot.job_id is not None]
    free = [slot for slot in slots if slot.job_id is None]
    return [*used, *free[: max(0, budget - len(used))]]


def _budgets(session: Session, domains: Sequence[str]) -> dict[str, int]:
    rows = session.execute(text("SELECT domain, slots FROM domain_budget WHERE domain = ANY(:domains)"), {"domains": list(domains)})
    given = {domain: slots for domain, slots in rows if may_be_raised(domain)}
    return {domain: given.get(domain, default_slots(domain)) for domain in sorted(domains)}


def take_slots(session: Session, job_id: int, slots: dict[str, list[DomainSlot]]) -> str:
    """Takes one free slot in each domain, or none at all: then returns the domain that is full."""
    chosen: list[DomainSlot] = []
    for domain, rows in slots.items():
        if any(row.job_id == job_id for row in rows):
            continue
        free = next((row for row in rows if row.job_id is None), None)
        if free is None:
            return domain
        chosen.append(free)
    for slot in chosen:
        session.execute(
            text("UPDATE domain_slot SET job_id = :job WHERE domain = :domain AND slot_no = :slot"),
            {"job": job_id, "domain": slot.domain, "slot": slot.slot_no},
        )
    return ""


def domain_words(domain: str) -> str:
    """A domain as shown to people."""
    kind, _, rest = domain.partition(":")
    if kind == "cluster":
        return f"cluster {rest}"
    if kind == "fabric":
        return f"fabric {rest.partition('/')[2]}"
    if kind == "unclustered":
        return "hosts without a known cluster"
    return "group"
