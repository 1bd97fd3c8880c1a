"""Every route x role x object: what belongs to another branch of groups is not there for people of this one, whatever the route.

`test_rights.py` asks whether a role may use a route at all. Here the objects are real: each route that names one is asked for a row that
was made for it on a host or a group of the branch LAB, by people who have each role on the branch PROD.
"""

import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from fastapi import FastAPI
from sqlalchemy import ARRAY, JSON, Column, String, Table, insert
from sqlmodel import AutoString, Session

from plumbline.auth.rights import ACTIONS
from plumbline.infra.database import UtcDateTime, session_scope
from plumbline.models import METADATA
from plumbline.models.jobs import Job
from tests.api.conftest import Ask
from tests.api.test_rights import MAY, PUBLIC, ROLE_OF, ROOT_ONLY, _right, operations
from tests.api.world import World, add_host
from tests.remediation.test_claim import make_job

# In every text of a row that was made; no answer to people of the other branch may have it.
MARK = "of-another-branch"
# What a path begins with -> the table of the object that it names.
TABLE_OF = {
    "/assessments": "assessment",
    "/attestations": "attestation",
    "/baselines": "baseline",
    "/benchmark-files": "benchmark_file",
    "/benchmark-runs": "benchmark_run",
    "/collection/credentials": "vault_secret",
    "/collection/hosts": "collection_endpoint",
    "/collection/tests": "credential_check",
    "/collection/vcenters": "vcenter",
    "/conflict-decisions": "conflict_decision",
    "/drift/events": "setting_change",
    "/drift/marks": "marked_change",
    "/enrolment/tokens": "enrolment_token",
    "/evidence-bundles": "evidence_bundle",
    "/exports/hosts": "host",
    "/exports/judging-runs": "preview_run",
    "/freezes": "change_freeze",
    "/grants": "role_grant",
    "/groups": "host_group",
    "/hosts": "host",
    "/jobs": "job",
    "/judging-runs": "preview_run",
    "/notices": "notice",
    "/notices/channels": "notice_channel",
    "/notices/deliveries": "notice_delivery",
    "/on-call": "problem_note",
    "/plans": "plan",
    "/proofs": "proof",
    "/report-schedules": "report_schedule",
    "/reports": "report",
    "/standing-approvals": "standing_approval",
    "/switches": "switch_port",
    "/tokens": "api_token",
    "/views": "saved_view",
    "/waivers": "waiver",
    "/watches": "host_watch",
    "/windows": "maintenance_window",
}
# Not about an object of a branch: rules and packs are everybody's, and files of agents, drafts, accounts and sessions are of no group.
NO_OBJECT = ("/packs/", "/rules/", "/exports/rules/", "/agent/", "/pack-drafts/", "/people/", "/session/")
# What rows need besides, so that the routes can show them.
STATES: dict[str, dict[str, Any]] = {
    "assessment": {"state": "ready"},
    "assessment_host": {"told": {"build": "", "model": "", "bundle": "", "capped_by": [], "notes": [], "unread": [], "advice": []}},
    "baseline": {"state": "refused"},
    "benchmark_run": {"load": {"access": "random"}, "results": {}, "parameters": {}, "notes": []},
    "credential_check": {"state": "waiting"},
    "evidence_bundle": {"state": "ready"},
    "notice": {"kind": "host_silent"},
    "notice_channel": {"way": "chat"},
    "notice_delivery": {"state": "given_up"},
    "preview_run": {"kind": "preview", "state": "ready"},
    "proof": {"verdict": {"loads": []}, "grade": "quick_look", "outcome": "no_effect", "decision": "open", "answers": {}},
    "report": {"state": "ready", "template": "technical"},
    "report_mail": {"state": "sent", "form": "link"},
    "setting_change": {"subject_kind": "adapter", "key": "mtu", "cause": "unknown", "old": {"value": 1}, "new": {"value": 2}},
    "standing_approval": {"payload": '{"group_ids": [], "largest_impact": 0, "items": []}'},
    "vault_secret": {"purpose": "collection", "kind": "ssh_password"},
    "waiver": {"state": "requested", "subject_kind": "", "subject_id": ""},
}  # fmt: skip
# What a route needs that no minimal example of its parameters is.
QUERIES = {
    "read_host_past": {"at": "2026-11-01T00:00:00Z"},
    "attach_to_waiver": {"name": "a.txt"},
    "attach_to_attestation": {"name": "a.txt"},
    "upload_part": {"offset": 0},
    "read_benchmark_share": {"alone": 1, "configured": 50},
}
BODIES: dict[str, dict[str, Any]] = {
    "import_benchmark": {"json": {"name": "a.txt", "content": "YQ=="}},
    "mail_report": {"json": {"channel_id": 1, "recipients": ["ana@example.com"], "form": "link", "formats": ["pdf"]}},
    "attach_to_waiver": {"content": b"words"},
    "attach_to_attestation": {"content": b"words"},
    "upload_part": {"content": b"words"},
}
# Followed as a stream: `test_streams.py`.
_STREAMS = {"follow_events", "follow_job"}


