"""Hosts, groups and people's grants move between every act and the next; the answers are held against a small model.

The model knows a tree, where two hosts are, and who has which role on which group: nothing of paths, plans or tokens. An act is allowed
where each of the people that it rests on has the role on a group above each host that it is about, as things are at that moment.

Random acts seldom meet a case in which exactly one check decides. `ALONE` has one such case for each check: with that check alone taken out
of the program, the test fails.
"""

import json
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlmodel import Session, select

from plumbline.hosts import enrol, enrolment_tokens
from plumbline.infra.database import now_of
from plumbline.infra.errors import Conflict, NotAllowed
from plumbline.models.jobs import Job
from plumbline.models.plans import Approval
from plumbline.remediation.controls import checks
from plumbline.remediation.jobs import undo
from plumbline.remediation.plans import approve, queries, standing_approvals
from plumbline.remediation.plans.schemas import StandingCreate
from plumbline.remediation.rights_on_hosts import may_everywhere, paths_of
from tests.remediation.rights_site import GROUPS, HOST, OTHER, PEOPLE, ROLES, Site, Standing, attempt

# How often each act was allowed and refused, over all examples.
ANSWERS: Counter[tuple[str, Any]] = Counter()

ACTS = st.one_of(
    st.tuples(st.just("move host"), st.sampled_from(GROUPS)),
    st.tuples(st.just("move other"), st.sampled_from(GROUPS)),
    st.tuples(st.just("move group"), st.sampled_from(GROUPS[3:]), st.sampled_from(GROUPS[:3])),
    st.tuples(st.just("grant"), st.sampled_from(PEOPLE), st.sampled_from(ROLES), st.sampled_from(GROUPS)),
    st.tuples(st.just("take"), st.sampled_from(PEOPLE), st.sampled_from(ROLES)),
    st.tuples(st.just("disable"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("enable"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("draft"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("draft both"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("approve"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("step")),
    # Twice as often, since its answer depends on one of the four people only.
    st.tuples(st.just("undo"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("undo"), st.sampled_from(PEOPLE[:2])),
    st.tuples(st.just("step of undo"), st.sampled_from(PEOPLE[:2])),
    st.tuples(st.just("make token"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("make token for"), st.sampled_from(PEOPLE), st.sampled_from(GROUPS)),
    st.tuples(st.just("enrol again")),
    st.tuples(st.just("break glass"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("break glass"), st.sampled_from(PEOPLE[2:])),
    st.tuples(st.just("sign standing"), st.sampled_from(PEOPLE), st.sampled_from(GROUPS)),
    st.tuples(st.just("withdraw standing"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("withdraw standing"), st.sampled_from(PEOPLE[:2])),
    st.tuples(st.just("run standing"), st.sampled_from(PEOPLE)),
)

Act = tuple[Any, ...]
# What one check alone decides. Person 0 may operate, 1 approve, and 2 administer in group 1. Both hosts are below it; group 4 is elsewhere.
ALONE: dict[str, list[Act]] = {
    "nobody approves their own plan": [("grant", 0, "approver", 1), ("draft", 0), ("approve", 0)],
    "the approver's right": [("grant", 0, "operator", 0), ("draft", 0), ("move host", 4), ("approve", 1)],
    "the author's right when it is approved": [("grant", 1, "approver", 0), ("draft", 0), ("move host", 4), ("approve", 1)],
    "the author's account when it is approved": [("draft", 0), ("disable", 0), ("approve", 1)],
    "the approver's right on each host": [("grant", 0, "operator", 0), ("draft both", 0), ("move other", 4), ("approve", 1)],
    "the author's right on each host": [("grant", 1, "approver", 0), ("draft both", 0), ("move other", 4), ("approve", 1)],
    "the right to plan where the host is now": [("move host", 4), ("draft", 0)],
    "the right to plan on each host": [("move other", 4), ("draft both", 0)],
    "the author's right at a step": [("grant", 1, "approver", 0), ("move host", 4), ("step",)],
    "the approver's right at a step": [("grant", 0, "operator", 0), ("move host", 4), ("step",)],
    "the author's account at a step": [("disable", 0), ("step",)],
    "the right to undo": [("move host", 4), ("undo", 0)],
    "the right to undo at a step": [("move host", 4), ("step of undo", 0)],
    "the right to enrol where the host is, when a token is made": [("move host", 4), ("grant", 2, "operator", 4), ("make token for", 2, 1)],
    "the right to enrol in the group, when a token is made": [("make token for", 2, 2)],
    "the group of a token": [("grant", 2, "admin", 0), ("move host", 4), ("enrol again",)],
    "the right of a token's maker": [("take", 2, "admin"), ("enrol again",)],
    "the account of a token's maker": [("disable", 2), ("enrol again",)],
    "nobody breaks the glass for their own plan": [("grant", 0, "admin", 1), ("draft", 0), ("break glass", 0)],
    "one admin is not two": [("draft", 0), ("break glass", 2), ("break glass", 2)],
    "the right to ask for break-glass": [("draft", 0), ("break glass", 1)],
    "the right to ask for it on each host": [("grant", 0, "operator", 0), ("draft both", 0), ("move other", 4), ("break glass", 2)],
    "the second admin's right": [("draft", 0), ("break glass", 2), ("break glass", 3)],
    "the first admin's right when the second signs": [
        *(_BREAKS := [("grant", 3, "admin", 0), ("draft", 0), ("break glass", 2)]),
        ("take", 2, "admin"),
        ("break glass", 3),
    ],
    "the first admin's account when the second signs": [*_BREAKS, ("disable", 2), ("break glass", 3)],
    "the author's right at break-glass": [*_BREAKS, ("take", 0, "operator"), ("break glass", 3)],
    "the first admin's right at a step": [*_BREAKS, ("break glass", 3), ("take", 2, "admin"), ("step",)],
    "the second admin's right at a step": [*_BREAKS, ("break glass", 3), ("take", 3, "admin"), ("step",)],
    "the author's right at a step of break-glass": [*_BREAKS, ("break glass", 3), ("take", 0, "operator"), ("step",)],
    "the right to sign a standing approval": [("sign standing", 1, 4)],
    "nobody runs under one that they signed": [("grant", 1, "operator", 1), ("sign standing", 1, 1), ("run standing", 1)],
    "the right to run under one": [("sign standing", 1, 1), ("take", 0, "operator"), ("run standing", 0)],
    "the signer's right when one runs": [("sign standing", 1, 1), ("take", 1, "approver"), ("run standing", 0)],
    "the groups of a standing approval": [
        *(_BOTH := [("grant", 0, "operator", 0), ("grant", 1, "approver", 0)]),
        ("sign standing", 1, 1),
        ("move host", 4),
        ("run standing", 0),
    ],
    "the right to run at a step": [*(_RUNS := [("sign standing", 1, 1), ("run standing", 0)]), ("take", 0, "operator"), ("step",)],
    "the signer's right at a step": [*_RUNS, ("take", 1, "approver"), ("step",)],
    "the groups at a step": [*_BOTH, *_RUNS, ("move host", 4), ("step",)],
    "a standing approval that was withdrawn": [*_RUNS, ("withdraw standing", 1), ("step",), ("run standing", 0)],
    "the right to withdraw one": [("sign standing", 1, 1), ("withdraw standing", 0), ("withdraw standing", 1)],
    "a standing approval whose group moved": [*_BOTH, ("sign standing", 1, 3), ("move group", 3, 2), ("run standing", 0), ("step",)],
    "the right to withdraw one where its group is now": [
        ("sign standing", 1, 3),
        ("move group", 3, 2),
        ("withdraw standing", 1),
        ("grant", 3, "approver", 2),
        ("withdraw standing", 3),
    ],
}


def alone(test: Any) -> Any:
    """Has hypothesis run each of them first."""
    for acts in ALONE.values():
        test = example(acts=acts)(test)
    return test


@pytest.fixture
def keys(keys_folder: object) -> None:
    """Keys to sign plans and derive secrets with."""


@settings(
    max_examples=90, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@alone
@given(acts=st.lists(ACTS, min_size=8, max_size=25))
def test_answers_follow_the_model(session: Session, keys: None, acts: list[tuple[Any, ...]]) -> None:
    outer = session.begin_nested()
    try:
        site = Site(session)
        # Each begins with something to act on.
        for act in [("draft", 0), ("approve", 1), ("make token", 2), *acts]:
            _do(site, act)
    finally:
        outer.rollback()
        session.expire_all()


def test_each_act_was_allowed_and_refused_often() -> None:
    """Of the same run: a model that is never asked proves nothing."""
    acts = ("draft", "draft both", "approve", "step", "undo", "step of undo", "make token", "enrol again", "break glass", "sign standing",
            "withdraw standing", "run standing")  # fmt: skip
    assert {act: min(ANSWERS[act, True], ANSWERS[act, False]) for act in acts if min(ANSWERS[act, True], ANSWERS[act, False]) < 3} == {}


def test_no_host_is_no_right(session: Session, keys: None) -> None:
    """A plan whose hosts are all gone is nobody's to approve."""
    outer = session.begin_nested()
    try:
        site = Site(session)
        assert not may_everywhere(site.actor(0), "plan.draft", [])
        assert may_everywhere(site.actor(0), "plan.draft", paths_of(session, [HOST]).values())
    finally:
        outer.rollback()
        session.expire_all()


def _do(site: Site, act: tuple[Any, ...]) -> None:
    what, given = act[0], act[1:]
    if not _change(site, what, given):
        said, expected = _ask(site, what, given)
        assert said == expected, (act, site.model, said, expected)
        ANSWERS[what, said] += 1


def _change(site: Site, what: str, given: tuple[Any, ...]) -> bool:
    model = site.model
    if what == "move host":
        model.place[HOST] = given[0]
    elif what == "move other":
        model.place[OTHER] = given[0]
    elif what == "move group":
        model.parent[given[0]] = given[1]
    elif what == "grant":
        model.grants.add(given)
    elif what == "take":
        model.grants = {each for each in model.grants if each[:2] != given}
    elif what == "disable":
        model.disabled.add(given[0])
    elif what == "enable":
        model.disabled.discard(given[0])
    else:
        return False
    site.write()
    return True


def _ask(site: Site, what: str, given: tuple[Any, ...]) -> tuple[Any, Any]:
    return ASKED[what](site, *given)


def _draft(site: Site, person: int, hosts: Sequence[str] = (HOST,)) -> tuple[Any, Any]:
    # Drafting itself needs an evaluated host; its right is asked by the page of the plan.
    plan, actor = site.plan(person, hosts), site.actor(person)
    site.plans.append(plan)
    if actor is None:
        return None, None
    return attempt(site.session, lambda: queries.require_on_plan(site.session, actor=actor, action="plan.draft", plan_id=plan.id or 0)), (
        site.model.has(person, "operator", hosts)
    )


def _draft_both(site: Site, person: int) -> tuple[Any, Any]:
    return _draft(site, person, (HOST, OTHER))


def _approve(site: Site, person: int) -> tuple[Any, Any]:
    plan = next((each for each in reversed(site.plans) if each.state == "AWAITING_APPROVAL"), None)
    actor = site.actor(person)
    if plan is None or actor is None:
        return None, None
    author = site.number(plan.author_id)
    said = attempt(site.session, lambda: approve.approve_plan(site.session, actor=actor, plan_id=plan.id or 0))
    if said:
        site.began(plan, [(author, "operator"), (person, "approver")])
    hosts = [each["host_id"] for each in plan.request["findings"]]
    return said, author != person and site.model.has(person, "approver", hosts) and site.model.has(author, "operator", hosts)


def _step(site: Site) -> tuple[Any, Any]:
    if not site.jobs:
        return None, None
    job, under = site.jobs[-1], site.under
    payload = json.loads(site.session.exec(select(Approval.payload).where(Approval.plan_id == job.plan_id)).one())
    block = checks.blocked_by(site.session, job, payload)
    assert block is None or block.name in ("rights", "standing"), block
    is_covered = under is None or (not under.is_withdrawn and under.group in site.model.above(site.model.place[HOST]))
    return block is None, is_covered and all(site.model.has(person, role) for person, role in site.rests_on)


def _break_glass(site: Site, person: int) -> tuple[Any, Any]:
    plan = next((each for each in reversed(site.plans) if each.state == "AWAITING_APPROVAL"), None)
    actor = site.actor(person)
    if plan is None or plan.id is None or actor is None:
        return None, None
    plan_id, author, first = plan.id, site.number(plan.author_id), site.asked_to_break.get(plan.id)
    hosts = [each["host_id"] for each in plan.request["findings"]]
    said = attempt(site.session, lambda: approve.break_glass(site.session, actor=actor, plan_id=plan_id, reason="it burns"))
    expected = author != person and site.model.has(person, "admin", hosts)
    if first is not None:
        expected = expected and first != person and site.model.has(first, "admin", hosts) and site.model.has(author, "operator", hosts)
    if said and first is None:
        site.asked_to_break[plan_id] = person
    elif said:
        site.began(plan, [(author, "operator"), (first or 0, "admin"), (person, "admin")])
    return said, expected


def _sign_standing(site: Site, person: int, group: int) -> tuple[Any, Any]:
    actor = site.actor(person)
    if actor is None:
        return None, None
    request = StandingCreate(
        name="on call", group_ids=[site.groups[group]], items=[{"rule": "any/rule"}], largest_impact="adapter_restart",
        expires_at=now_of(site.session) + timedelta(days=1), password="",
    )  # fmt: skip
    made: list[int] = []
    said = attempt(site.session, lambda: made.append(standing_approvals.make_standing(site.session, actor=actor, request=request).id or 0))
    if said:
        site.standings.append(Standing(made[0], person, group))
    return said, site.model.has_in(person, "approver", group)


def _withdraw_standing(site: Site, person: int) -> tuple[Any, Any]:
    actor = site.actor(person)
    standing = next((each for each in reversed(site.standings) if not each.is_withdrawn), None)
    if standing is None or actor is None:
        return None, None
    said = attempt(
        site.session, lambda: standing_approvals.withdraw_standing(site.session, actor=actor, standing_id=standing.id, reason="over")
    )
    standing.is_withdrawn = said
    return said, site.model.has_in(person, "approver", standing.group)


def _run_standing(site: Site, person: int) -> tuple[Any, Any]:
    actor = site.actor(person)
    if not site.standings or actor is None:
        return None, None
    standing, plan = site.standings[-1], site.plan(person, (HOST,), "PLANNED")
    said = attempt(
        site.session, lambda: approve.run_under_standing(site.session, actor=actor, plan_id=plan.id or 0, standing_id=standing.id)
    )
    is_covered = not standing.is_withdrawn and standing.group in site.model.above(site.model.place[HOST])
    if said:
        site.began(plan, [(person, "operator"), (standing.signer, "approver")], standing)
    may = person != standing.signer and site.model.has(person, "operator") and site.model.has(standing.signer, "approver")
    return said, is_covered and may


def _undo(site: Site, person: int) -> tuple[Any, Any]:
    actor = site.actor(person)
    if not site.jobs or actor is None:
        return None, None
    # What is left after its right is asked: that this job set nothing.
    job = Job(
        plan_id=site.jobs[-1].plan_id, host_id=HOST, group_id=site.jobs[-1].group_id, state="SUCCEEDED",
        not_after=now_of(site.session), undo_until=now_of(site.session) + timedelta(hours=1),
    )  # fmt: skip
    site.session.add(job)
    site.session.flush()
    with pytest.raises((Conflict, NotAllowed)) as refused:
        undo.undo_job(site.session, actor=actor, job_id=job.id or 0)
    return "Plumbline set none of its steps" in refused.value.message, site.model.has(person, "operator")


def _step_of_undo(site: Site, person: int) -> tuple[Any, Any]:
    if not site.jobs:
        return None, None
    job = Job(
        plan_id=site.jobs[-1].plan_id, host_id=HOST, group_id=site.jobs[-1].group_id, kind="undo", state="RUNNING",
        requested_by=f"person:{site.people[person]} p{person}", not_after=now_of(site.session) + timedelta(hours=1),
    )  # fmt: skip
    payload = json.loads(site.session.exec(select(Approval.payload).where(Approval.plan_id == job.plan_id)).one())
    block = checks.blocked_by(site.session, job, payload)
    assert block is None or block.name == "rights", block
    return block is None, site.model.has(person, "operator")


def _make_token(site: Site, person: int) -> tuple[Any, Any]:
    return _make_token_for(site, person, site.model.place[HOST])


def _make_token_for(site: Site, person: int, group: int) -> tuple[Any, Any]:
    actor = site.actor(person)
    if actor is None:
        return None, None
    request = enrolment_tokens.EnrolmentTokenCreate(
        name="again", group_id=site.groups[group], platform="esxi", host_id=HOST, uses=1, expires_hours=1
    )
    made: list[str] = []
    said = attempt(
        site.session,
        lambda: made.append(enrolment_tokens.make_enrolment_token(site.session, actor=actor, request=request).token),
    )
    if said:
        site.tokens.append((made[0], person, group))
    return said, site.model.has(person, "admin") and site.model.has_in(person, "admin", group)


def _enrol_again(site: Site) -> tuple[Any, Any]:
    if not site.tokens:
        return None, None
    token, person, group = site.tokens[-1]

    def act() -> None:
        enrol.enrol(site.session, token=token, nonce=secrets.token_hex(16), name="h", platform="esxi", agent_version="1")

    said = attempt(site.session, act)
    if said:
        site.tokens.pop()
    return said, site.model.has(person, "admin") and group in site.model.above(site.model.place[HOST])


ASKED: dict[str, Callable[..., tuple[Any, Any]]] = {
    "draft": _draft, "draft both": _draft_both, "approve": _approve, "step": _step, "undo": _undo, "step of undo": _step_of_undo,
    "make token": _make_token, "make token for": _make_token_for, "enrol again": _enrol_again, "break glass": _break_glass,
    "sign standing": _sign_standing, "withdraw standing": _withdraw_standing, "run standing": _run_standing,
}  # fmt: skip
