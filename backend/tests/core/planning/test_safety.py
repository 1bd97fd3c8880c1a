"""What must hold of every plan, whatever the host, its paths and the findings chosen: simulated step by step, by counting for itself."""

import random
import sys
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.core.facts.configuration import HOST
from plumbline.core.facts.paths import Path
from plumbline.core.planning.build import build_plan
from plumbline.core.planning.inputs import Chosen, HostFacts, Limits
from plumbline.core.planning.plan import Plan, Step, canonical, document, read_plan
from tests.core.planning.hosts import MACS, a_rule, facts, on, path_map, the_settings, two_ways, windows_adapter, windows_host

# A busy machine makes examples slowly, which does not matter here.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
FABRIC = {MACS[0]: "A", MACS[1]: "B", MACS[2]: "A", MACS[3]: "B"}
_RULES = (
    a_rule("adapter.flow_control", "rx_tx"),
    a_rule("adapter.flow_control", "off", "opposite"),
    a_rule("adapter.receive_buffers", None),
    a_rule("adapter.rss", "enabled"),
    a_rule("adapter.mtu", 9000),
)
_OF_HOST = (a_rule("host.tcp.rss", "enabled"), a_rule("host.tcp.rsc", "enabled"))
_STATES = st.sampled_from(("healthy",) * 12 + ("standby", "dead", "unknown"))


@st.composite
def path_lists(draw: st.DrawFn, *, is_well: bool) -> tuple[Path, ...]:
    """Paths of up to three volumes over any of four adapters or one that is not known; mostly healthy, and all of a host that is well."""
    found = []
    for volume in draw(st.lists(st.sampled_from(("vol-a", "vol-b", "vol-c")), min_size=int(is_well), unique=True)):
        for at, mac in enumerate(draw(st.lists(st.sampled_from((*MACS, *MACS, "")), min_size=3 if is_well else 1, max_size=6))):
            state = "healthy" if is_well else draw(_STATES)
            # One target for each volume, or one for each port of the array, or not known.
            target = draw(st.sampled_from((f"i>{volume}",) * 6 + ("i>port-1", "i>port-2", "")))
            found.append(Path(volume, "i", target, "10.9.0.1:3260", f"10.0.0.{at}", mac, state, f"{volume}/{at}"))
    return tuple(found)


@st.composite
def hosts(draw: st.DrawFn, number: int = 1) -> HostFacts:
    """A host with any paths, any values and any findings chosen on it. Half of them are well, so that enough steps pass every gate."""
    is_well = draw(st.booleans())
    adapters = {}
    for at, mac in enumerate(MACS):
        keys: dict[str, Any] = {"role": draw(st.sampled_from(("san_iscsi", "san_iscsi", "management", "other")))}
        keys["link_up"] = draw(st.sampled_from((True,) * 9 + (False,)))
        adapters[mac] = windows_adapter(f"SAN{at + 1}", **keys)
    held = windows_host(adapters, tcp__rsc="disabled", boot_from_san=not is_well and draw(st.sampled_from((False, False, False, True))))
    on_adapters = st.lists(st.tuples(st.sampled_from(_RULES), st.sampled_from([on(mac) for mac in MACS])), max_size=10)
    chosen = [*draw(on_adapters), *draw(st.lists(st.sampled_from([(rule, HOST) for rule in _OF_HOST]), max_size=2))]
    fabrics = draw(st.sampled_from((FABRIC, {}, {MACS[0]: "A"})))
    clusters = draw(st.sampled_from(((), ("cluster:c1",), ("cluster:c2",))))
    return facts(
        *(chosen or [(_RULES[0], on(MACS[0]))]),
        held=held,
        paths=path_map(*draw(path_lists(is_well=is_well))),
        host=f"host-{number}",
        name=f"sql-{number}",
        fabrics=fabrics,
        domains=(*clusters, "group:1", *(f"fabric:1/{label}" for label in sorted(set(fabrics.values()) or {""}))),
        load_percent=0 if is_well else draw(st.sampled_from((None, 0, 59, 60))),
    )


