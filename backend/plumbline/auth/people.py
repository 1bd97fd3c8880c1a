"""People, their grants, the first admin and the demo's accounts."""

import hashlib
import secrets
import zoneinfo
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from plumbline import audit
from plumbline.auth import api_tokens, passwords, sessions
from plumbline.auth.actor import ROLES, Actor, Role
from plumbline.auth.attempts import Attempt
from plumbline.auth.rights import allow, can_read, require
from plumbline.auth.schemas import PersonCreate, PersonGrant, PersonRow
from plumbline.infra.errors import BadInput, Conflict, NotAllowed, NotFound
from plumbline.models.auth import PERSON, ROLE_GRANT, SECOND_FACTOR, Person, RoleGrant
from plumbline.models.columns import is_one_of

ROOT_GROUP = 1
# The roles whose decisions need a second person.
DECIDES: frozenset[Role] = frozenset({"approver"})
# SQLModel declares columns as plain attributes; these are the tables as SQL sees them.
_HOST_GROUP = sessions.HOST_GROUP


class LoginTaken(Conflict):
    """Another account has this login."""

    code = "login_taken"


class OwnGrant(NotAllowed):
    """No one may grant themselves a role with which they would be the second person."""

    code = "own_grant"


class SetupDone(Conflict):
    """The first admin exists already."""

    code = "setup_done"


def needs_setup(session: Session) -> bool:
    """No account exists yet and the set-up has not been done."""
    done = session.execute(text("SELECT setup_done_at IS NOT NULL FROM installation WHERE id = 1")).scalar_one_or_none()
    return not done and session.scalar(select(func.count()).select_from(Person)) == 0


def make_setup_code(session: Session, code: str = "") -> str:
    """A new one-time code for the first admin, or the given one; an older one no longer works. Empty once set-up is done."""
    if not needs_setup(session):
        return ""
    code = code or passwords.random_code()
    session.execute(text("UPDATE installation SET setup_code_hash = :hash WHERE id = 1"), {"hash": _code_hash(code)})
    audit.record(session, actor=audit.SYSTEM, action="setup.code_made", about=audit.Object("installation", "1"))
    return code


def finish_setup(session: Session, *, code: str, login: str, display_name: str, password: str, address: str) -> Person:
    """Creates the first admin (and viewer, so that they may export too) if the code is right; the code works once."""
    # Each person who tries a code is counted separately: the console's code has 79 bits, and strangers must not keep the admin out.
    Attempt.of_sign_in("setup", address).count()
    # The row is locked, so that two requests with the same code cannot both create an admin.
    stored = session.execute(text("SELECT setup_code_hash FROM installation WHERE id = 1 FOR UPDATE")).scalar_one_or_none()
    if not needs_setup(session):
        raise SetupDone("Setup is already complete. Sign in.")
    if stored is None or not secrets.compare_digest(bytes(stored), _code_hash(code)):
        raise NotAllowed("Wrong setup code. Use the current code from the console where Plumbline was started.")
    person = create_person(
        session,
        actor=audit.SYSTEM,
        login=login,
        display_name=display_name,
        password=password,
        roles=[("admin", ROOT_GROUP), ("viewer", ROOT_GROUP)],
    )
    session.execute(text("UPDATE installation SET setup_code_hash = NULL, setup_done_at = now() WHERE id = 1"))
    return person


def _code_hash(code: str) -> bytes:
    return hashlib.sha256(("plumbline-setup\0" + code.strip().casefold()).encode()).digest()


