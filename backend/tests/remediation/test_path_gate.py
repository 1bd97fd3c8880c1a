"""The gate of a step on a host as it is now: every way in which a last path could be taken shuts it."""

from dataclasses import replace

import pytest
from msgspec import structs

from plumbline.core.facts.assemble import Assembled
from plumbline.core.facts.configuration import Configuration, Unknown
from plumbline.core.facts.paths import PathMap, SessionRoute
from plumbline.core.planning.gates import CONNECTIONS
from plumbline.core.planning.plan import Step
from plumbline.remediation.jobs import path_gate
from plumbline.remediation.jobs.fresh_facts import FreshFacts, shut_gate
from tests.core.planning.hosts import MACS, facts, path_map, paths_over, two_ways, windows_adapter, windows_host
from tests.core.planning.planned import plan
from tests.core.planning.test_last_path import PAUSE, SAN1

BOTH = MACS[:2]
ROUTES = tuple(SessionRoute("volume vol-a", f"10.{at}.0.1", mac) for at, mac in ((1, MACS[0]), (2, MACS[1])))


def now(paths: PathMap | None = None, routes: tuple[SessionRoute, ...] | None = ROUTES, held: Configuration | None = None) -> FreshFacts:
    return FreshFacts(Assembled(held or windows_host(), paths or two_ways(), routes=routes), None)


def step() -> Step:
    (found,) = plan(facts((PAUSE, SAN1))).hosts[0].steps
    return found


def test_it_is_open_where_all_is_as_planned() -> None:
    assert path_gate.shut(now(), step()) == ""
    assert path_gate.shut(now(), step(), is_taking_back=True) == ""


@pytest.mark.parametrize(
    ("found", "words", "back"),
    [
        (now(path_map(*paths_over(MACS[0], each=2))), "vol-a would keep no healthy path of 2 without SAN1; at least 1 required", True),
        (now(path_map(*paths_over(MACS[0]), *paths_over(MACS[1], state="standby"))), "vol-a has 1 healthy path; 2 are required", True),
        (now(path_map(*paths_over(MACS[0]), *paths_over(MACS[1], state="dead"))), "a path of vol-a is already down", True),
        (now(path_map(problem="EqualLogic's DSM does not answer")), "EqualLogic's DSM does not answer", True),
        (now(routes=None), "the list of its iSCSI sessions could not be read", True),
        (now(routes=tuple(SessionRoute("volume vol-a", "", MACS[0]) for _ in range(2))), "volume vol-a would keep no connection", True),
        # A target with a session and no volume: only its session shows it.
        (now(routes=(*ROUTES, SessionRoute("iqn.control", "10.1.0.1", MACS[0]))), "iqn.control would keep no connection", True),
        (now(routes=(*ROUTES, SessionRoute("iqn.control", "", ""))), "iqn.control would keep no connection", True),
        (
            now(held=windows_host({MACS[0]: windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2", link_up=False)})),
            "SAN2 has no link",
            True,
        ),
        # Fewer than planned, and still not the last one: no reason to leave a half-made step in force.
        (now(path_map(*paths_over(*BOTH), *paths_over(*BOTH, volumes=("vol-b",), state="unknown"))), "has unknown state", False),
    ],
)  # fmt: skip
def test_whatever_could_take_a_last_path_shuts_it(found: FreshFacts, words: str, back: bool) -> None:
    assert words in path_gate.shut(found, step())
    assert bool(path_gate.shut(found, step(), is_taking_back=True)) == back


def test_an_adapter_that_is_not_listed_now_shuts_it() -> None:
    """Its paths and sessions would seem to be over another adapter: by its PCI location, where the list that prints MACs failed."""
    elsewhere = path_map(*(structs.replace(path, adapter="0000:41:00.0") if path.adapter == MACS[0] else path for path in two_ways().paths))
    routes = tuple(structs.replace(each, adapter="0000:41:00.0") if each.adapter == MACS[0] else each for each in ROUTES)
    held = windows_host({"0000:41:00.0": windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2")})
    found = now(elsewhere, routes, held.with_unlisted({"adapter": "esxcli network nic list: no answer within 8 s"}))
    for back in (False, True):
        words = path_gate.shut(found, step(), is_taking_back=back)
        assert words == f"adapter {MACS[0]} is not in the list of adapters now: esxcli network nic list: no answer within 8 s"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, ""),
        ({"management": True}, "SAN1 carries more than storage now: the step would interrupt the management traffic of SAN1 too"),
        ({"role": "management"}, "the step would interrupt SAN1 (management) too"),
        ({"management": Unknown("Get-NetRoute failed: x")}, "whether SAN1 carries storage alone is not known now"),
    ],
)
def test_what_carries_more_than_storage_now_is_not_interrupted(keys: dict[str, object], words: str) -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", **keys), MACS[1]: windows_adapter("SAN2")})
    found = path_gate.carries_more(now(held=held), step())
    assert (found == "") == (words == "")
    assert words in found
    assert path_gate.carries_more(now(held=held), replace(step(), adapters=(), restart="", deadman_s=0)) == ""


def test_an_adapter_without_link_has_nothing_to_lose() -> None:
    held = windows_host({MACS[0]: windows_adapter("SAN1", link_up=False), MACS[1]: windows_adapter("SAN2")})
    assert path_gate.shut(now(path_map(problem="nothing is known"), None, held), step()) == ""


def test_fewer_paths_than_planned_shut_it_even_above_the_floor() -> None:
    wide = plan(facts((PAUSE, SAN1), paths=two_ways(each=2))).hosts[0].steps[0]
    found = now(path_map(*paths_over(MACS[0], each=3), *paths_over(MACS[1])))
    assert path_gate.shut(found, wide) == "vol-a would keep 2 healthy paths as planned, and would keep 1 now"


def test_a_step_that_interrupts_nothing_asks_nothing() -> None:
    bare = replace(step(), adapters=(), restart="", deadman_s=0)
    assert path_gate.shut(now(path_map(problem="nothing is known"), None), bare) == ""


def test_sessions_that_moved_shut_what_the_plan_relied_on() -> None:
    gates = [gate for gate in plan(facts((PAUSE, SAN1))).hosts[0].gates if gate.fact == CONNECTIONS]
    assert shut_gate(now(), gates) == ""
    moved = now(routes=(ROUTES[0], SessionRoute("volume vol-a", "10.1.0.1", MACS[0])))
    assert f"had a connection over {MACS[1]} when planned" in shut_gate(moved, gates)
    assert "could not be read" in shut_gate(now(routes=None), gates)