class Rows:
    """Makes rows that belong to the branch LAB: only what a table requires is filled in, and what ties it to a host or a group."""

    def __init__(self, session: Session, world: World) -> None:
        self.session, self.world = session, world
        self.host = add_host(session, f"{MARK}-{secrets.token_hex(4)}", group_id=world.groups["lab"])

    def add(self, name: str, **values: Any) -> Any:
        """Makes a row and answers its key."""
        table = METADATA.tables[name]
        named = {**self._ties(table), **STATES.get(name, {}), **values}
        for column in table.columns:
            is_given = column.server_default is not None or (column.name == "id" and str(column.type) in ("INTEGER", "BIGINT"))
            if column.name not in named and not column.nullable and not is_given:
                named[column.name] = self._reference(column) if column.foreign_keys else self._value(column)
        return self.session.execute(insert(table).values(named).returning(next(iter(table.primary_key)))).scalar_one()

    def job(self) -> tuple[int, int]:
        """An approved plan and a job of it: triggers refuse a job without a signed approval."""
        people = self.world.people
        admins = [people["admin"], people["viewer"]]
        job = make_job(self.session, self.host, people["operator"], admins, self.world.groups["lab"])
        return self.session.get_one(Job, job).plan_id, job

    def _ties(self, table: Table) -> dict[str, Any]:
        if table.name == "saved_view":
            return {"person_id": self.world.people["admin"]}
        if "host_id" in table.columns:
            return {"host_id": self.host}
        return {"group_id": self.world.groups["lab"]} if "group_id" in table.columns else {}

    def _reference(self, column: Column[Any]) -> Any:
        target = next(iter(column.foreign_keys)).target_fullname
        known = {
            "host.id": self.host,
            "host_group.id": self.world.groups["lab"],
            "person.id": self.world.people["admin"],
        }
        return known[target] if target in known else self.add(target.partition(".")[0])

    def _value(self, column: Column[Any]) -> Any:
        kind = column.type
        words = f"{MARK}-{secrets.token_hex(4)}"
        if isinstance(kind, JSON):
            return {}
        if isinstance(kind, ARRAY):
            return []
        if isinstance(kind, UtcDateTime):
            return datetime.now(UTC) + timedelta(days=1)
        if isinstance(kind, String | AutoString):
            return words
        by_kind = {int: 1, bool: False, bytes: words.encode(), float: 1.0, date: date(2026, 11, 1), time: time(3)}
        return by_kind[kind.python_type]


def made_for(rows: Rows, path: str) -> dict[str, Any]:
    """What stands for the parameters of a path: a new object of the branch LAB, and what it holds."""
    before, _, rest = path.partition("/{")
    first, _, rest = rest.partition("}")
    key = _object(rows, TABLE_OF[before])
    if rest.startswith("/remediation"):
        _object(rows, "remediation_endpoint")
    named: dict[str, Any] = {first: key}
    if "{file_id}" in rest:
        named["file_id"] = rows.add("evidence_file", **named)
    if "{mail_id}" in rest:
        named["mail_id"] = rows.add("report_mail", report_id=key)
    if "{format}" in rest:
        rows.add("report_file", report_id=key, format="pdf")
    if "{moid}" in rest:
        rows.add("vcenter_host", vcenter_id=key, moid="host-1")
    if "{assessed_id}" in rest:
        named["assessed_id"] = rows.add("assessment_host", assessment_id=key)
    return {"format": "pdf", "moid": "host-1", "number": 1, **named}


def _object(rows: Rows, table: str) -> Any:
    host, group = rows.host, rows.world.groups["lab"]
    match table:
        case "host":
            return host
        case "host_group":
            return group
        case "problem_note":
            return f"silent-{host}"
        case "collection_endpoint" | "remediation_endpoint":
            rows.add(table, channel="ssh")
            return host
        case "marked_change":
            mark = rows.add("change_mark")
            rows.add(table, change_id=rows.add("setting_change"), mark_id=mark)
            return mark
        case "switch_port":
            switch = f"{MARK}-{host[:8]}"
            rows.add(table, switch_id=switch)
            return switch
        case "role_grant":
            return rows.add(table, person_id=rows.world.people["nobody"], role="viewer")
        case "notice_delivery":
            return rows.add(table, id=f"dlv_{secrets.token_hex(12)}")
        case "plan":
            return rows.job()[0]
        case "job":
            return rows.job()[1]
    return rows.add(table)


