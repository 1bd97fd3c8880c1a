"""The rights that a person has now, for acts that others carry out later: a job runs on what people authorised hours before."""

from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.sessions import grants_of
from plumbline.models.auth import Person


def actor_now(session: Session, person_id: int | None) -> Actor | None:
    """The person with the grants that are valid now; None where there is no such account, or it is disabled. Two queries."""
    person = session.get(Person, person_id, populate_existing=True) if person_id is not None else None
    if person is None or person.id is None or person.is_disabled:
        return None
    return Actor(person_id=person.id, login=person.login, display_name=person.display_name, grants=grants_of(session, person.id))


def holds_now(session: Session, person_id: int | None, action: str, path: str) -> bool:
    """Whether the person may do this now in the group with this path."""
    return allow(actor_now(session, person_id), action, path)
