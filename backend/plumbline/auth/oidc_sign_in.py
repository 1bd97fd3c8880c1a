"""Signing in at the identity provider, and confirming one's identity there before an act that requires it.

An attempt is stored and the browser is sent to the provider, which sends it back with a code that works once. Each failure has its own
error code, which the sign-in page shows and the audit trail keeps; no failure leaves a session.
"""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import structlog
from sqlalchemy import delete, func, select, text, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import oidc_client, oidc_settings, sessions
from plumbline.auth.actor import Actor
from plumbline.auth.attempts import network_of
from plumbline.infra.database import session_scope
from plumbline.infra.errors import NotAllowed, PlumblineError, TooManyRequests
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON, WEB_SESSION, OidcFlow, OidcProvider, Person, WebSession
from plumbline.models.columns import columns_of

log = structlog.get_logger()

ATTEMPT = timedelta(minutes=10)
ATTEMPTS_PER_NETWORK = 100
# A confirmation at the provider must not be older.
CONFIRMED_WITHIN = timedelta(minutes=5)
_LEEWAY = timedelta(seconds=oidc_client.LEEWAY_SECONDS)
# Assumed age of the last authentication where the provider does not report it.
_LONG_AGO = timedelta(days=365)
Kind = Literal["sign_in", "confirm"]
_NOT_IN_A_LOGIN = re.compile(r"[^A-Za-z0-9._@+-]+")

OIDC_FLOW = columns_of(OidcFlow)


class ProviderOff(NotAllowed):
    """Signing in at a provider is off."""

    code = "provider_off"


class AttemptOver(NotAllowed):
    """The attempt took too long, was used before, or began in another browser."""

    code = "attempt_over"


class NoRoleHere(NotAllowed):
    """The provider knows the person, and none of its groups has a role here."""

    code = "no_role_here"


class AccountClosed(NotAllowed):
    """An admin disabled this person's account."""

    code = "account_closed"


class AnotherPerson(NotAllowed):
    """The person who confirmed at the provider is not the one who is signed in."""

    code = "somebody_else"


class NotFresh(NotAllowed):
    """The provider does not report that the person authenticated just now."""

    code = "not_fresh"


@dataclass(frozen=True, slots=True)
class SignInRedirect:
    """Where the browser is sent, and the secret for its cookie (empty where it is not sent to the provider)."""

    url: str
    secret: str = ""


@dataclass(frozen=True, slots=True)
class SignInResult:
    """The outcome of an attempt: a new session's id, or an error code."""

    kind: Kind
    next: str
    session_id: str = ""
    problem: str = ""

    @property
    def url(self) -> str:
        """The page of this site to show next. Only error codes are put into addresses, since a text there could be forged."""
        if self.kind == "confirm":
            return f"/confirmed?problem={self.problem}" if self.problem else "/confirmed"
        if not self.problem:
            return self.next
        return f"{self.next}{'&' if '?' in self.next else '?'}sign_in_problem={self.problem}"


def begin(*, next_path: str, address: str, actor: Actor | None = None) -> SignInRedirect:
    """Stores an attempt and returns where to send the browser. With an actor it confirms that person again and starts no session.

    Errors that a person can meet are not raised: the browser is then sent back to this site with the error code.
    """
    kind: Kind = "confirm" if actor else "sign_in"
    secret = secrets.token_urlsafe(32)
    is_counted = False
    try:
        with session_scope() as session:
            client = _store_attempt(session, secret, kind, next_path, address, actor)
        is_counted = True
        # The provider may be slow, so no connection to the database is held meanwhile.
        documents = oidc_client.discover(client)
        url = oidc_client.authorization_url(
            client,
            documents,
            _sign_in_state(secret),
            is_fresh=actor is not None,
            most_age_seconds=get_settings().session_absolute_hours * 3600,
        )
        return SignInRedirect(url=url, secret=secret)
    except PlumblineError as error:
        _note_refusal(error, address, is_audited=is_counted)
        return SignInRedirect(url=SignInResult(kind, next_path, problem=error.code).url)


