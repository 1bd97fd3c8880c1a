"""Hosts of an assessment become hosts of the fleet once a person says so: known from their bundle until they check in by themselves."""

import structlog
from sqlmodel import Session, text

from plumbline import audit
from plumbline.auth.actor import Actor
from plumbline.auth.rights import require
from plumbline.bundles.fleet import find_in_fleet
from plumbline.bundles.queries import find_assessment, kept_of
from plumbline.bundles.schemas import FleetHost, JoinedHost, JoinFleet
from plumbline.checkin.from_bundle import store_bundle
from plumbline.core.facts.bundles.hosts import collected_at
from plumbline.core.facts.bundles.kept import KeptHost, KeptSections, unpack_sections
from plumbline.hosts.enrol import add_from_bundle
from plumbline.infra.clock import iso
from plumbline.infra.database import now_of, session_scope
from plumbline.infra.errors import BadInput, Conflict, NotAllowed
from plumbline.models.assessments import Assessment, AssessmentHost, AssessmentHostSections, AssessmentState
from plumbline.models.host_locks import lock_host
from plumbline.models.hosts import Host, HostBundle, HostGroup

log = structlog.get_logger()

# Held while one host is added, so that two people who add the same bundle get one host. No other advisory lock has this number.
_JOIN_LOCK = 0x706C756D62_08
_NO_SECTIONS = "An earlier version read its bundle and kept too little. Upload it again."
_REPORTS_ITSELF = "{name} in the fleet checks in by itself, so its own data is newer. Compare the two instead."
_UNSURE = "It may be {name} in the fleet: {identity}. Add it only if it is another host."
_NOT_NEWER = "{name} in the fleet is known from a bundle that is as new."
_NO_TIME = "{name} is in the fleet, and this bundle doesn't say when it was collected, so it may be older."


class _LeftOut(Exception):
    """This host is not added; the message says why."""


def join_fleet(session: Session, *, actor: Actor, assessment_id: int, request: JoinFleet) -> list[JoinedHost]:
    """Adds these hosts one by one, each in a transaction of its own: what was added stays added whatever becomes of the next.

    Raises `NotFound`, `NotAllowed`, `Conflict` while the bundle is read.
    """
    group = session.get(HostGroup, request.group_id)
    require(actor, "host.add", group.path if group is not None else "", missing="Group not found.")
    assessment = find_assessment(session, actor, assessment_id)
    if assessment.state != AssessmentState.READY:
        raise Conflict("The bundle is not read yet.")
    return [_join(actor, assessment_id, assessed_id, request) for assessed_id in dict.fromkeys(request.assessed_ids)]


def _join(actor: Actor, assessment_id: int, assessed_id: int, request: JoinFleet) -> JoinedHost:
    name = ""
    try:
        with session_scope() as session:
            session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _JOIN_LOCK})
            row = session.get(AssessmentHost, assessed_id)
            if row is None or row.assessment_id != assessment_id:
                raise _LeftOut("Host not found in this assessment.")
            name = row.name
            kept, sections = _kept(session, row)
            found = _in_fleet(find_in_fleet(session, actor=actor, name=row.name, kept=kept), with_unsure=request.with_unsure)
            host, is_new = _host(session, actor, row, found, request.group_id)
            _store(session, actor, host, row, kept, sections, is_new=is_new)
            return JoinedHost(assessed_id=assessed_id, name=host.name, outcome="added" if is_new else "updated", words="", host_id=host.id)
    except (_LeftOut, BadInput, NotAllowed) as why:
        return JoinedHost(assessed_id=assessed_id, name=name, outcome="left_out", words=str(why), host_id=None)


def _kept(session: Session, row: AssessmentHost) -> tuple[KeptHost, KeptSections]:
    kept, stored = kept_of(row), session.get(AssessmentHostSections, row.id)
    if kept is None or stored is None:
        raise _LeftOut(_NO_SECTIONS)
    try:
        return kept, unpack_sections(stored.content)
    except ValueError:
        log.error("sections of an assessed host cannot be read", assessed=row.id)
        raise _LeftOut(_NO_SECTIONS) from None


def _in_fleet(found: list[FleetHost], *, with_unsure: bool) -> FleetHost | None:
    """The host of the fleet that is brought up to date; None for a new one."""
    same = [each for each in found if each.likeness == "same"]
    for each in same:
        if each.source != "bundle":
            raise _LeftOut(_REPORTS_ITSELF.format(name=each.name))
    if not same and found and not with_unsure:
        raise _LeftOut(_UNSURE.format(name=found[0].name, identity=found[0].identity))
    return same[0] if same else None


def _host(session: Session, actor: Actor, row: AssessmentHost, found: FleetHost | None, group_id: int) -> tuple[Host, bool]:
    if found is None:
        return add_from_bundle(session, name=row.name, platform=row.platform, group_id=group_id, added_by=actor.person_id), True
    host = lock_host(session, found.id)
    group = session.get(HostGroup, host.group_id)
    require(actor, "host.add", group.path if group is not None else "", missing="Group not found.")
    known = session.get(HostBundle, host.id)
    taken = collected_at(row.captured_at)
    if taken is None:
        raise _LeftOut(_NO_TIME.format(name=host.name))
    if known is not None and known.captured_at is not None and taken <= known.captured_at:
        raise _LeftOut(_NOT_NEWER.format(name=host.name))
    return host, False


def _store(
    session: Session, actor: Actor, host: Host, row: AssessmentHost, kept: KeptHost, sections: KeptSections, *, is_new: bool
) -> None:
    assessment = session.get_one(Assessment, row.assessment_id)
    taken = collected_at(row.captured_at)
    # A clock that was ahead is not believed: later bundles would look older.
    taken = min(taken, now_of(session)) if taken is not None else None
    # A bundle that tells no time is at most as new as its upload.
    as_of = taken or assessment.created_at
    store_bundle(session, host, sections.sections, agent_version=sections.agent_version, captured_at=as_of)
    bundle = session.get(HostBundle, host.id) or HostBundle(host_id=host.id, bundle="", sha256="", kind_label="", members=[])
    bundle.bundle, bundle.sha256, bundle.kind_label = str(row.told["bundle"]), assessment.sha256, row.kind_label
    bundle.captured_at, bundle.added_at = taken, now_of(session)
    bundle.members = [[section, command, member] for (section, command), member in kept.members.items()]
    session.add(bundle)
    audit.record(
        session,
        actor=actor.audit_name,
        action="host.added_from_bundle" if is_new else "host.updated_from_bundle",
        about=audit.Object("host", host.id, host.group_id),
        after={"name": host.name, "bundle": bundle.bundle, "sha256": bundle.sha256, "captured_at": iso(taken) if taken else None},
    )
