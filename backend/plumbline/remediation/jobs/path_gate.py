"""PURE: whether a step may interrupt its adapters now, from what the host shows now. Plumbline never takes a last path.

The plan was checked in the same way when it was made. Since then a session may have moved, an adapter lost its link, a volume come or
gone: so the same questions are asked of the facts as they are, before the first step, before each later one, before a step that was started
goes on, and before anything is taken back.
"""

from plumbline.core.facts.configuration import Subject, decode_id
from plumbline.core.planning import last_path, path_floor
from plumbline.core.planning.inputs import Limits
from plumbline.core.planning.other_traffic import other_traffic
from plumbline.core.planning.path_floor import Taken
from plumbline.core.planning.plan import Step
from plumbline.remediation.jobs.fresh_facts import FreshFacts

_FRAME_SETTINGS = ("vnic.mtu", "vswitch.mtu")


def interrupts(step: Step) -> bool:
    """It drops traffic while it runs, whether or not a path was seen there when it was planned."""
    return bool(step.adapters or step.restart or step.deadman_s)


def taken_now(now: FreshFacts, step: Step) -> Taken:
    """What stops while the step runs: its adapters as planned, and what its interfaces and switches are made of now."""
    held = now.host.configuration
    subjects = {_subject(each.setting) for each in step.elements} | ({_subject(step.restart)} if step.restart else set())
    adapters = {*step.adapters, *(subject.id for subject in subjects if subject.kind == "adapter")}
    interfaces = [subject for subject in subjects if subject.kind == "vnic"]
    for switch in (subject for subject in subjects if subject.kind == "vswitch"):
        adapters |= {one.id for one in held.subjects("adapter") if held.value(one, "vswitch") in (None, switch.id)}
        interfaces += [one for one in held.subjects("vnic") if held.value(one, "vswitch") in (None, switch.id)]
    addresses: set[str] = set()
    for interface in interfaces:
        own = held.value(interface, "addresses")
        # An interface whose addresses are not known may have any of them.
        every = ["", *(path.source_address for path in now.host.path_map.paths)]
        addresses.update(str(each).partition("/")[0] for each in own) if isinstance(own, tuple) else addresses.update(every)
    if interfaces and not addresses:
        addresses.add("")
    names = [_name(now, Subject("adapter", each)) for each in sorted(adapters)] or [each.id for each in interfaces]
    return Taken(frozenset(adapters), frozenset(addresses), " and ".join(names))


def carries_more(now: FreshFacts, step: Step) -> str:
    """What the step would interrupt besides storage now, or why that is not known; empty where it is storage alone."""
    if not interrupts(step):
        return ""
    subjects = {_subject(each.setting) for each in step.elements} | ({_subject(step.restart)} if step.restart else set())
    for subject in sorted(each for each in subjects if each.kind in ("adapter", "vnic", "vswitch")):
        other = other_traffic(now.host.configuration, subject)
        if other.words:
            return f"{_name(now, subject)} carries more than storage now: the step would interrupt {other.words} too"
        if other.unknown:
            return f"whether {_name(now, subject)} carries storage alone is not known now: {other.unknown}"
    return ""


def shut(now: FreshFacts, step: Step, *, is_taking_back: bool = False) -> str:
    """Why the step may not interrupt its adapters now; empty where it may, or where it interrupts nothing.

    `is_taking_back`: values are put back and the adapter is interrupted for it. Paths may be fewer then already, so no number of paths is
    required; the last one of a volume or a target stays all the same.
    """
    if not interrupts(step):
        return ""
    taken = taken_now(now, step)
    if not taken.adapters and not taken.addresses:
        return ""
    path_map, held = now.host.path_map, now.host.configuration
    unlisted = sorted(taken.adapters - {adapter.id for adapter in held.subjects("adapter")})
    if unlisted:
        # Paths and sessions over it cannot be recognised: they would seem to be over another one.
        why = held.unlisted.get("adapter", "it is not there any more")
        return f"adapter {unlisted[0]} is not in the list of adapters now: {why}"
    if not taken.addresses and last_path.has_no_link(taken, held):
        return ""
    if path_map.problem:
        return f"path state unknown: {path_map.problem}"
    lost = path_floor.forecast(path_map, taken)
    if is_taking_back:
        last = next((one for one in lost if one.during < 1), None)
        if last is not None:
            return f"{last.name} would be left with no healthy path of {last.before} without {taken.words}"
    else:
        limits = Limits(floor_before=step.health_floor or Limits().floor_before)
        refused = path_floor.floor_refusal(path_map, taken, lost, _kept(step, limits), limits)
        if refused is not None:
            return refused.words
        planned = {one.volume: one.during for one in step.forecast.volumes}
        fewer = next((one for one in lost if one.during < planned.get(one.volume, 0)), None)
        if fewer is not None:
            return f"{fewer.name} would keep {planned[fewer.volume]} healthy paths as planned, and would keep {fewer.during} now"
    if now.routes is None:
        return last_path.SESSIONS_UNREAD
    found = last_path.refusal(now.routes, taken, held)
    return found.words if found is not None else ""


def _kept(step: Step, limits: Limits) -> int:
    changes_frame = any(_key(each.setting) in _FRAME_SETTINGS for each in step.elements)
    is_in_maintenance = any(gate.name == "maintenance_mode" for gate in step.gates)
    return limits.floor_mtu if changes_frame and not is_in_maintenance else limits.floor_during


def _subject(address: str) -> Subject:
    """The item of `kind/id/key`, or of `kind/id` as a restart is named."""
    kind, _, rest = address.partition("/")
    return Subject(kind, decode_id(rest.partition("/")[0]))


def _name(now: FreshFacts, subject: Subject) -> str:
    return str(now.host.configuration.value(subject, "name") or subject.id)


def _key(address: str) -> str:
    kind, _, rest = address.partition("/")
    return f"{kind}.{rest.partition('/')[2]}"
