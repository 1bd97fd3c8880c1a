"""Every error that a person or a client may meet, each named for the fact it states.

One handler (`plumbline/web/app.py`) turns them into RFC 9457 problem details; the command line prints the message and exits non-zero.
"""


class PlumblineError(Exception):
    """Base of all of Plumbline's errors.

    `message` says what is wrong, where, and what to do, in a sentence that users see unchanged. `status` is the HTTP status; `code` is a
    stable word for clients.
    """

    status = 500
    code = "internal"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class BadInput(PlumblineError):
    """A value that a person or a client sent cannot be used."""

    status = 422
    code = "bad_input"


class NotFound(PlumblineError):
    """The thing does not exist, or the person may not know that it does."""

    status = 404
    code = "not_found"


class NotAllowed(PlumblineError):
    """The person lacks the right."""

    status = 403
    code = "not_allowed"


class NotSignedIn(PlumblineError):
    """No session, or one that has ended."""

    status = 401
    code = "not_signed_in"


class Conflict(PlumblineError):
    """The thing changed since the person read it, or its state does not allow the act."""

    status = 409
    code = "conflict"


class TooManyRequests(PlumblineError):
    """A limit is reached; `retry_after_seconds` says when to try again."""

    status = 429
    code = "too_many_requests"

    def __init__(self, message: str, *, retry_after_seconds: int) -> None:
        super().__init__(message, retry_after_seconds=retry_after_seconds)
        self.retry_after_seconds = retry_after_seconds


class Unavailable(PlumblineError):
    """Something that Plumbline needs (the database, the broker) does not answer now; a retry can help."""

    status = 503
    code = "unavailable"


class RulesetInvalid(BadInput):
    """A pack or rule file breaks the schema or the semantics; the message names file and line."""

    code = "ruleset_invalid"
