"""Setting up the identity provider, checking it, and the roles of its groups."""

import ssl
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, literal, select, update
from sqlmodel import Session

from plumbline import audit
from plumbline.auth import oidc_client, oidc_secret, people
from plumbline.auth.actor import Actor, Role
from plumbline.auth.oidc_schemas import GroupGrant, ProviderFound, ProviderOut, ProviderSet, ProviderTrial
from plumbline.auth.rights import ACTIONS, require
from plumbline.auth.sessions import HOST_GROUP
from plumbline.infra import http_client
from plumbline.infra.errors import BadInput, Conflict, NotFound, Unavailable
from plumbline.infra.settings import get_settings
from plumbline.models.auth import PERSON, ROLE_GRANT, WEB_SESSION, OidcProvider, Person, RoleGrant, WebSession

CALLBACK = "/api/v1/sign-in/callback"
_ID = 1


class SecretNotReadable(Unavailable):
    """The client secret's file, named in the settings, cannot be read."""

    code = "secret_closed"


def redirect_uri() -> str:
    """The address to which the provider sends people back; it has to be registered there exactly so."""
    return get_settings().public_url.rstrip("/") + CALLBACK


def enabled_name(session: Session) -> str | None:
    """The name on the sign-in page's button; None where signing in at a provider is off."""
    row = session.get(OidcProvider, _ID)
    return row.name if row is not None and row.is_enabled else None


def client_of(row: OidcProvider) -> oidc_client.Client:
    """The client that the protocol needs. Raises `SecretClosed`, `SecretNotReadable`."""
    return oidc_client.Client(
        issuer=row.issuer,
        client_id=row.client_id,
        client_secret=_secret(row),
        redirect_uri=redirect_uri(),
        scopes=row.scopes,
        groups_claim=row.groups_claim,
        login_claim=row.login_claim,
        ca_certificate=row.ca_certificate,
    )


def _secret(row: OidcProvider) -> str:
    file = get_settings().oidc_client_secret_file
    if file is not None:
        try:
            return file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SecretNotReadable(f"the client secret's file {file} can't be read by the API") from error
    if row.client_secret is None:
        return ""
    return oidc_secret.unseal(row.client_secret, key_id=row.secret_key_id, issuer=row.issuer, version=row.secret_version)


def read_provider(session: Session) -> ProviderOut | None:
    """The provider's settings; None where none were ever made."""
    row = session.get(OidcProvider, _ID)
    return None if row is None else _provider_out(row)


def _provider_out(row: OidcProvider) -> ProviderOut:
    has_file = get_settings().oidc_client_secret_file is not None
    return ProviderOut(
        name=row.name,
        issuer=row.issuer,
        client_id=row.client_id,
        scopes=row.scopes,
        groups_claim=row.groups_claim,
        login_claim=row.login_claim,
        ca_certificate=row.ca_certificate,
        is_enabled=row.is_enabled,
        secret="file" if has_file else "kept" if row.client_secret is not None else "none",
        redirect_uri=redirect_uri(),
        changed_at=row.changed_at,
        changed_by=row.changed_by.partition(" ")[2] or row.changed_by,
    )


def set_provider(session: Session, *, actor: Actor, request: ProviderSet) -> ProviderOut:
    """Sets the provider up or changes it. A change of issuer or client, or switching it off, ends the sessions that began there.

    A change of issuer deletes the stored secret, so that no admin can have it sent to an address of their choosing.
    Raises `BadInput`, `Conflict`.
    """
    _check(request)
    row = session.get(OidcProvider, _ID, with_for_update=True)
    before = None if row is None else _audited(row)
    is_other_client = row is not None and (row.issuer, row.client_id) != (request.issuer, request.client_id)
    if row is not None and (is_other_client or (row.is_enabled and not request.is_enabled)):
        _refuse_own_provider(session, actor)
    if row is None:
        row = OidcProvider(name=request.name, issuer=request.issuer, client_id=request.client_id)
    if row.issuer != request.issuer:
        row.client_secret, row.secret_key_id = None, ""
    for name in ("name", "issuer", "client_id", "scopes", "groups_claim", "login_claim", "is_enabled"):
        setattr(row, name, getattr(request, name))
    row.ca_certificate = request.ca_certificate.strip()
    if request.client_secret is not None:
        row.client_secret, row.secret_key_id = None, ""
        row.secret_version += 1
        if request.client_secret:
            row.client_secret, row.secret_key_id = oidc_secret.seal(request.client_secret, issuer=row.issuer, version=row.secret_version)
    row.changed_at, row.changed_by = session.execute(select(func.now())).scalar_one(), actor.audit_name
    session.add(row)
    session.flush()
    if is_other_client or not row.is_enabled:
        session.execute(update(WebSession).where(WEB_SESSION.is_by_provider, WEB_SESSION.ended_at.is_(None)).values(ended_at=func.now()))
    audit.record(
        session,
        actor=actor.audit_name,
        action="sign_in_provider.changed",
        about=audit.Object("sign_in_provider", "1"),
        before=before,
        after=_audited(row),
    )
    return _provider_out(row)


