"""Elements put together into steps: everything of one adapter in one vector with one restart, one part after the other.

Settings that interrupt nothing come first, so that the sessions which a restart brings back find them; then adapter after adapter, fabric
after fabric. A frame size grows from the outside in (virtual switch, then interface) and shrinks from the inside out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from plumbline.core.facts.catalogue import TakesEffect
from plumbline.core.facts.configuration import HOST, Subject
from plumbline.core.planning import commands
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.inputs import HostFacts
from plumbline.core.planning.path_floor import Taken
from plumbline.core.planning.plan import EFFECTS, Command, FindingRef

_INSIDE_OUT = {"vnic": 0, "adapter": 1, "vswitch": 2}
_NUMBER = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Part:
    """What will be one step: the elements that are written together, and whose traffic that interrupts (the host itself: none)."""

    subject: Subject
    drafts: tuple[Draft, ...]

    @property
    def drops_traffic(self) -> bool:
        """Paths are lost while it runs."""
        return self.subject.kind != "host"

    @property
    def restart(self) -> str:
        """The address of what restarts once, or empty."""
        restarts = any(draft.setting.restart != "none" for draft in self.drafts)
        return f"{self.subject.kind}/{self.subject.id}" if restarts else ""

    @property
    def findings(self) -> tuple[FindingRef, ...]:
        """The findings that it helps to clear, each once, in a fixed order."""
        return tuple(sorted({draft.finding for draft in self.drafts}, key=_ref_key))

    @property
    def unique(self) -> tuple[Draft, ...]:
        """One draft for each setting, for any number of findings that need it."""
        first: dict[str, Draft] = {}
        for draft in self.drafts:
            first.setdefault(draft.element.setting, draft)
        return tuple(first[setting] for setting in sorted(first))

    def taken(self, host: HostFacts) -> Taken:
        """The adapters and addresses that lose their traffic. What is not known counts as lost."""
        name = host.name_of(self.subject)
        if self.subject.kind == "adapter":
            return Taken(frozenset({self.subject.id}), words=name)
        held = host.configuration
        if self.subject.kind == "vnic":
            return Taken(addresses=_addresses(host, [self.subject]), words=name)
        if self.subject.kind == "vswitch":
            uplinks = {one.id for one in held.subjects("adapter") if held.value(one, "vswitch") in (None, self.subject.id)}
            interfaces = [one for one in held.subjects("vnic") if held.value(one, "vswitch") in (None, self.subject.id)]
            return Taken(frozenset(uplinks), _addresses(host, interfaces), f"switch {name}")
        return Taken()

    def fabrics(self, host: HostFacts) -> frozenset[str]:
        """The labels of the fabrics that it takes paths of."""
        taken = self.taken(host)
        over = set(taken.adapters)
        if taken.addresses:
            over |= {path.adapter for path in host.path_map.paths if path.source_address in ("", *taken.addresses)}
        return frozenset(host.fabrics.get(adapter, "") for adapter in over)

    def commands(self, host: HostFacts) -> tuple[Command, ...]:
        """What a person would type for it, the restart last."""
        return self._typed([(at, draft.do) for at, draft in enumerate(self.unique)], host)

    def undo_commands(self, host: HostFacts) -> tuple[Command, ...]:
        """What a person would type to undo it: the last value first, then the restart."""
        return self._typed([(at, draft.undo) for at, draft in reversed(list(enumerate(self.unique)))], host)

    def _typed(self, typed: list[tuple[int, tuple[Command, ...]]], host: HostFacts) -> tuple[Command, ...]:
        restart = (commands.restart_command(host.name_of(self.subject)),) if self.restart else ()
        return (*(replace(command, element=at) for at, each in typed for command in each), *restart)


def parts_of(host: HostFacts, drafts: Iterable[Draft], largest: int) -> list[Part]:
    """The drafts of one host, together where they are written together, in the order in which the host is changed.

    Those that interrupt nothing are grouped by the time they take effect, at most `largest` in a vector.
    """
    without_loss: dict[TakesEffect, list[Draft]] = {}
    by_subject: dict[Subject, list[Draft]] = {}
    for draft in drafts:
        if draft.setting.drops_traffic:
            by_subject.setdefault(draft.subject, []).append(draft)
        else:
            without_loss.setdefault(draft.setting.takes_effect, []).append(draft)
    found: list[Part] = []
    for effect in sorted(without_loss, key=EFFECTS.index):
        together = sorted(without_loss[effect], key=lambda draft: draft.element.setting)
        found.extend(Part(HOST, tuple(chunk)) for chunk in _chunks(together, largest))
    parts = [Part(subject, tuple(grouped)) for subject, grouped in by_subject.items()]
    return found + sorted(parts, key=lambda part: _place(host, part))


def natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Sort key that puts SAN2 before SAN10."""
    return tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part.lower()) for part in _NUMBER.split(name) if part)


def _chunks(drafts: list[Draft], largest: int) -> list[list[Draft]]:
    """Groups of at most this many settings; two findings that need the same setting stay together."""
    chunks: list[list[Draft]] = []
    settings: set[str] = set()
    for draft in drafts:
        if not chunks or (draft.element.setting not in settings and len(settings) == largest):
            chunks.append([])
            settings = set()
        chunks[-1].append(draft)
        settings.add(draft.element.setting)
    return chunks


def _place(host: HostFacts, part: Part) -> tuple[object, ...]:
    shrinks = any(_shrinks(draft) for draft in part.drafts)
    inner = _INSIDE_OUT[part.subject.kind]
    switch = part.subject.id if part.subject.kind == "vswitch" else str(host.configuration.value(part.subject, "vswitch") or "")
    return (
        sorted(part.fabrics(host)),
        natural(switch),
        inner if shrinks else -inner,
        natural(host.name_of(part.subject)),
        part.subject.id,
    )


def _shrinks(draft: Draft) -> bool:
    """A frame size that becomes smaller."""
    seen, target = draft.element.seen, draft.element.target
    return draft.key.endswith(".mtu") and seen.isdigit() and target.isdigit() and int(target) < int(seen)


def _addresses(host: HostFacts, interfaces: list[Subject]) -> frozenset[str]:
    """The addresses of interfaces without their prefix; every source address of the host where one of them is not known."""
    found: set[str] = set()
    for interface in interfaces:
        addresses = host.configuration.value(interface, "addresses")
        if not isinstance(addresses, tuple):
            return frozenset({"", *(path.source_address for path in host.path_map.paths)})
        found.update(str(address).partition("/")[0] for address in addresses)
    return frozenset(found or {""})


def _ref_key(ref: FindingRef) -> tuple[str, ...]:
    return (ref.host, ref.pack, ref.rule, ref.subject_kind, ref.subject_id)
