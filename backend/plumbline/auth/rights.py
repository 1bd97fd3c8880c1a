"""Who may do what: one table of actions, one function that decides, and no right by default.

Every route names its action (`auth.dependencies.May`); the application refuses to start with a route that does not, and a test tries
every route x role x scope. No role contains another: every role may read its scope, and beyond that do only what the table allows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from plumbline.auth.actor import ROLES, ROOT_PATH, Actor, Role
from plumbline.infra.errors import NotAllowed, NotFound

# public: without signing in. own: anyone signed in, about themselves. group: on the object's group. root: on the root group.
Reach = Literal["public", "own", "group", "root"]


@dataclass(frozen=True, slots=True)
class Rule:
    """The roles that may do it, and on which group the role is needed."""

    reach: Reach
    roles: frozenset[Role] = frozenset()


ANYONE = frozenset(ROLES)


def _roles(*names: Role) -> frozenset[Role]:
    return frozenset(names)


ACTIONS: Mapping[str, Rule] = {
    "health.read": Rule("public"),
    "setup.read": Rule("public"),
    "setup.finish": Rule("public"),
    "session.start": Rule("public"),
    "session.own": Rule("own"),
    "view.read": Rule("own"),
    "view.own": Rule("own"),
    "token.own": Rule("own"),
    # What a person uploaded is theirs alone: no host of the installation is in it.
    "assessment.own": Rule("own"),
    # To add hosts of one's bundles to a group of the fleet.
    "host.add": Rule("group", _roles("admin")),
    "token.manage": Rule("group", _roles("admin")),
    "agent.enrol": Rule("public"),  # decided by the enrolment token
    "agent.download": Rule("public"),  # the files hold no secret
    # Parts of the installation and the support file; both speak of all groups.
    "health.inspect": Rule("root", _roles("admin")),
    # The whole installation begins again, empty.
    "lab.remove": Rule("root", _roles("admin")),
    "metrics.read": Rule("root", ANYONE),
    "group.read": Rule("group", ANYONE),
    "group.manage": Rule("group", _roles("admin")),
    "host.read": Rule("group", ANYONE),
    "host.tag": Rule("group", _roles("operator", "admin")),
    "host.check_now": Rule("group", _roles("operator")),
    "host.watch": Rule("group", _roles("operator")),
    "host.probe": Rule("group", _roles("operator")),
    "host.approve": Rule("group", _roles("admin")),
    "host.retire": Rule("group", _roles("admin")),
    "host.quarantine": Rule("group", _roles("admin")),
    "host.clear_alarm": Rule("group", _roles("operator", "admin")),
    "host.rotate_secret": Rule("group", _roles("admin")),
    "host.merge": Rule("group", _roles("admin")),
    "host.manage": Rule("group", _roles("admin")),
    "finding.read": Rule("group", ANYONE),
    "rule.read": Rule("group", ANYONE),
    "waiver.read": Rule("group", ANYONE),
    "waiver.request": Rule("group", _roles("operator")),
    "waiver.decide": Rule("group", _roles("approver")),
    "waiver.withdraw": Rule("group", _roles("operator", "approver")),
    "baseline.read": Rule("group", ANYONE),
    "baseline.propose": Rule("group", _roles("operator")),
    "baseline.decide": Rule("group", _roles("approver")),
    "baseline.withdraw": Rule("group", _roles("operator", "approver")),
    "change.mark": Rule("group", _roles("operator")),
    "attestation.read": Rule("group", ANYONE),
    "attestation.make": Rule("group", _roles("operator")),
    # A pack's version is one for the whole installation; it is activated group by group.
    "pack.publish": Rule("root", _roles("admin")),
    "pack.preview": Rule("group", _roles("operator", "approver", "admin")),
    "pack.activate": Rule("group", _roles("admin")),
    "past.read": Rule("group", ANYONE),
    "conflict.propose": Rule("group", _roles("operator", "admin")),
    "conflict.decide": Rule("group", _roles("approver")),
    "conflict.withdraw": Rule("group", _roles("operator", "approver", "admin")),
    "report.read": Rule("group", ANYONE),
    "report.make": Rule("group", _roles("viewer", "operator", "admin")),
    "report.export": Rule("group", _roles("viewer", "operator", "admin")),
    "report.mail": Rule("group", _roles("viewer", "operator", "admin")),
    "evidence.read": Rule("group", ANYONE),
    # A bundle holds the part of the audit log about its groups: those may have one who may read that.
    "evidence.make": Rule("group", _roles("viewer", "admin")),
    "evidence.export": Rule("group", _roles("viewer", "admin")),
    "evidence.verifier": Rule("public"),  # the file holds no secret, and an auditor may have no account
    "table.export": Rule("group", _roles("viewer")),
    "collection.read": Rule("group", ANYONE),
    "collection.manage": Rule("group", _roles("admin")),
    "credential.manage": Rule("group", _roles("admin")),
    "enrolment.manage": Rule("group", _roles("admin")),
    "benchmark.read": Rule("group", ANYONE),
    "benchmark.import": Rule("group", _roles("operator")),
    "benchmark.delete": Rule("group", _roles("admin")),
    "proof.make": Rule("group", _roles("operator")),
    "job.read": Rule("group", ANYONE),
    "plan.draft": Rule("group", _roles("operator")),
    "plan.run_standing": Rule("group", _roles("operator")),
    "plan.approve": Rule("group", _roles("approver")),
    "plan.break_glass": Rule("group", _roles("admin")),
    "plan.review": Rule("group", _roles("approver", "admin")),
    "standing.sign": Rule("group", _roles("approver")),
    "job.cancel": Rule("group", _roles("operator")),
    "job.undo": Rule("group", _roles("operator")),
    "job.resolve": Rule("group", _roles("operator")),
    # One switch for the whole installation: everyone who may cancel a job anywhere may stop everything, and only operators of the root
    # group release it (`remediation/controls/actions.py`).
    "everything.stop": Rule("group", _roles("operator")),
    "restore.release": Rule("root", _roles("admin")),
    "window.manage": Rule("group", _roles("admin")),
    "budget.manage": Rule("group", _roles("admin")),
    "host.hold": Rule("group", _roles("operator")),
    "ticket.create": Rule("group", _roles("operator")),
    "problem.read": Rule("group", ANYONE),
    "problem.note": Rule("group", _roles("operator")),
    "search.read": Rule("group", ANYONE),
    "event.read": Rule("group", ANYONE),
    "notice.manage": Rule("group", _roles("admin")),
    "person.manage": Rule("root", _roles("admin")),
    "sign_in.manage": Rule("root", _roles("admin")),
    "grant.manage": Rule("group", _roles("admin")),
    "audit.read": Rule("group", _roles("viewer", "admin")),
}

# What a program with a token may never do, whatever its roles: act as a second person, give rights or secrets, or have a session.
# Acts that require the password again refuse a token in any case, since it has no session.
PERSONS_ONLY: frozenset[str] = frozenset(
    {
        "session.own", "view.own", "token.own", "token.manage", "person.manage", "sign_in.manage", "grant.manage", "credential.manage",
        "notice.manage", "report.mail", "lab.remove",
        "waiver.decide", "baseline.decide", "conflict.decide", "plan.approve", "plan.break_glass", "plan.review", "standing.sign",
    }
)  # fmt: skip

# Acts of a second person. A person whose password or rights an admin changed does none of them before setting a password of
# their own: otherwise one admin could be both people.
SECOND_PERSON: frozenset[str] = frozenset(
    {"waiver.decide", "baseline.decide", "conflict.decide", "plan.approve", "plan.break_glass", "plan.review", "standing.sign"}
)


def allow(actor: Actor | None, action: str, scope: str | None = None) -> bool:
    """Whether this actor may do this to an object in the group with path `scope`.

    With `scope` None: whether they may do it in any group, which a route checks before it knows its object. An action that is not in the
    table is denied to everybody.
    """
    rule = ACTIONS.get(action)
    if rule is None:
        return False
    if rule.reach == "public":
        return True
    if actor is None or (actor.token and action in PERSONS_ONLY):
        return False
    if rule.reach == "own":
        return True
    paths = actor.scopes_as(rule.roles)
    if rule.reach == "root":
        return ROOT_PATH in paths
    if scope is None:
        return bool(paths)
    return scope.startswith(paths)


def can_read(actor: Actor, scope: str) -> bool:
    """The actor may read the group with this path."""
    return scope.startswith(actor.scopes)


def require(actor: Actor, action: str, scope: str, *, missing: str) -> None:
    """Raises `NotFound(missing)` if the actor may not even know of the object, `NotAllowed` if the right is lacking."""
    if not can_read(actor, scope):
        raise NotFound(missing)
    if not allow(actor, action, scope):
        raise NotAllowed(
            f"You don't have permission for this on the group (“{action}”). Ask someone with the role: "
            f"{', '.join(sorted(ACTIONS[action].roles))}."
        )