def create_person(
    session: Session, *, actor: str, login: str, display_name: str, password: str, roles: Sequence[tuple[Role, int]] = ()
) -> Person:
    """A local account with its grants; `actor` is the name in the audit trail."""
    passwords.check_strength(password, login=login)
    if session.scalar(select(PERSON.id).where(func.lower(PERSON.login) == login.casefold())) is not None:
        raise LoginTaken(f"Login {login} is already in use.")
    person = Person(login=login, display_name=display_name, password_hash=passwords.hash_password(password))
    session.add(person)
    session.flush()
    assert person.id is not None
    audit.record(
        session,
        actor=actor,
        action="person.created",
        about=audit.Object("person", str(person.id)),
        after={"login": login, "display_name": display_name},
    )
    for role, group_id in roles:
        add_grant(session, actor=actor, person_id=person.id, role=role, group_id=group_id)
    return person


def create_account(session: Session, *, actor: Actor, request: PersonCreate) -> Person:
    """A local account with a password that an admin chose: the person sets their own before they decide anything."""
    person = create_person(
        session,
        actor=actor.audit_name,
        login=request.login,
        display_name=request.display_name,
        password=request.password,
        roles=[(role.role, role.group_id) for role in request.roles],
    )
    note_changed_rights(session, [person])
    return person


def note_changed_rights(session: Session, people: Iterable[Person]) -> None:
    """An admin changed what these people may do, or set their password: they decide nothing before they set a password of their own.

    People who sign in at the identity provider have no password here; their decisions are notified for a day all the same.
    """
    now = session.execute(select(func.now())).scalar_one()
    for person in people:
        person.must_set_password = person.password_hash is not None
        person.rights_changed_at = now
        session.add(person)
    session.flush()


def create_demo_people(session: Session, *, is_demo: bool = True) -> list[tuple[str, Role, str]]:
    """One account per role with a random password: (login, role, password). Existing ones get a new password.

    That completes the setup. With `is_demo` the installation is a lab, whose simulated hosts run with it.
    """
    accounts: list[tuple[str, Role, str]] = []
    for role in ROLES:
        password = passwords.random_password()
        person = session.scalar(select(Person).where(PERSON.login == role))
        if person is None:
            create_person(
                session, actor=audit.SYSTEM, login=role, display_name=f"Demo {role}", password=password, roles=[(role, ROOT_GROUP)]
            )
        else:
            person.password_hash = passwords.hash_password(password)
        accounts.append((role, role, password))
    session.execute(
        text("UPDATE installation SET setup_done_at = coalesce(setup_done_at, now()), is_demo = :is_demo WHERE id = 1"),
        {"is_demo": is_demo},
    )
    return accounts


def list_people(session: Session) -> list[PersonRow]:
    """Everybody, with their grants: two queries whatever the number."""
    has_factor = select(SECOND_FACTOR.id).where(SECOND_FACTOR.person_id == PERSON.id).exists()
    people = session.execute(select(Person, has_factor).order_by(PERSON.login)).all()
    grants: dict[int, list[PersonGrant]] = {}
    rows = session.execute(
        select(ROLE_GRANT.id, ROLE_GRANT.person_id, ROLE_GRANT.role, ROLE_GRANT.group_id, _HOST_GROUP.c.name)
        .join(_HOST_GROUP, _HOST_GROUP.c.id == ROLE_GRANT.group_id)
        .where(ROLE_GRANT.person_id.is_not(None))
        .order_by(ROLE_GRANT.id)
    )
    for grant_id, person_id, role, group_id, name in rows:
        grants.setdefault(person_id, []).append(PersonGrant(id=grant_id, role=role, group_id=group_id, group_name=name))
    return [_row(person, grants.get(person.id or 0, []), has_second_factor=has_second_factor) for person, has_second_factor in people]


def _row(person: Person, grants: list[PersonGrant], *, has_second_factor: bool) -> PersonRow:
    return PersonRow(
        id=person.id or 0,
        login=person.login,
        display_name=person.display_name,
        is_disabled=person.is_disabled,
        created_at=person.created_at,
        last_signed_in_at=person.last_signed_in_at,
        grants=grants,
        is_of_provider=person.oidc_issuer is not None,
        oidc_groups=person.oidc_groups,
        has_second_factor=has_second_factor,
    )


