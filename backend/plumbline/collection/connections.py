"""What an endpoint of a host and a vCenter have in common: a key that a person confirms, and tries that come later while they fail."""

from datetime import datetime
from typing import Protocol

from plumbline.infra.errors import Conflict

_FIRST_WAIT_SECONDS = 60
_LONGEST_WAIT_SECONDS = 3600


class Connection(Protocol):
    """The columns that `collection_endpoint` and `vcenter` share."""

    failures: int
    last_error: str
    last_error_code: str
    next_at: datetime
    shown_pin: str
    shown_at: datetime | None
    look_error: str
    confirmed_by: str
    confirmed_at: datetime | None


def try_again(row: Connection, now: datetime) -> None:
    """Forgets the failures, so that the row is due now."""
    row.failures, row.last_error, row.last_error_code, row.next_at = 0, "", "", now


def forget_shown_key(row: Connection) -> None:
    """The key that was fetched before says nothing about a new address."""
    row.shown_pin, row.shown_at, row.look_error = "", None, ""


def confirm_key(row: Connection, pin: str, *, name: str, confirmed_by: str, now: datetime) -> None:
    """Notes who confirmed the key and makes the row due; the caller stores the pin. Raises `Conflict` where another key was shown."""
    if row.shown_pin and row.shown_pin != pin:
        raise Conflict(f"{name} presents {row.shown_pin}, which doesn't match the fingerprint you entered. Not verified.")
    row.confirmed_by, row.confirmed_at = confirmed_by, now
    try_again(row, now)


def wait_seconds(failures: int) -> int:
    """How long to wait after so many failures in a row: a minute, then twice as long each time, an hour at most."""
    return min(_FIRST_WAIT_SECONDS << min(failures - 1, 10), _LONGEST_WAIT_SECONDS)
