"""Whether a step would take the last connection to a target: who goes over which adapter, and what stays while adapters stop.

Healthy paths of a volume are counted in `path_floor`. That count ignores adapters: two paths over one adapter are two, and the
restart of that adapter takes both. Here the question is asked by target, as the runners ask it: every target that loses a connection keeps
one over another adapter that has link. What is not known keeps nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plumbline.core.facts.configuration import Configuration, Subject, encode_id
from plumbline.core.facts.paths import PathMap, SessionRoute
from plumbline.core.planning.path_floor import Taken
from plumbline.core.planning.refusals import Refused

SESSIONS_UNREAD = "the list of its iSCSI sessions could not be read"
_ALIVE = ("healthy", "standby")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is known of the connections of one target while a step runs: whether one stays, and else why none is sure to."""

    stays: bool = False
    why: str = ""


def routes_of(path_map: PathMap) -> tuple[SessionRoute, ...]:
    """The connections that the paths of a map show. A path whose target is not known counts for its own volume."""
    return tuple(
        SessionRoute(path.target.rpartition(">")[2] or f"volume {path.volume}", path.source_address, path.adapter)
        for path in path_map.paths
        if path.state in _ALIVE
    )


def connections(sessions: Iterable[SessionRoute] | None, path_map: PathMap) -> tuple[SessionRoute, ...] | None:
    """Every connection of a host to a target: its sessions, and the paths of targets that no session names. None: not known."""
    if sessions is None:
        return None
    listed = tuple(sessions)
    named = {route.target for route in listed}
    return (*listed, *(each for each in routes_of(path_map) if each.target not in named))


def refusal(routes: Iterable[SessionRoute], taken: Taken, configuration: Configuration, command: str = "") -> Refused | None:
    """Why a step that takes these adapters and addresses may not run: the first target without a sure connection over another adapter.

    None where every target that loses a connection keeps one. A connection is lost unless it is surely spared: one over an adapter that the
    list of adapters does not have may be over any.
    """
    by_target: dict[str, list[SessionRoute]] = {}
    listed = {adapter.id for adapter in configuration.subjects("adapter")}
    for said in routes:
        route = said if said.adapter in listed else SessionRoute(said.target, said.source_address, "")
        by_target.setdefault(route.target, []).append(route)
    for target in sorted(by_target):
        mine = by_target[target]
        lost = [route for route in mine if not taken.spares_route(route.adapter, route.source_address)]
        if not lost:
            continue
        # The adapters under an interface that stops: a connection over the same card is no other one.
        under = taken.adapters | {route.adapter for route in lost}
        found = _kept(configuration, [route for route in mine if route not in lost], under)
        if not found.stays:
            words = f"{target} would keep no connection over another adapter without {taken.words}{found.why}"
            return Refused("path_floor", f"target/{encode_id(target)}", words, command)
    return None


def _kept(configuration: Configuration, others: Sequence[SessionRoute], under: frozenset[str]) -> _Kept:
    why = ""
    for route in others:
        if not route.adapter:
            why = why or ": the adapter of another one is not known"
            continue
        if route.adapter in under:
            continue
        adapter = Subject("adapter", route.adapter)
        link = configuration.value(adapter, "link_up")
        if link is True:
            return _Kept(stays=True)
        name = configuration.value(adapter, "name") or route.adapter
        why = why or (f": {name} has no link" if link is False else f": whether {name} has link is not known")
    return _Kept(why=why)


def has_no_link(taken: Taken, configuration: Configuration) -> bool:
    """Every adapter that stops is known to have no link: nothing goes over it, so nothing is lost."""
    return bool(taken.adapters) and all(configuration.value(Subject("adapter", each), "link_up") is False for each in taken.adapters)


def by_adapter_text(routes: Iterable[SessionRoute]) -> str:
    """Which adapters each target is connected over, as the value of a gate's fact: `iqn.a=001018f1c2d0,001018f1c2d2;iqn.b=…`."""
    found: dict[str, set[str]] = {}
    for route in routes:
        found.setdefault(route.target, set()).add(route.adapter)
    return ";".join(f"{target}={','.join(sorted(found[target]))}" for target in sorted(found))


def moved(planned: str, now: Iterable[SessionRoute]) -> str:
    """Which connection of a planned text (`by_adapter_text`) is not there now, in words; empty where all are. More of them is no fault."""
    present: dict[str, set[str]] = {}
    for route in now:
        present.setdefault(route.target, set()).add(route.adapter)
    for entry in planned.split(";") if planned else ():
        target, _, adapters = entry.rpartition("=")
        gone = [adapter for adapter in adapters.split(",") if adapter not in present.get(target, set())]
        if gone:
            return f"{target} had a connection over {gone[0] or 'an adapter that was not known'} when planned, and has none there now"
    return ""