def _store_attempt(session: Session, secret: str, kind: Kind, next_path: str, address: str, actor: Actor | None) -> oidc_client.Client:
    row = session.get(OidcProvider, 1)
    if row is None or not row.is_enabled:
        raise ProviderOff("Single sign-on is disabled. Use your local account, or ask an admin.")
    network = network_of(address)
    session.execute(delete(OidcFlow).where(OIDC_FLOW.started_at < func.now() - timedelta(days=1)))
    recent = select(func.count()).select_from(OidcFlow).where(OIDC_FLOW.network == network, OIDC_FLOW.started_at > func.now() - ATTEMPT)
    if (session.scalar(recent) or 0) >= ATTEMPTS_PER_NETWORK:
        raise TooManyRequests(
            "Too many sign-in attempts from this network. Wait 10 minutes.", retry_after_seconds=int(ATTEMPT.total_seconds())
        )
    session.add(
        OidcFlow(
            id_hash=sessions.hash_id(secret), kind=kind, next=next_path, network=network, session_hash=actor.session_hash if actor else None
        )
    )
    return oidc_settings.client_of(row)


def _sign_in_state(secret: str) -> oidc_client.SignInState:
    """State, nonce and code verifier, all derived from the secret in the browser's cookie, so that none of them is stored."""

    def derived(what: str) -> str:
        digest = hmac.digest(secret.encode(), f"plumbline-sign-in-1\0{what}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    return oidc_client.SignInState(state=derived("state"), nonce=derived("nonce"), code_verifier=derived("code_verifier"))


def finish(*, secret: str, answer: Mapping[str, str], session_id: str, address: str, agent: str) -> SignInResult:
    """Ends an attempt with the provider's answer. Errors that a person can meet are not raised: their code is part of the result.

    `session_id` is that of the browser's present session, which a new one replaces.
    """
    kind: Kind = "sign_in"
    next_path = "/"
    is_counted = False
    try:
        attempt = _use_attempt(secret)
        is_counted = True
        kind, next_path = "confirm" if attempt.kind == "confirm" else "sign_in", attempt.next
        identity = _identify(secret, answer)
        with session_scope() as session:
            if kind == "confirm":
                _confirm(session, attempt, identity, session_id)
                return SignInResult(kind, next_path)
            started = _sign_in(session, identity, address=address, agent=agent)
            if started:
                sessions.end_replaced(session, session_id)
        if not started:
            raise NoRoleHere(f"{identity.login} has no role here by these groups: {', '.join(identity.groups)[:400] or 'none'}")
        return SignInResult(kind, next_path, session_id=started)
    except PlumblineError as error:
        _note_refusal(error, address, is_audited=is_counted)
        return SignInResult(kind, next_path, problem=error.code)


def _use_attempt(secret: str) -> OidcFlow:
    """Marks the attempt as used, in a transaction of its own, so that a later failure does not make it usable again."""
    over = AttemptOver("This sign-in timed out, was already used, or was started in another browser. Start again.")
    if not secret:
        raise over
    with session_scope() as session:
        row = session.scalar(
            update(OidcFlow)
            .where(OIDC_FLOW.id_hash == sessions.hash_id(secret), OIDC_FLOW.used_at.is_(None), OIDC_FLOW.started_at > func.now() - ATTEMPT)
            .values(used_at=func.now())
            .returning(OidcFlow)
        )
        if row is None:
            raise over
        session.expunge(row)
    assert isinstance(row, OidcFlow)
    return row


def _identify(secret: str, answer: Mapping[str, str]) -> oidc_client.Identity:
    with session_scope() as session:
        row = session.get(OidcProvider, 1)
        if row is None or not row.is_enabled:
            raise ProviderOff("signing in at an identity provider was switched off meanwhile")
        client, now = oidc_settings.client_of(row), session.execute(select(func.now())).scalar_one()
    return oidc_client.identify(client, oidc_client.discover(client), _sign_in_state(secret), answer=answer, now=now)


def _sign_in(session: Session, identity: oidc_client.Identity, *, address: str, agent: str) -> str:
    """The id of the person's new session, empty where they have no role. The provider's groups take effect in all their sessions."""
    # The lock makes two first sign-ins of one person at once create one account.
    session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:who, 7302652))"), {"who": f"{identity.issuer} {identity.subject}"})
    person = session.scalar(select(Person).where(PERSON.oidc_issuer == identity.issuer, PERSON.oidc_subject == identity.subject))
    now = session.execute(select(func.now())).scalar_one()
    if person is not None and person.is_disabled:
        raise AccountClosed(f"the account {person.login} is disabled. Ask an admin.")
    if person is None:
        if not _has_role(session, identity.groups):
            return ""
        person = _create(session, identity)
    _set_groups(session, person, identity, now)
    if not sessions.grants_of(session, person.id or 0):
        sessions.end_all(session, person_id=person.id or 0)
        return ""
    proven_at = min(identity.proven_at, now) if identity.proven_at else now - _LONG_AGO
    return sessions.start(session, person=person, address=address, agent=agent, proven_at=proven_at)


