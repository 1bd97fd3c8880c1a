"""Whether a host can be reached for changes, and why not: by its agent's report, its vCenter's report, and what is stored here.

No connection is made for this. A host in lockdown, or one whose SSH service is stopped, is refused by the planner with these texts;
only a person changes either.
"""

from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, col, select

from plumbline.auth.actor import Actor
from plumbline.auth.scope import host_in_scope
from plumbline.collection.vcenter_queries import read_facts
from plumbline.collection.vcenter_schemas import VCenterFacts
from plumbline.configurations.read import read_document
from plumbline.core.facts.configuration import HOST
from plumbline.models.controls import RemediationEndpoint
from plumbline.models.hosts import Host
from plumbline.models.vault import VaultSecret
from plumbline.remediation.access.runner_client import known_identity
from plumbline.remediation.access.schemas import HostReach, ReachReason

_NO_RUNNER_THERE = (
    "The runner can't start, so nothing can be changed. Lockdown, SSH, maintenance mode and esxcli lists are still read through vCenter."
)
_NO_CREDENTIAL = "remediation is not set up (no address and credential); an admin adds them"
# What blocks access comes first.
_ORDER = ("no", "unknown", "note", "yes")


@dataclass(frozen=True, slots=True)
class ReachEvidence:
    """What is known about signing in to a host over SSH. None: not known."""

    lockdown: str | None = None
    exception_users: tuple[str, ...] | None = None
    is_ssh_running: bool | None = None
    shell_timeout_seconds: int | None = None
    connection: str = ""
    source: str = ""


def sign_in_reasons(evidence: ReachEvidence, account: str) -> list[ReachReason]:
    """PURE: what lockdown, the SSH service and the shell's time limit mean for an account that signs in over SSH."""
    reasons: list[ReachReason] = []
    if evidence.lockdown in ("normal", "strict"):
        reasons.append(_lockdown(evidence, account))
    elif evidence.lockdown == "disabled":
        reasons.append(_reason("yes", "lockdown", f"lockdown is off{evidence.source}"))
    if evidence.is_ssh_running is False:
        words = f"SSH is stopped{evidence.source}. Start it in vCenter under Configure > Services > SSH"
        reasons.append(_reason("no", "ssh", words))
    elif evidence.is_ssh_running:
        reasons.append(_reason("yes", "ssh", f"SSH is running{evidence.source}"))
    if evidence.shell_timeout_seconds:
        minutes = max(1, round(evidence.shell_timeout_seconds / 60))
        words = f"SSH stops {minutes} min after it starts (UserVars.ESXiShellTimeOut). Later jobs will wait"
        reasons.append(_reason("note", "shell_timeout", words))
    if evidence.connection in ("disconnected", "not_responding"):
        words = evidence.connection.replace("_", " ")
        reasons.append(_reason("note", "connection", f"vCenter reports the host as {words}; its data may be outdated"))
    return reasons


def _lockdown(evidence: ReachEvidence, account: str) -> ReachReason:
    mode = f"lockdown is on ({evidence.lockdown}){evidence.source}"
    if evidence.exception_users is None:
        words = f"{mode}: only exception users can use SSH; unknown whether {account or 'our account'} is one"
        return _reason("unknown", "lockdown", words)
    if account and account.casefold() in {user.casefold() for user in evidence.exception_users}:
        return _reason("yes", "lockdown", f"{mode}, and {account} is one of its exception users")
    words = f"{mode}: SSH lets only its exception users in, and {account or 'our account'} is none of them. {_NO_RUNNER_THERE}"
    return _reason("no", "lockdown", words)


