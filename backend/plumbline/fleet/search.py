"""The search field: hosts, rules, saved views and actions by name."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sqlalchemy import ColumnElement, Row, cast, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Text
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.rights import allow
from plumbline.auth.scope import KNOWN_STATES, in_scope
from plumbline.fleet.schemas import SearchHit
from plumbline.hosts.name_search import search_grams
from plumbline.models.findings import SAVED_VIEW, SavedView
from plumbline.models.hosts import HOST, HOST_GROUP, HostGroup, HostState
from plumbline.packs.library import read_library

_MOST_HOSTS = 12
_MOST_RULES = 8
_MOST_VIEWS = 6
# label, words to search by, page, right that it needs
_ACTIONS = (
    ("Enrol hosts", "enrol add install token agent host", "/enrol", "enrolment.manage"),
    ("Create a report", "report pdf csv compliance export", "/reports", "report.make"),
    ("Users and roles", "people users roles grants accounts", "/admin?tab=people", "person.manage"),
    ("Single sign-on", "sign-in oidc openid sso provider login", "/admin?tab=sign-in", "sign_in.manage"),
    ("Collection", "collection credentials vcenter collector ssh winrm", "/admin?tab=collection", "collection.manage"),
    ("API tokens", "api tokens program script", "/admin?tab=tokens", "token.own"),
    ("Audit log", "audit log trail who changed", "/admin?tab=audit", "audit.read"),
    ("Groups", "groups tree mode observe remediate", "/admin?tab=groups", "group.manage"),
)


def search_all(session: Session, *, actor: Actor, q: str) -> list[SearchHit]:
    """Hits, hosts first; names that begin with the words come before those that hold them. Four queries at most."""
    query = q.strip().lower()
    if not query:
        return []
    return [*_hosts(session, actor, query), *_rules(session, query), *_views(session, actor, query), *_actions(actor, query)]


def _hosts(session: Session, actor: Actor, query: str) -> list[SearchHit]:
    """Two queries, since names that begin with the words are found in their order, while all that hold them would have to be sorted."""
    name = func.lower(HOST.name)
    begins = name.startswith(query, autoescape=True)
    rows = _named(session, actor, [begins], _MOST_HOSTS)
    if len(rows) < _MOST_HOSTS:
        grams = search_grams(query)
        holds = [HOST.name_grams.bool_op("@>")(cast(grams, ARRAY(Text)))] if grams else []
        rows += _named(session, actor, [*holds, name.contains(query, autoescape=True), ~begins], _MOST_HOSTS - len(rows))
    return [
        SearchHit(
            kind="host",
            id=row.id,
            label=row.name,
            detail=" · ".join(each for each in (row.os_name, row.group_name) if each),
            url=f"/hosts/{row.id}",
        )
        for row in rows
    ]


def _named(session: Session, actor: Actor, conditions: Sequence[ColumnElement[bool]], most: int) -> list[Row[Any]]:
    """The first such hosts by name."""
    return list(
        session.execute(
            select(HOST.id, HOST.name, HOST.os_name, HOST_GROUP.name.label("group_name"))
            .join(HostGroup, HOST_GROUP.id == HOST.group_id)
            .where(in_scope(actor), *conditions, HOST.state.in_((*KNOWN_STATES, HostState.WAITING)))
            .order_by(func.lower(HOST.name), HOST.id)
            .limit(most)
        )
    )


def _rules(session: Session, query: str) -> list[SearchHit]:
    library = read_library(session)
    matching = [known for known in library.by_no.values() if query in known.rule.title.lower() or query in known.rule.address.lower()]
    matching.sort(key=lambda known: (not known.rule.title.lower().startswith(query), known.rule.title))
    return [
        SearchHit(
            kind="rule",
            id=known.rule.address,
            label=known.rule.title,
            detail=known.pack.title,
            url=f"/rules/{quote(known.pack.id)}/{quote(known.rule.id)}",
        )
        for known in matching[:_MOST_RULES]
    ]


def _views(session: Session, actor: Actor, query: str) -> list[SearchHit]:
    rows = session.scalars(
        select(SavedView)
        .where(
            or_(SAVED_VIEW.person_id == actor.person_id, SAVED_VIEW.is_shared),
            func.lower(SAVED_VIEW.name).contains(query, autoescape=True),
        )
        .order_by(func.lower(SAVED_VIEW.name))
        .limit(_MOST_VIEWS)
    )
    return [SearchHit(kind="view", id=str(row.id), label=row.name, detail="saved view", url=row.url) for row in rows]


def _actions(actor: Actor, query: str) -> list[SearchHit]:
    return [
        SearchHit(kind="action", id=url, label=label, detail="", url=url)
        for label, words, url, action in _ACTIONS
        if allow(actor, action) and (query in label.lower() or any(word.startswith(query) for word in words.split()))
    ]
