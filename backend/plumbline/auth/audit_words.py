"""The audit log in words: who did what to what, by their names. Codes of actions and ids stay in the entry beside the words."""

from sqlalchemy import String, case, cast, func, literal, select
from sqlalchemy.sql.elements import ColumnElement

from plumbline.auth.sessions import HOST_GROUP
from plumbline.models.audit import AUDIT_ENTRY, AuditEntry
from plumbline.models.auth import PERSON
from plumbline.models.hosts import HOST
from plumbline.models.notify import NoticeChannel
from plumbline.models.plans import Plan

# Kinds of objects whose word is not their code with spaces.
_KIND_WORDS = {
    "api_token": "API token",
    "freeze": "change freeze",
    "notice_channel": "notification channel",
    "oidc_group": "group of the identity provider",
    "retention": "retention",
    "run": "evaluation",
    "secret": "credential",
    "sign_in_provider": "identity provider",
    "stop_switch": "emergency stop",
    "token": "enrolment token",
    "window": "maintenance window",
}
# Actions whose words are not their code's: an object's code, then what was done to it.
_ACTION_WORDS = {
    "session.started": "Signed in",
    "session.ended": "Signed out",
    "person.password_set": "Own password set",
    "grant.given": "Role granted",
    "grant.taken": "Role removed",
    "report.exported": "Report downloaded",
    "table.exported": "Table downloaded",
    "view.saved": "View saved",
    "retention.purged": "Old data deleted",
    "setup.code_made": "Set-up code created",
    "run.past_requested": "Past state requested",
    "run.preview_requested": "Preview requested",
}


def object_name() -> ColumnElement[str]:
    """The name of an entry's object as it is now; empty where it has none. Read with the entries, so that a page stays one query."""
    about = AUDIT_ENTRY.object_id
    channel, plan = NoticeChannel.__table__.c, Plan.__table__.c  # type: ignore[attr-defined]
    named = {
        "host": select(HOST.name).where(HOST.id == about),
        "group": select(HOST_GROUP.c.name).where(cast(HOST_GROUP.c.id, String) == about),
        "person": select(func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login)).where(cast(PERSON.id, String) == about),
        "plan": select(plan.title).where(cast(plan.id, String) == about),
        "notice_channel": select(channel.name).where(cast(channel.id, String) == about),
    }
    # Only the entry is of the query around: that query may read groups or people itself.
    chosen = case(
        {kind: query.correlate(AuditEntry).scalar_subquery() for kind, query in named.items()},
        value=AUDIT_ENTRY.object_kind,
        else_=literal(""),
    )
    return func.coalesce(chosen, "")


def person_name() -> ColumnElement[str]:
    """The name of the person who did it; empty for hosts, workers and the program itself."""
    number = func.substring(AUDIT_ENTRY.actor, "^person:([0-9]+)")
    found = select(func.coalesce(func.nullif(PERSON.display_name, ""), PERSON.login)).where(cast(PERSON.id, String) == number)
    return func.coalesce(found.correlate(AuditEntry).scalar_subquery(), "")


def who_words(actor: str, name: str) -> str:
    """Who did it: a person by name, with the token that a program used; a host or Plumbline itself."""
    if actor.startswith("person:"):
        token = actor.partition(" by token:")[2]
        shown = name or actor.partition(" ")[2] or actor
        return f"{shown} (token {token})" if token else shown
    if actor == "system":
        return "Plumbline"
    kind, _, rest = actor.partition(":")
    return kind.replace("_", " ").capitalize() if kind == "host" else f"{kind.replace('_', ' ').capitalize()} {rest}".strip()


def act_words(action: str) -> str:
    """What was done: "Plan approved", "Report downloaded"."""
    return _ACTION_WORDS.get(action, action.replace(".", " ").replace("_", " ").capitalize())


def object_words(kind: str, object_id: str, name: str) -> str:
    """To what: "sql-01", "Set MTU 9000 (plan 3)", "report 7"."""
    word = _KIND_WORDS.get(kind, kind.replace("_", " "))
    if name:
        return f"{name} ({word} {object_id})" if object_id.isdigit() and kind not in ("person", "group") else name
    if len(object_id) > 40 or not object_id:
        return word
    return f"{word} {object_id}"
