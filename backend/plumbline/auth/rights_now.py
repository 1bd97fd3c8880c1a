"""The rights that a person has now, for acts that others carry out later: a job runs on what people authorised hours before."""

from sqlalchemy import select
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.sessions import grants_of
from plumbline.models.auth import PERSON


def actor_now(session: Session, person_id: int | None) -> Actor | None:
    """The person with the grants that are valid now; None where there is no such account, or it is disabled. Two queries."""
    # Columns by name: the workers' database roles do not see the hash of the password.
    columns = select(PERSON.id, PERSON.login, PERSON.display_name, PERSON.is_disabled).where(PERSON.id == person_id)
    person = session.execute(columns).one_or_none()
    if person is None or person.is_disabled:
        return None
    return Actor(person_id=person.id, login=person.login, display_name=person.display_name, grants=grants_of(session, person.id))


def holds_now(session: Session, person_id: int | None, action: str, path: str) -> bool:
    """Whether the person may do this now in the group with this path."""
    return allow(actor_now(session, person_id), action, path)
