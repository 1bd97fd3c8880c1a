"""Notices about acts of people, read from the audit trail. Each act's entry was written in the act's transaction and is numbered without
gaps, so that none is missed or notified twice. What has been decided meanwhile is left out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Row
from sqlmodel import Session, select, text

from plumbline.models.jobs import JobState
from plumbline.models.notify import NoticeChannel, NoticeCursor
from plumbline.notify.outbox import NoticeContent, open_channels, paths_of_groups, write_notice
from plumbline.remediation.states import JOB_FINAL, JOB_WORDS

_MOST = 500
_NEW = """
SELECT number, at, actor, action, object_kind, object_id, group_id, before, after, reason FROM audit_entry
WHERE number > :after ORDER BY number LIMIT :most
"""
_PLAN = "SELECT title, reason, state FROM plan WHERE id = :id"
_WAIVER = "SELECT '' AS title, reason, state FROM waiver WHERE id = :id"
_BASELINE = "SELECT '' AS title, reason, state FROM baseline WHERE id = :id"
_DECISION = "SELECT '' AS title, reason, state FROM conflict_decision WHERE id = :id"


def take_acts(session: Session) -> int:
    """Writes notices about the acts since the last time; returns how many. Of two runs at once, one does nothing."""
    cursor = session.exec(select(NoticeCursor).with_for_update(skip_locked=True)).first()
    if cursor is None:
        return 0
    entries = session.execute(text(_NEW), {"after": cursor.number, "most": _MOST}).all()
    if not entries:
        return 0
    channels, paths = open_channels(session), paths_of_groups(session)
    written = sum(_take(session, entry, channels, paths) for entry in entries) if channels else 0
    cursor.number = entries[-1].number
    session.add(cursor)
    return written


def _take(session: Session, entry: Row[Any], channels: list[NoticeChannel], paths: Mapping[int, str]) -> int:
    content_of = _CONTENT_OF.get(entry.action)
    path = paths.get(entry.group_id or 1)
    if content_of is None or path is None:
        return 0
    content = content_of(session, entry)
    if content is None:
        return 0
    receiving = [channel for channel in channels if content.kind in channel.kinds and path.startswith(paths[channel.group_id])]
    groups = sorted({channel.group_id for channel in receiving})
    for group_id in groups:
        write_notice(session, [channel for channel in receiving if channel.group_id == group_id], group_id=group_id, content=content)
    return len(groups)


def _name_of(actor: str) -> str:
    return actor.partition(" ")[2] or actor


def _lines(*lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Something that waits for an approver while its row is in a state, with its title and the page that shows it."""

    statement: str
    state: str
    title: str
    page: str

    def __call__(self, session: Session, entry: Row[Any]) -> NoticeContent | None:
        """The notice about it; None where it is decided already."""
        row = session.execute(text(self.statement), {"id": int(entry.object_id)}).first()
        if row is None or row.state != self.state:
            return None
        name = f": {row.title}" if row.title else ""
        title, page = self.title.format(id=entry.object_id), self.page.format(id=entry.object_id)
        lines = _lines(f"Requested by {_name_of(entry.actor)}", row.reason)
        return NoticeContent("approval", f"{title} needs approval{name}", lines, page=page)


def _break_glass(session: Session, entry: Row[Any]) -> NoticeContent | None:
    plan = session.execute(text(_PLAN), {"id": int(entry.object_id)}).first()
    if plan is None:
        return None
    did = {
        "plan.break_glass_asked": "requested break-glass and needs a second admin",
        "plan.glass_broken": "confirmed break-glass; it runs without an approver and needs a review",
        "plan.break_glass_reviewed": "reviewed the break-glass run",
    }[entry.action]
    title = f"Break-glass on plan {entry.object_id}: {_name_of(entry.actor)} {did}"
    return NoticeContent("break_glass", title, _lines(plan.title, entry.reason), page=f"/remediate/{entry.object_id}")