LIMITS = Limits(frame_attested_by="ana")


def _during(paths: tuple[Path, ...], down: set[str]) -> dict[str, tuple[int, int]]:
    """Healthy paths of each volume, and those that surely stay while these adapters are down."""
    found: dict[str, tuple[int, int]] = {}
    for path in paths:
        before, kept = found.get(path.volume, (0, 0))
        healthy = path.state == "healthy"
        stays = healthy and path.adapter != "" and path.adapter not in down
        found[path.volume] = (before + healthy, kept + stays)
    return found


def _connections(host: HostFacts, down: set[str]) -> dict[str, tuple[bool, bool]]:
    """For each target, whether it may lose a connection while these adapters are down, and whether one surely stays over another one."""
    found: dict[str, tuple[bool, bool]] = {}
    for path in host.path_map.paths:
        if path.state not in ("healthy", "standby"):
            continue
        target = path.target or path.volume
        lost, kept = found.get(target, (False, False))
        may_go = path.adapter == "" or path.adapter in down
        stays = not may_go and host.configuration.value(on(path.adapter), "link_up") is True
        found[target] = (lost or may_go, kept or stays)
    return found


def test_no_step_leaves_a_volume_below_its_floor_or_without_a_path() -> None:
    cut = 0

    @given(hosts())
    @settings(PATIENT, max_examples=400)
    def holds(host: HostFacts) -> None:
        nonlocal cut
        plan = build_plan([host], the_settings(), LIMITS)
        for part in plan.hosts:
            for step in part.steps:
                if not step.adapters:
                    assert step.restart == ""
                    continue
                counts = _during(host.path_map.paths, set(step.adapters))
                if all(before == kept for before, kept in counts.values()):
                    continue
                cut += 1
                assert not any(path.state in ("dead", "unknown") for path in host.path_map.paths)
                for volume, (before, kept) in counts.items():
                    assert before >= 2, volume
                    assert kept >= 1, volume
                for target, (has_lost, has_kept) in _connections(host, set(step.adapters)).items():
                    assert has_kept or not has_lost, target

    # Steps that take paths are what it is about: with few of them it has shown nothing, and tries other hosts.
    for _ in range(5):
        holds()
        if cut >= 20:
            break
    assert cut >= 20


@given(hosts())
@settings(PATIENT, max_examples=400)
def test_each_step_stays_on_one_adapter_and_one_fabric_and_restarts_at_most_once(host: HostFacts) -> None:
    seen_fabrics: list[str] = []
    for step in _steps(build_plan([host], the_settings(), LIMITS)):
        labels = {host.fabrics.get(mac, "") for mac in step.adapters}
        assert len(labels) <= 1
        assert len({element.setting.split("/")[1] for element in step.elements if step.adapters}) <= 1
        assert sum(command.text.startswith("Restart-NetAdapter") for command in step.commands) == (1 if step.restart else 0)
        if step.adapters:
            assert step.deadman_s > 0
            seen_fabrics.append(step.fabric)
    # One fabric after the other: none is come back to.
    assert seen_fabrics == sorted(seen_fabrics)


@given(hosts())
@settings(PATIENT, max_examples=400)
def test_a_plan_and_then_its_inverse_leave_the_host_as_it_was(host: HostFacts) -> None:
    plan = build_plan([host], the_settings(), LIMITS)
    values: dict[str, str] = {}
    for step in _steps(plan):
        for element in step.elements:
            assert element.seen != element.target
            assert element.setting not in values, "written twice"
            values[element.setting] = element.seen
    before = dict(values)
    for step in _steps(plan):
        for element in step.elements:
            assert values[element.setting] == element.seen
            values[element.setting] = element.target
    for step in reversed(list(_steps(plan))):
        for element in step.elements:
            assert values[element.setting] == element.target
            values[element.setting] = element.inverse
    assert values == before
    for step in _steps(plan):
        assert len(step.undo_commands) == len(step.commands)