def read_person(session: Session, person_id: int) -> PersonRow:
    """One person."""
    row = next((person for person in list_people(session) if person.id == person_id), None)
    if row is None:
        raise NotFound("User not found.")
    return row


def read_person_for(session: Session, *, actor: Actor, person_id: int) -> PersonRow:
    """One person as an admin of a group may see them: with the grants on groups in the actor's scope, and nothing of their sign-in."""
    row = read_person(session, person_id)
    if allow(actor, "person.manage"):
        return row
    paths = dict(session.execute(select(_HOST_GROUP.c.id, _HOST_GROUP.c.path)).all())
    grants = [grant for grant in row.grants if can_read(actor, paths[grant.group_id])]
    return row.model_copy(update={"grants": grants, "oidc_groups": [], "last_signed_in_at": None, "has_second_factor": None})


def change_person(session: Session, *, actor: Actor, person_id: int, changes: dict[str, Any]) -> None:
    """Changes display name, disabled or password; the last two end the person's sessions and tokens.

    People cannot disable their own account or reset their own password this way. Raises `NotFound`, `Conflict`, `PasswordTooWeak`.
    """
    person = session.get(Person, person_id)
    if person is None:
        raise NotFound("User not found.")
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    if changes.get("display_name") is not None:
        before["display_name"], after["display_name"] = person.display_name, changes["display_name"]
        person.display_name = changes["display_name"]
    if changes.get("is_disabled") is not None:
        if changes["is_disabled"] and person_id == actor.person_id:
            raise Conflict("You can't disable your own account.")
        before["is_disabled"], after["is_disabled"] = person.is_disabled, changes["is_disabled"]
        if person.is_disabled and not changes["is_disabled"]:
            note_changed_rights(session, [person])
        person.is_disabled = changes["is_disabled"]
    if changes.get("password") is not None:
        if person_id == actor.person_id:
            raise Conflict("Change your own password under Your account.")
        if person.oidc_issuer is not None:
            raise Conflict(f"{person.login} uses single sign-on and has no password here. Create a local account instead.")
        passwords.check_strength(changes["password"], login=person.login)
        with passwords.turn(str(actor.person_id), is_known=True):
            person.password_hash = passwords.hash_password(changes["password"])
        after["is_password_changed"] = True
        note_changed_rights(session, [person])
    if person.is_disabled or "is_password_changed" in after:
        sessions.end_all(session, person_id=person_id)
        api_tokens.end_all(session, person_id=person_id)
    session.add(person)
    audit.record(
        session, actor=actor.audit_name, action="person.changed", about=audit.Object("person", str(person_id)), before=before, after=after
    )
    session.flush()


def set_own_password(session: Session, *, actor: Actor, password: str, new_password: str) -> None:
    """Sets the actor's own password, after the present one was confirmed. Their other sessions end.

    Raises `Conflict` for a person of the identity provider, `SignInRefused`, `PasswordTooWeak`, `TooManyRequests`, `passwords.Busy`.
    """
    person = session.get_one(Person, actor.person_id)
    if person.password_hash is None:
        raise Conflict("you sign in at the identity provider and have no password here")
    sessions.reauthenticate(session, actor=actor, password=password)
    if new_password == password:
        raise passwords.PasswordTooWeak("This is your current password. Choose another.")
    passwords.check_strength(new_password, login=person.login)
    with passwords.turn(str(actor.person_id), is_known=True):
        person.password_hash = passwords.hash_password(new_password)
    person.must_set_password = False
    session.add(person)
    sessions.end_all(session, person_id=actor.person_id, but=actor.session_hash)
    audit.record(session, actor=actor.audit_name, action="person.password_set", about=audit.Object("person", str(actor.person_id)))
    session.flush()