def example(document: Mapping[str, Any], schema: Mapping[str, Any], world: World) -> Any:
    """The least that passes a schema: required fields alone, ids of what is in the branch PROD."""
    if "$ref" in schema:
        return example(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], world)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return example(document, schema[choice][0], world)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if schema.get("type") == "object":
        return {
            name: world.groups["prod"] if name == "group_id" else example(document, schema["properties"][name], world)
            for name in schema.get("required", ())
        }
    if schema.get("type") == "array":
        return [example(document, schema["items"], world)] * schema.get("minItems", 0)
    if schema.get("type") in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    if schema.get("type") == "boolean":
        return True
    if schema.get("format") == "date-time":
        return f"{datetime.now(UTC) + timedelta(hours=3):%Y-%m-%dT%H:%M:%SZ}"
    return world.hosts["sql-01"] if "0-9a-f" in schema.get("pattern", "") else "words enough for a reason of some length"


def asked(app: FastAPI, name: str, method: str, path: str, world: World) -> dict[str, Any]:
    """The query and the body of a request that passes the checks of the route's form."""
    document = app.openapi()
    content = document["paths"][f"/api/v1{path}"][method.lower()].get("requestBody", {}).get("content", {})
    if name in BODIES:
        body = BODIES[name]
    elif "application/json" in content:
        body = {"json": example(document, content["application/json"]["schema"], world)}
    else:
        body = {}
    return {"params": QUERIES.get(name, {}), **body}


def with_objects(app: FastAPI) -> list[tuple[str, str, str]]:
    """The routes that name an object: operation, method, path below /api/v1."""
    found = []
    for name, method, path in operations(app):
        below = path.removeprefix("/api/v1")
        if "{" in below and not below.startswith(NO_OBJECT) and name not in PUBLIC:
            found.append((name, method, below))
    return found


def test_each_route_that_names_an_object_is_asked_for(app: FastAPI) -> None:
    assert {path.partition("/{")[0] for _, _, path in with_objects(app)} == set(TABLE_OF)


# How lists are asked for one host, one group or one object; each is one of the branch LAB here.
ABOUT: dict[str, Callable[[Rows], Any]] = {
    "cluster": lambda rows: MARK,
    "event": lambda rows: rows.add("setting_change"),
    "group": lambda rows: rows.world.groups["lab"],
    "group_id": lambda rows: rows.world.groups["lab"],
    "host": lambda rows: rows.host,
    "host_id": lambda rows: rows.host,
    "hosts": lambda rows: rows.host,
    "job": lambda rows: rows.job()[1],
    "plan": lambda rows: rows.job()[0],
    "schedule": lambda rows: rows.add("report_schedule"),
}


def test_no_list_has_anything_of_another_branch(ask: Ask, app: FastAPI, world: World) -> None:
    """Neither as a person opens it nor where it is asked for a group, a host or an object of the other branch. Before the test below, whose
    acts merge and move hosts.
    """
    with session_scope() as session:
        rows = Rows(session, world)
        for table in sorted({*TABLE_OF.values()}):
            _object(rows, table)
        about = {name: make(rows) for name, make in ABOUT.items()}
    document = app.openapi()
    wrong: list[Any] = []
    answered = shown = 0
    for name, method, path in operations(app):
        if method != "GET" or "{" in path or name in PUBLIC or name in _STREAMS or _right(app, name) == "metrics.read":
            continue
        known = [each["name"] for each in document["paths"][path]["get"].get("parameters", ()) if each["name"] in ABOUT]
        for query in ({}, *({each: about[each]} for each in known)):
            for role in sorted(ROLE_OF):
                answer = ask(f"prod-{role}", "GET", path, params=query)
                answered += answer.status_code == 200
                if answer.status_code >= 500 or MARK in answer.text:
                    wrong.append((name, role, query, answer.status_code, answer.text[:200]))
        shown += any(MARK in ask(role, "GET", path).text for role in sorted(ROLE_OF))
    assert not wrong
    assert answered > 250
    # What people of all groups see has them.
    assert shown > 20


def test_what_belongs_to_another_branch_is_not_there(ask: Ask, app: FastAPI, world: World) -> None:
    wrong: list[Any] = []
    refused = 0
    for name, method, path in with_objects(app):
        if name in _STREAMS:
            continue
        with session_scope() as session:
            named = made_for(Rows(session, world), path)
        address = path.format(**named)
        request = asked(app, name, method, path, world)
        may = MAY.get(name, ROLE_OF)
        told = set()
        for role in sorted(ROLE_OF):
            answer = ask(f"prod-{role}", method, address, **request)
            is_refused = answer.status_code == (404 if role in may and name not in ROOT_ONLY else 403)
            refused += is_refused
            told.add(answer.json()["detail"])
            if not is_refused or MARK in answer.text:
                wrong.append((name, f"prod-{role}", answer.status_code, answer.text[:300]))
        # The object is real: who may use the route for all groups is told something else. What was made up for it may not be readable.
        login = "admin" if ACTIONS[_right(app, name)].reach == "own" else sorted(may)[0]
        answer = ask(login, method, address, **request)
        if answer.status_code == 404 and answer.json()["detail"] in told:
            wrong.append((name, login, answer.status_code, answer.text[:300]))
    assert not wrong
    assert refused > 500