@given(hosts())
@settings(PATIENT, max_examples=300)
def test_every_chosen_finding_is_answered_for_exactly_once(host: HostFacts) -> None:
    plan = build_plan([host], the_settings(), LIMITS)
    planned = {ref for step in _steps(plan) for ref in step.findings}
    refused = [ref for refusal in plan.refusals for ref in refusal.findings]
    manual_rule = [ref for checklist in plan.checklists for ref in checklist.findings]
    asked = {host.ref(one) for one in host.chosen}
    assert planned | set(refused) | set(manual_rule) | set(plan.already_right) == asked
    assert not planned & {*refused, *manual_rule, *plan.already_right}
    for refusal in plan.refusals:
        assert refusal.words
        assert refusal.about


@given(
    st.lists(st.integers(0, 30), unique=True, min_size=1, max_size=12).flatmap(
        lambda numbers: st.tuples(*(hosts(number) for number in numbers))
    )
)
@settings(PATIENT, max_examples=100)
def test_no_wave_has_more_hosts_of_a_failure_domain_than_it_has_slots(many: tuple[HostFacts, ...]) -> None:
    plan = build_plan(many, the_settings(), LIMITS)
    working = [part.host for part in plan.hosts if part.steps]
    assert sorted(host for wave in plan.waves for host in wave.hosts) == sorted(working)
    domains = {host.host: host.domains for host in many}
    for wave in plan.waves:
        for domain in {each for host in wave.hosts for each in domains[host]}:
            inside = sum(domain in domains[host] for host in wave.hosts)
            assert inside <= (10 if domain.startswith("group:") else 1), domain
    if plan.waves:
        assert (plan.waves[0].kind, len(plan.waves[0].hosts)) == ("canary", 1)
        assert plan.waves[-1].bake_s == 0


@given(st.randoms(use_true_random=False), st.tuples(hosts(1), hosts(2), hosts(3)))
@settings(PATIENT, max_examples=60)
def test_the_same_choice_gives_the_same_bytes_in_any_order(chance: random.Random, many: tuple[HostFacts, ...]) -> None:
    first = canonical(document(build_plan(many, the_settings(), LIMITS)))
    shuffled = [_shuffled(host, chance) for host in many]
    chance.shuffle(shuffled)
    again = build_plan(shuffled, the_settings(), LIMITS)
    assert canonical(document(again)) == first
    assert read_plan(document(again)) == again


def _shuffled(host: HostFacts, chance: random.Random) -> HostFacts:
    chosen: list[Chosen] = list(host.chosen)
    chance.shuffle(chosen)
    return facts(
        *((one.rule, one.subject) for one in chosen),
        held=host.configuration,
        paths=host.path_map,
        host=host.host,
        name=host.name,
        domains=tuple(reversed(host.domains)),
        fabrics=host.fabrics,
        load_percent=host.load_percent,
    )


def _steps(plan: Plan) -> Iterator[Step]:
    for part in plan.hosts:
        yield from part.steps


# --- Speed, counted -----------------------------------------------------------------------------------------------------------------------


def _calls(many: list[HostFacts]) -> int:
    """Function calls that a plan of these hosts takes."""
    count = 0

    def count_call(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        build_plan(many, the_settings(), LIMITS)
    finally:
        sys.setprofile(None)
    return count


def test_work_grows_in_a_line_with_hosts() -> None:
    def many(count: int) -> list[HostFacts]:
        return [facts((_RULES[0], on(MACS[0])), (_RULES[2], on(MACS[1])), host=f"h{at}", name=f"n{at}") for at in range(count)]

    assert _calls(many(400)) < 2.2 * _calls(many(200))


def test_work_grows_in_a_line_with_volumes_and_paths() -> None:
    def one(volumes: int) -> list[HostFacts]:
        names = [f"vol-{at}" for at in range(volumes)]
        return [facts(*((rule, on(mac)) for rule in _RULES[2:] for mac in MACS[:2]), paths=two_ways(names))]

    assert _calls(one(800)) < 2.2 * _calls(one(400))