def _ending(_: Session, entry: Row[Any]) -> NoticeContent:
    what = entry.action.partition(".")[0]
    page = f"/waivers/{entry.object_id}" if what == "waiver" else "/waivers?tab=attestations"
    return NoticeContent("ending", f"{what.capitalize()} {entry.object_id} {entry.reason}", page=page)


def _who(session: Session, entry: Row[Any]) -> str:
    """Who was given a right, or whose account it is: "ana", or "the provider's group san-ops"."""
    if entry.object_kind == "oidc_group":
        return f"the provider's group {entry.object_id}"
    login = session.execute(text("SELECT login FROM person WHERE id = :id"), {"id": int(entry.object_id)}).scalar_one_or_none()
    return str(login or f"account {entry.object_id}")


def _grant(session: Session, entry: Row[Any]) -> NoticeContent:
    is_given = entry.action == "grant.given"
    grant = entry.after if is_given else entry.before
    group = session.execute(text("SELECT name FROM host_group WHERE id = :id"), {"id": grant["group_id"]}).scalar_one_or_none()
    did = "gives" if is_given else "takes from"
    title = f"{_name_of(entry.actor)} {did} {_who(session, entry)} the role {grant['role']} on {group or 'a group that is gone'}"
    return NoticeContent("grant", title, page="/admin/people")


def _account(session: Session, entry: Row[Any]) -> NoticeContent | None:
    """A password that was set, or an account that was made, disabled or enabled. A changed name is no news."""
    who, by, after = _who(session, entry), _name_of(entry.actor), entry.after or {}
    if entry.action == "person.password_set":
        return NoticeContent("password", f"{who} set a password of their own", page="/admin/people")
    if entry.action == "person.created":
        return NoticeContent("password", f"{by} creates the account {who}", page="/admin/people")
    if after.get("is_password_changed"):
        return NoticeContent("password", f"{by} sets another password for {who}", page="/admin/people")
    if "is_disabled" in after:
        return NoticeContent("grant", f"{by} {'disables' if after['is_disabled'] else 'enables'} the account {who}", page="/admin/people")
    return None


def _second_factor(session: Session, entry: Row[Any]) -> NoticeContent:
    """A second factor that was added, removed, reset by an admin, or replaced by a recovery code at a sign-in."""
    who, by, after = _who(session, entry), _name_of(entry.actor), entry.after or {}
    titles = {
        "person.second_factor_added": f"{who} added a second factor",
        "person.second_factor_removed": f"{who} removed a second factor",
        "person.second_factor_reset": f"{by} removed the second factor of {who}",
        "person.recovery_code_used": f"{who} signed in with a recovery code",
    }
    names = {"authenticator": "authenticator app", "passkey": "passkey"}
    factor = after or entry.before or {}
    line = f"{names[factor['kind']]}: {factor['name']}" if factor.get("kind") in names else ""
    left = f"recovery codes left: {after['left']}" if "left" in after else ""
    return NoticeContent("password", titles[entry.action], _lines(line, left), page="/admin/people")


def _policy(_: Session, entry: Row[Any]) -> NoticeContent:
    is_required = bool((entry.after or {}).get("is_second_factor_required"))
    did = "requires a second factor of approvers" if is_required else "no longer requires a second factor of approvers"
    return NoticeContent("provider", f"{_name_of(entry.actor)} {did}", page="/admin/sign-in")


def _provider(_: Session, entry: Row[Any]) -> NoticeContent:
    before, after = entry.before or {}, entry.after or {}
    changed = sorted(name for name in after if after[name] != before.get(name))
    lines = _lines(f"changed: {', '.join(changed)}" if changed else "", f"issuer: {after.get('issuer', '')}")
    return NoticeContent("provider", f"{_name_of(entry.actor)} changes the identity provider", lines, page="/admin/sign-in")


