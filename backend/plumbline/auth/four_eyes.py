"""Four eyes: the person who proposed something, or would own it, never decides on it. Callers pass the message: what is decided."""

from plumbline.infra.errors import NotAllowed


def is_party(person_id: int | None, *parties: int | None) -> bool:
    """Whether this person is one of those who proposed it or would own it."""
    return person_id is not None and person_id in parties


def require_other(person_id: int | None, *parties: int | None, message: str) -> None:
    """Raises `NotAllowed` with the message where this person is one of the parties."""
    if is_party(person_id, *parties):
        raise NotAllowed(message)