def _check(request: ProviderSet) -> None:
    if "openid" not in request.scopes.split():
        raise BadInput("The scopes must contain “openid”.")
    try:
        address = http_client.check_url(request.issuer)
    except http_client.AddressRefused as error:
        raise BadInput(f"issuer: {error}") from error
    if address.query or "?" in request.issuer:
        raise BadInput("issuer: an issuer holds no query")
    if request.ca_certificate.strip():
        try:
            ssl.create_default_context().load_verify_locations(cadata=request.ca_certificate.strip())
        except (ssl.SSLError, ValueError) as error:
            raise BadInput("ca_certificate: this is no certificate in PEM form (-----BEGIN CERTIFICATE-----)") from error


def _refuse_own_provider(session: Session, actor: Actor) -> None:
    """Raises `Conflict` for an actor who signed in at this provider: they could lock themselves out, and perhaps everybody."""
    if session.scalar(select(WEB_SESSION.is_by_provider).where(WEB_SESSION.id_hash == actor.session_hash)):
        raise Conflict("You signed in with this provider. Use a local admin account to change or disable it.")


def _audited(row: OidcProvider) -> dict[str, Any]:
    fields = ("name", "issuer", "client_id", "scopes", "groups_claim", "login_claim", "is_enabled", "secret_version")
    return {**{name: getattr(row, name) for name in fields}, "has_secret": row.client_secret is not None}


def try_provider(session: Session) -> ProviderTrial:
    """Reads the provider's documents and reports what works and what does not. Signs no one in."""
    row = session.get(OidcProvider, _ID)
    if row is None:
        raise NotFound("No identity provider configured.")
    found: list[ProviderFound] = []
    try:
        client = client_of(row)
        documents = oidc_client.discover(client)
        found.append(ProviderFound(is_good=True, words=f"{row.issuer} responds and the issuer matches"))
        keys = oidc_client.read_keys(client, documents)
        found.append(ProviderFound(is_good=True, words=f"signing keys readable: {len(keys.keys)}"))
    except (oidc_client.ProviderFailed, Unavailable) as error:
        found.append(ProviderFound(is_good=False, words=error.message))
        return ProviderTrial(is_usable=False, found=found)
    has_pkce = "S256" in documents.challenge_methods
    found.append(ProviderFound(is_good=has_pkce, words=f"{'supports' if has_pkce else 'does not announce'} PKCE (S256); it is always used"))
    if not client.client_secret:
        is_public = "none" in documents.token_auth_methods
        words = "no client secret set" + ("; public clients supported" if is_public else ", and public clients are not announced")
        found.append(ProviderFound(is_good=is_public, words=words))
    if urlsplit(documents.token_endpoint).scheme != "https":
        found.append(ProviderFound(is_good=False, words="connection without TLS: only for a provider on this machine"))
    words = "sign-out at the provider is supported" if documents.end_session_endpoint else "sign-out at the provider is not supported"
    found.append(ProviderFound(is_good=bool(documents.end_session_endpoint), words=words))
    return ProviderTrial(is_usable=True, found=found)


def list_group_grants(session: Session, *, actor: Actor) -> list[GroupGrant]:
    """Roles of the provider's groups on the groups that the actor administers, by name. One query."""
    scopes = actor.scopes_as(ACTIONS["grant.manage"].roles)
    people = (
        select(func.count())
        .select_from(Person)
        .where(ROLE_GRANT.oidc_group == func.any(PERSON.oidc_groups))
        .correlate(RoleGrant)
        .scalar_subquery()
    )
    rows = session.execute(
        select(ROLE_GRANT.id, ROLE_GRANT.oidc_group, ROLE_GRANT.role, ROLE_GRANT.group_id, HOST_GROUP.c.name, HOST_GROUP.c.path, people)
        .join(HOST_GROUP, HOST_GROUP.c.id == ROLE_GRANT.group_id)
        .where(ROLE_GRANT.oidc_group.is_not(None))
        .order_by(func.lower(ROLE_GRANT.oidc_group), ROLE_GRANT.id)
    )
    return [
        GroupGrant(id=grant_id, oidc_group=group, role=role, group_id=group_id, group_name=name, people=count)
        for grant_id, group, role, group_id, name, path, count in rows
        if any(path.startswith(scope) for scope in scopes)
    ]


def give_group_grant(session: Session, *, actor: Actor, oidc_group: str, role: Role, group_id: int) -> list[GroupGrant]:
    """Gives a role to a group of the provider. The same grant given twice is stored once."""
    path = session.scalar(select(HOST_GROUP.c.path).where(HOST_GROUP.c.id == group_id))
    require(actor, "grant.manage", path or "", missing="Group not found.")
    members = session.scalars(select(Person).where(literal(oidc_group) == func.any(PERSON.oidc_groups))).all()
    if role in people.DECIDES and any(person.id == actor.person_id for person in members):
        raise people.OwnGrant("You are in this group, and you can't give yourself the approver role. Ask another admin.")
    same = select(ROLE_GRANT.id).where(ROLE_GRANT.oidc_group == oidc_group, ROLE_GRANT.role == role, ROLE_GRANT.group_id == group_id)
    if session.scalar(same) is None:
        session.add(RoleGrant(oidc_group=oidc_group, role=role, group_id=group_id, granted_by=actor.person_id))
        session.flush()
        people.note_changed_rights(session, [person for person in members if person.id != actor.person_id])
        audit.record(
            session,
            actor=actor.audit_name,
            action="grant.given",
            about=audit.Object("oidc_group", oidc_group, group_id),
            after={"role": role, "group_id": group_id},
        )
    return list_group_grants(session, actor=actor)
