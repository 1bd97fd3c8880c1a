"""What follows from what a host says of a step: the whole table, and that no guess ever sends anything."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.core.planning.plan import Element
from plumbline.remediation.access.runner_client import RunnerAnswer
from plumbline.remediation.jobs.next_action import FIGURES, next_action, third_value, under_floor, unknown_paths, worse


def element(name: str) -> Element:
    return Element(f"host//{name}", "old", "new", "old", f"host//{name}", "new", name, "old", "new")


ELEMENTS = (element("a"), element("b"))
GOOD = dict.fromkeys(FIGURES, 4)


def read(state: str, a: str | None, b: str | None, **more: object) -> RunnerAnswer:
    return RunnerAnswer(state=state, after={"host//a": a, "host//b": b}, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "kind", "is_ours"),
    [
        (read("none", "old", "old"), "begin", False),
        (read("none", "new", "old"), "begin", False),
        (read("none", "new", "new"), "applied", False),
        (read("none", "new", "third"), "conflict", False),
        (read("none", "new", None), "unreadable", False),
        (read("started", "old", "old", reason="busy"), "wait", False),
        (read("started", "third", "third", reason="busy"), "wait", False),
        (read("started", "old", "old"), "resume", False),
        (read("started", "new", "old"), "resume", False),
        (read("started", "new", "new"), "applied", True),
        (read("started", "new", "new", restart="owed"), "resume", False),
        (read("started", "new", "new", restart="begun"), "resume", False),
        (read("started", "new", "new", restart="done"), "applied", True),
        (read("started", "new", "new", deadman="armed"), "resume", False),
        (read("started", "new", "third"), "conflict", False),
        (read("done", "new", "new"), "applied", True),
        (read("done", None, None), "applied", True),
        (read("confirmed", "new", "new"), "confirmed", True),
        (read("reverted", "old", "old"), "reverted", False),
    ],
)
def test_receipt_and_values_decide(answer: RunnerAnswer, kind: str, is_ours: bool) -> None:
    found = next_action(ELEMENTS, answer)
    assert (found.kind, found.is_ours) == (kind, is_ours)


@given(
    st.sampled_from(("none", "started", "done", "confirmed", "reverted")),
    st.sampled_from(("busy", None)),
    st.lists(st.sampled_from(("old", "new", "third", None)), min_size=2, max_size=2),
    st.sampled_from((None, "owed", "begun", "done")),
    st.sampled_from((None, "armed", "fired", "disarmed", "gone")),
)
def test_nothing_is_sent_onto_a_third_value_or_an_unread_one(
    state: str, reason: str | None, values: list[str | None], restart: str | None, deadman: str | None
) -> None:
    found = next_action(ELEMENTS, read(state, *values, reason=reason if state == "started" else None, restart=restart, deadman=deadman))
    if found.kind in ("begin", "resume"):
        assert set(values) <= {"old", "new"}
        assert state in ("none", "started")
        assert reason is None or state != "started"
    if found.kind == "applied" and not found.is_ours:
        assert values == ["new", "new"]


def test_worse_names_the_figure() -> None:
    assert worse(GOOD, GOOD) == ""
    assert worse(GOOD, {**GOOD, "paths_healthy": 3}) == "healthy paths: was 4, now 3"
    assert worse(GOOD, {**GOOD, "paths_healthy": 5}) == ""
    assert "now unknown" in worse(GOOD, {**GOOD, "sessions": None})
    assert worse({**GOOD, "sessions": None}, {**GOOD, "sessions": 1}) == ""
    assert worse(GOOD, None) != ""


@given(st.fixed_dictionaries({name: st.one_of(st.none(), st.integers(0, 9)) for name in FIGURES}))
def test_whoever_is_not_worse_is_nowhere_fewer(after: dict[str, int | None]) -> None:
    is_fewer = any((now := after[name]) is None or now < GOOD[name] for name in FIGURES)
    assert bool(worse(GOOD, after)) == is_fewer


def test_unknown_is_never_enough() -> None:
    assert under_floor(2, GOOD) == ""
    assert under_floor(0, None) == ""
    assert under_floor(2, {**GOOD, "least_paths": 1}) != ""
    assert under_floor(2, {**GOOD, "least_paths": None}) != ""
    assert under_floor(2, None) != ""
    # No volume opens it only where there is no session either: one that its multipath module does not show has its sessions.
    assert under_floor(2, {**GOOD, "least_paths": 0, "volumes": 0}) == "4 iSCSI sessions, and no volume shows its paths"
    assert under_floor(2, {**GOOD, "least_paths": 0, "volumes": 0, "sessions": 0}) == ""
    for name in ("least_paths", "volumes", "sessions"):
        assert under_floor(2, {**GOOD, "least_paths": 0, "volumes": 0, "sessions": 0, name: None}) != ""
    for name, known in product(("sessions", "paths_healthy", "least_paths"), (None,)):
        assert unknown_paths({**GOOD, name: known}) != ""
    assert third_value(ELEMENTS, {"host//a": "old", "host//b": "new"}) == ""