def read_reach(session: Session, *, actor: Actor, host_id: str) -> HostReach:
    """For the host's page: yes, no or unknown, with each reason, and what its vCenter reports."""
    host, _ = host_in_scope(session, actor=actor, host_id=host_id)
    row = session.get(RemediationEndpoint, host_id)
    facts = read_facts(session, host_id=host_id)
    if row is None:
        reasons = [_reason("no", "way", _NO_CREDENTIAL)]
        reasons += sign_in_reasons(_evidence(session, host, facts), "") if host.platform == "esxi" else []
    else:
        reasons = _on_record(session, host, row)
        if host.platform == "esxi":
            reasons += sign_in_reasons(_evidence(session, host, facts), session.get_one(VaultSecret, row.credential_id).account)
    states = {reason.state for reason in reasons}
    answer: Literal["yes", "no", "unknown"] = "no" if "no" in states else "unknown" if "unknown" in states else "yes"
    return HostReach(answer=answer, reasons=sorted(reasons, key=lambda reason: _ORDER.index(reason.state)), vcenter=facts)


def sign_in_blocker(session: Session, host: Host) -> str:
    """Why no attempt to sign in can succeed, for the planner; empty where no reason is known.

    Only certain reasons count: lockdown without the credential's account among the exception users, or a stopped SSH service.
    """
    row = session.get(RemediationEndpoint, host.id)
    if host.platform != "esxi" or row is None:
        return ""
    evidence = _evidence(session, host, read_facts(session, host_id=host.id))
    # The account alone: the planning process may not open the secret.
    account = session.exec(select(VaultSecret.account).where(col(VaultSecret.id) == row.credential_id)).one()
    reasons = sign_in_reasons(evidence, account)
    return "; ".join(reason.words for reason in reasons if reason.state == "no")


def access_blocker(session: Session, host: Host) -> str:
    """Why no job can reach the host by what is on record here: no credential, a stopped one, no confirmed identity, no runner. Empty where
    nothing is missing; a last try that failed does not count, since the next one may succeed.
    """
    row = session.get(RemediationEndpoint, host.id)
    if row is None:
        return _NO_CREDENTIAL
    return "; ".join(reason.words for reason in _on_record(session, host, row) if reason.state == "no")


def _on_record(session: Session, host: Host, row: RemediationEndpoint) -> list[ReachReason]:
    reasons: list[ReachReason] = []
    if not any(known_identity(session, row)):
        reasons.append(_reason("no", "identity", "host key not verified; nothing is sent"))
    stopped = session.exec(
        select(VaultSecret.stopped_reason).where(col(VaultSecret.id) == row.credential_id, col(VaultSecret.stopped_at).is_not(None))
    ).first()
    if stopped is not None:
        reasons.append(_reason("no", "credential", f"remediation credential is disabled: {stopped or 'no reason given'}"))
    runner = row.runner_sha256 if host.platform == "esxi" else host.runner_hash
    if not runner:
        who = "an admin puts it there" if host.platform == "esxi" else "Install-Plumbline.ps1 puts it there, run on the host"
        reasons.append(_reason("no", "runner", f"no runner installed: {who}"))
    if row.last_error:
        reasons.append(_reason("unknown", "last_try", f"last attempt failed: {row.last_error}"))
    elif row.last_ok_at is not None:
        reasons.append(_reason("yes", "last_try", "last attempt succeeded"))
    return reasons


def _evidence(session: Session, host: Host, facts: VCenterFacts | None) -> ReachEvidence:
    """What its vCenter reports while that is fresh; else what its own agent reported."""
    if facts is not None and facts.is_fresh:
        users = tuple(facts.exception_users) if facts.exception_users is not None else None
        source = f", by {facts.vcenter_name}"
        return ReachEvidence(facts.lockdown, users, facts.is_ssh_running, facts.shell_timeout_seconds, facts.connection, source)
    stored = read_document(session, host)
    locked = stored.document.configuration.value(HOST, "lockdown") if stored is not None else None
    if not isinstance(locked, bool):
        return ReachEvidence()
    return ReachEvidence(lockdown="normal" if locked else "disabled", source=", by its agent")


def _reason(state: Literal["yes", "no", "unknown", "note"], about: str, words: str) -> ReachReason:
    return ReachReason(state=state, about=about, words=words)
