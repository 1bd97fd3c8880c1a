"""Changes that are set and not in effect yet: they wait for new sessions or for a restart that a person makes.

A job leaves the list when its host runs the new value: it was restarted since (another boot), or the setting that proves the change has
the new value. The running values of a registry entry or an initiator's parameter cannot be read, so for those the boot decides.
"""

import json
from typing import Literal

from sqlmodel import Session, select, text

from plumbline.auth.actor import Actor
from plumbline.auth.scope import in_scope
from plumbline.configurations.read import read_documents
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Configuration, Subject, Value, decode_id, setting_text
from plumbline.core.planning.plan import Element, read_plan
from plumbline.infra.schemas import NamedHost
from plumbline.models.hosts import HostGroup
from plumbline.remediation.jobs.schemas import PendingEffect

_MOST = 200
_WORDS = {
    "reboot": "restart the host in its next maintenance window",
    "new_session": "log its iSCSI sessions out and in again, one at a time",
}
_FILTER = "transport_filter/"

# An undo before the restart returns to the value that still runs: then nothing is pending.
_PENDING = """
SELECT j.id, j.plan_id, p.title, p.document, j.kind, j.effect, j.finished_at, h.id AS host_id, h.name AS host_name
FROM job j JOIN host h ON h.id = j.host_id JOIN plan p ON p.id = j.plan_id
WHERE j.state = 'SUCCEEDED' AND j.effect <> '' AND h.group_id = ANY(:groups) AND h.state <> 'retired'
  AND (CAST(:host AS text) IS NULL OR h.id = :host)
  AND NOT EXISTS (SELECT 1 FROM job u WHERE u.undoes_id = j.id AND u.state = 'SUCCEEDED')
  AND EXISTS (SELECT 1 FROM job_step s WHERE s.job_id = j.id AND s.state = 'DONE' AND s.applied_by = 'us'
              AND s.boot_id = h.boots[array_upper(h.boots, 1)])
  AND NOT (j.kind = 'undo' AND j.effect = 'pending: reboot' AND EXISTS (
              SELECT 1 FROM job_step s JOIN job_step b ON b.boot_id = s.boot_id WHERE s.job_id = j.id AND b.job_id = j.undoes_id))
ORDER BY j.finished_at DESC, j.id DESC LIMIT :most
"""


def list_pending(session: Session, *, actor: Actor, host_id: str | None = None) -> list[PendingEffect]:
    """The newest changes in the actor's scope that wait for a restart or for new sessions; of one host where it is named.

    Three queries, however many there are.
    """
    groups = list(session.exec(select(HostGroup.id).where(in_scope(actor))))
    rows = session.execute(text(_PENDING), {"groups": groups, "host": host_id, "most": _MOST}).all()
    # Only shown, not executed: so the plan's document is enough, and its signature is not checked.
    elements = {row.id: _deferred(row.document, row.host_id) for row in rows}
    host_ids = [row.host_id for row in rows if row.kind == "change" and any(_is_provable(each) for each in elements[row.id])]
    documents = read_documents(session, host_ids) if host_ids else {}
    found = []
    for row in rows:
        configuration = documents[row.host_id].configuration if row.kind == "change" and row.host_id in documents else None
        if configuration is not None and _is_in_effect(configuration, elements[row.id]):
            continue
        waits_for: Literal["new_session", "reboot"] = "reboot" if row.effect == "pending: reboot" else "new_session"
        found.append(
            PendingEffect(
                host=NamedHost(id=row.host_id, name=row.host_name),
                job_id=row.id,
                plan_id=row.plan_id,
                plan_title=row.title,
                kind=row.kind,
                waits_for=waits_for,
                settings=sorted({element.label for element in elements[row.id]}),
                since=row.finished_at,
                words=_WORDS[waits_for],
            )
        )
    return found


def _deferred(document: str, host_id: str) -> list[Element]:
    """The elements of a host's part of a plan whose effect is deferred."""
    part = read_plan(json.loads(document)).host(host_id)
    return [element for step in part.steps if step.pending for element in step.elements] if part is not None else []


def _is_provable(element: Element) -> bool:
    return element.setting.startswith(_FILTER) or _proof_of(element) is not None


def _is_in_effect(configuration: Configuration, elements: list[Element]) -> bool:
    """The running settings of the host prove that the change is in effect. False where no setting can prove it."""
    provable = [element for element in elements if _is_provable(element)]
    return bool(provable) and all(_proves(configuration, element) for element in provable)


def _proof_of(element: Element) -> tuple[Subject, str] | None:
    kind, _, rest = element.catalogue.partition("/")
    encoded, _, key = rest.partition("/")
    entry = BY_KEY.get(f"{kind}.{key}")
    if entry is None or not entry.proof_key:
        return None
    return Subject(kind, decode_id(encoded)), entry.proof_key.partition(".")[2]


def _proves(configuration: Configuration, element: Element) -> bool:
    if element.setting.startswith(_FILTER):
        # A connection gets its template when it is made: those of the SAN were made after the filter.
        reading, wanted = configuration.read(HOST, "tcp.san_template"), element.target
    else:
        proof = _proof_of(element)
        assert proof is not None
        reading, wanted = configuration.read(*proof), element.expects
    return isinstance(reading, Value) and setting_text(reading.value) == wanted