def _has_role(session: Session, groups: tuple[str, ...]) -> bool:
    return bool(
        session.execute(text("SELECT EXISTS (SELECT 1 FROM role_grant WHERE oidc_group = ANY(:groups))"), {"groups": list(groups)}).scalar()
    )


def _create(session: Session, identity: oidc_client.Identity) -> Person:
    """An account identified by issuer and subject. It is never joined with an existing one, whatever its name or address."""
    person = Person(
        login=_free_login(session, identity),
        display_name=identity.display_name,
        oidc_issuer=identity.issuer,
        oidc_subject=identity.subject,
    )
    session.add(person)
    session.flush()
    audit.record(
        session,
        actor=audit.SYSTEM,
        action="person.created",
        about=audit.Object("person", str(person.id)),
        after={"login": person.login, "display_name": person.display_name, "issuer": identity.issuer, "subject": identity.subject},
    )
    return person


def _free_login(session: Session, identity: oidc_client.Identity) -> str:
    """The provider's login of the person, with a number added where another person has it already."""
    wished = _NOT_IN_A_LOGIN.sub("-", identity.login).strip("-._@+")[:56] or "person"
    taken = set(
        session.scalars(select(func.lower(PERSON.login)).where(func.lower(PERSON.login).startswith(wished.casefold(), autoescape=True)))
    )
    candidates = (wished, *(f"{wished}.{number}" for number in range(2, len(taken) + 3)))
    return next(login for login in candidates if login.casefold() not in taken)


def _set_groups(session: Session, person: Person, identity: oidc_client.Identity, now: datetime) -> None:
    before, after = list(person.oidc_groups), list(identity.groups)
    if before != after:
        # The provider changed their rights: their decisions are notified for a day, as after a change by an admin.
        person.rights_changed_at = now
    person.oidc_groups, person.oidc_groups_at, person.display_name = after, now, identity.display_name
    session.add(person)
    session.flush()
    if before != after:
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="person.groups_changed",
            about=audit.Object("person", str(person.id)),
            before={"groups": before},
            after={"groups": after},
        )


def _confirm(session: Session, attempt: OidcFlow, identity: oidc_client.Identity, session_id: str) -> None:
    """Stores in the session when its person authenticated, if it is the same person and happened after the attempt began."""
    actor = sessions.actor_of(session, session_id)
    person = session.get_one(Person, actor.person_id)
    if actor.session_hash != attempt.session_hash or (person.oidc_issuer, person.oidc_subject) != (identity.issuer, identity.subject):
        raise AnotherPerson(f"{identity.login} confirmed, but {actor.login} is signed in here")
    now = session.execute(select(func.now())).scalar_one()
    if identity.proven_at is None:
        raise NotFresh("the provider does not say when you proved who you are (auth_time); an admin can have it sent")
    if identity.proven_at < max(attempt.started_at, now - CONFIRMED_WITHIN) - _LEEWAY:
        raise NotFresh("the provider took an older sign-in; sign out there and confirm again")
    session.execute(
        update(WebSession).where(WEB_SESSION.id_hash == actor.session_hash).values(authenticated_at=min(identity.proven_at, now))
    )
    audit.record(session, actor=actor.audit_name, action="session.confirmed", about=audit.Object("person", str(actor.person_id)))


def _note_refusal(error: PlumblineError, address: str, *, is_audited: bool) -> None:
    """Audits only counted attempts: the trail is never shortened, and strangers could fill it otherwise."""
    log.warning("a sign-in at the provider failed", code=error.code, detail=error.message, request_id=audit.REQUEST_ID.get())
    if not is_audited:
        return
    with session_scope() as session:
        audit.record(
            session,
            actor=audit.SYSTEM,
            action="session.refused",
            about=audit.Object("sign_in_provider", "1"),
            after={"code": error.code, "network": network_of(address)},
            reason=error.message[:500],
        )


def sign_out_url() -> str:
    """The provider's page that ends the session there too; this site's sign-in page where it has none or does not answer."""
    home = get_settings().public_url.rstrip("/") + "/"
    try:
        with session_scope() as session:
            row = session.get(OidcProvider, 1)
            if row is None or not row.is_enabled:
                return home
            client = oidc_settings.client_of(row)
        return oidc_client.end_session_url(client, oidc_client.discover(client), back_to=home) or home
    except PlumblineError:
        return home