# A decision within this of a change of the person's own rights or password is notified.
_NEWS = timedelta(hours=24)
_DID = {
    "plan.approved": "approves plan {id}",
    "waiver.approved": "approves waiver {id}",
    "baseline.accepted": "accepts baseline {id}",
    "conflict.decided": "decides on rule conflict {id}",
    "standing_approval.signed": "signs standing approval {id}",
}


def _decision(session: Session, entry: Row[Any]) -> NoticeContent | None:
    """A decision by a person whose rights or password an admin, or the identity provider, changed within the last day."""
    person_id = entry.actor.removeprefix("person:").partition(" ")[0]
    if not entry.actor.startswith("person:") or not person_id.isdigit():
        return None
    changed = session.execute(text("SELECT rights_changed_at FROM person WHERE id = :id"), {"id": int(person_id)}).scalar_one_or_none()
    if changed is None or not timedelta(0) <= entry.at - changed <= _NEWS:
        return None
    title = f"{_name_of(entry.actor)}, whose rights or password were just changed, {_DID[entry.action].format(id=entry.object_id)}"
    return NoticeContent("grant", title, (f"changed at {changed:%Y-%m-%d %H:%M} UTC",), page="/admin/audit")


_JOB = """
SELECT j.id, j.state_words, j.host_id, h.name, p.title
FROM job j JOIN host h ON h.id = j.host_id JOIN plan p ON p.id = j.plan_id WHERE j.id = :id
"""


def _job_ended(session: Session, entry: Row[Any]) -> NoticeContent | None:
    """A job that came to its end, whichever."""
    job = session.execute(text(_JOB), {"id": int(entry.object_id)}).first()
    if job is None:
        return None
    state = entry.action.partition(".")[2].upper()
    title = f"Job {job.id} on {job.name}: {JOB_WORDS[JobState(state)].lower()}"
    return NoticeContent("job", title, _lines(job.title, job.state_words), (job.host_id,), f"/jobs/{job.id}")


_MADE = {"report.made": ("Report {id}", "/reports"), "evidence.made": ("Evidence bundle {id}", "/reports#evidence")}


def _made(_: Session, entry: Row[Any]) -> NoticeContent:
    """A report or an evidence bundle that is ready, or could not be made."""
    what, page = _MADE[entry.action]
    error = (entry.after or {}).get("error", "")
    came = "could not be made" if error else "is ready"
    return NoticeContent("report", f"{what.format(id=entry.object_id)} {came}", _lines(error), page=page)


_CONTENT_OF: Mapping[str, Callable[[Session, Row[Any]], NoticeContent | None]] = {
    "plan.awaiting_approval": _Waiting(_PLAN, "AWAITING_APPROVAL", "Plan {id}", "/remediate/{id}"),
    "waiver.requested": _Waiting(_WAIVER, "requested", "Waiver {id}", "/waivers/{id}"),
    "baseline.proposed": _Waiting(_BASELINE, "proposed", "Baseline proposal", "/drift?tab=baselines&baseline={id}"),
    "conflict.proposed": _Waiting(_DECISION, "proposed", "Rule conflict resolution", "/decisions"),
    "plan.break_glass_asked": _break_glass,
    "plan.glass_broken": _break_glass,
    "plan.break_glass_reviewed": _break_glass,
    "waiver.reminded": _ending,
    "attestation.reminded": _ending,
    "grant.given": _grant,
    "grant.taken": _grant,
    "person.created": _account,
    "person.changed": _account,
    "person.password_set": _account,
    "person.second_factor_added": _second_factor,
    "person.second_factor_removed": _second_factor,
    "person.second_factor_reset": _second_factor,
    "person.recovery_code_used": _second_factor,
    "sign_in_policy.changed": _policy,
    "sign_in_provider.changed": _provider,
    **dict.fromkeys(_DID, _decision),
    **{f"job.{state.lower()}": _job_ended for state in JOB_FINAL},
    **dict.fromkeys(_MADE, _made),
}