def set_time_zone(session: Session, *, actor: Actor, time_zone: str) -> None:
    """The zone in which this person reads times."""
    if time_zone != "UTC" and time_zone not in zoneinfo.available_timezones():
        raise BadInput(f"“{time_zone}” is not an IANA time zone such as Europe/Berlin")
    person = session.get(Person, actor.person_id)
    if person is not None:
        person.time_zone = time_zone
        session.add(person)


def add_grant(session: Session, *, actor: str, person_id: int, role: Role, group_id: int) -> bool:
    """Gives a role on a group; returns whether it is new. The same grant given twice is stored once."""
    if session.get(Person, person_id) is None:
        raise NotFound("User not found.")
    path = session.scalar(select(_HOST_GROUP.c.path).where(_HOST_GROUP.c.id == group_id))
    if path is None:
        raise NotFound("Group not found.")
    existing = session.scalar(
        select(ROLE_GRANT.id).where(ROLE_GRANT.person_id == person_id, ROLE_GRANT.role == role, ROLE_GRANT.group_id == group_id)
    )
    if existing is not None:
        return False
    session.add(RoleGrant(person_id=person_id, role=role, group_id=group_id))
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="grant.given",
        about=audit.Object("person", str(person_id), group_id),
        after={"role": role, "group_id": group_id},
    )
    return True


def give_grant(session: Session, *, actor: Actor, person_id: int, role: Role, group_id: int) -> None:
    """`add_grant` on behalf of a person, who has to be admin of that group. Raises `OwnGrant`, `NotFound`, `NotAllowed`."""
    path = session.scalar(select(_HOST_GROUP.c.path).where(_HOST_GROUP.c.id == group_id))
    require(actor, "grant.manage", path or "", missing="Group not found.")
    if role in DECIDES and person_id == actor.person_id:
        raise OwnGrant("You can't give yourself the approver role. Ask another admin.")
    is_new = add_grant(session, actor=actor.audit_name, person_id=person_id, role=role, group_id=group_id)
    if is_new and person_id != actor.person_id:
        note_changed_rights(session, [session.get_one(Person, person_id)])


def take_grant(session: Session, *, actor: Actor, grant_id: int) -> None:
    """Removes a grant. Admins cannot remove their own admin role, so that one admin always remains."""
    row = session.execute(
        select(RoleGrant, _HOST_GROUP.c.path).join(_HOST_GROUP, _HOST_GROUP.c.id == ROLE_GRANT.group_id).where(ROLE_GRANT.id == grant_id)
    ).first()
    if row is None:
        raise NotFound("Role assignment not found.")
    grant, path = row
    require(actor, "grant.manage", path, missing="Role assignment not found.")
    if grant.role == "admin" and (grant.person_id == actor.person_id or _is_in(session, actor, grant.oidc_group)):
        raise Conflict("You can't remove your own admin role. Ask another admin.")
    session.delete(grant)
    if grant.person_id is not None and grant.person_id != actor.person_id:
        note_changed_rights(session, [session.get_one(Person, grant.person_id)])
    audit.record(
        session,
        actor=actor.audit_name,
        action="grant.taken",
        about=audit.Object("oidc_group" if grant.oidc_group else "person", grant.oidc_group or str(grant.person_id), grant.group_id),
        before={"role": grant.role, "group_id": grant.group_id},
    )


def _is_in(session: Session, actor: Actor, oidc_group: str | None) -> bool:
    return oidc_group is not None and oidc_group in (session.scalar(select(PERSON.oidc_groups).where(PERSON.id == actor.person_id)) or ())


def people_of(session: Session, ids: Iterable[int | None]) -> dict[int | None, str]:
    """Names of people by their ids; the program itself, without an id, is "Plumbline"."""
    wanted = {person_id for person_id in ids if person_id is not None}
    columns = (col(Person.id), col(Person.display_name), col(Person.login))
    rows = session.execute(select(*columns).where(is_one_of(col(Person.id), wanted))) if wanted else ()
    return {None: "Plumbline"} | {row.id: row.display_name or row.login for row in rows}
