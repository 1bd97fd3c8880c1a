"""A host beside another host, beside an earlier configuration of its own, or beside the majority of its peers. Pure.

Items of two hosts are matched by what people match them by: a virtual switch by its name, an adapter by its name, else by its place among
the adapters of the same role and family. What belongs to one machine alone (addresses, MACs, serial numbers) is never compared.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, SettingValue, Subject, Unknown, Value

_COMPARED_LAYERS = frozenset({"configured", "identity"})
# Each machine has its own, or Plumbline wrote it.
_OWN = frozenset(
    {
        "host.name", "host.cluster", "host.agent_version", "host.platform", "adapter.name", "adapter.description", "adapter.mac",
        "adapter.interface_guid", "adapter.pnp_id", "adapter.pci", "adapter.addresses", "adapter.management", "adapter.role_reason",
        "adapter.numa_node", "vnic.name", "vnic.addresses", "vnic.management", "initiator.name", "initiator.adapter", "target.address",
        "volume.name", "volume.size_bytes", "vswitch.uplinks", "team.members", "vnic.bound_to", "vnic.team_mapping",
        "portgroup.active_uplinks", "portgroup.standby_uplinks", "portgroup.unused_uplinks",
    }
)  # fmt: skip
# Matched by their id alone: it is the name that people gave, or the array's own.
_BY_ID = frozenset({"volume", "vswitch", "portgroup", "team", "tcp_template", "transport_filter", "module", "qos_class", "qos_policy"})
_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Beside:
    """One setting on two sides. `left` and `right` are the items of each side, None where it has no such item.

    With an empty key a whole item is only on one side.
    """

    left: Subject | None
    right: Subject | None
    key: str
    left_reading: Reading | None
    right_reading: Reading | None

    @property
    def kind(self) -> str:
        """The kind of item."""
        subject = self.left or self.right
        assert subject is not None
        return subject.kind

    @property
    def differs(self) -> bool:
        """Both are known and are not the same, or the whole item is on one side only."""
        if not self.key:
            return True
        left, right = self.left_reading, self.right_reading
        if isinstance(left, Value) and isinstance(right, Value):
            return left.value != right.value
        if left is None or right is None or isinstance(left, Unknown) or isinstance(right, Unknown):
            return False
        return type(left) is not type(right)


@dataclass(frozen=True, slots=True)
class Majority:
    """What most peers have. `hosts` peers were compared, `agreeing` of them have `value`, `odd` are the others, by their value."""

    value: SettingValue
    agreeing: int
    hosts: int
    odd: tuple[tuple[str, SettingValue], ...]


def is_compared(address: str) -> bool:
    """The setting (`kind.key`) can be the same on two hosts."""
    entry = BY_KEY.get(address)
    return entry is not None and entry.layer in _COMPARED_LAYERS and address not in _OWN and not address.endswith(("_maximum", "_default"))


def matched(left: Configuration, right: Configuration) -> list[tuple[Subject | None, Subject | None]]:
    """The items of two hosts, those that are the same thing side by side; the others alone."""
    pairs: list[tuple[Subject | None, Subject | None]] = [(HOST, HOST)]
    found: dict[Subject, Subject] = {}
    for kind in sorted({subject.kind for subject in (*left.all_subjects(), *right.all_subjects())} - {"host"}):
        mine, theirs = _present(left, kind), _present(right, kind)
        for one, other in _matched_kind(kind, left, right, mine, theirs, found):
            found[one] = other
        taken = set(found.values())
        pairs += [(one, found.get(one)) for one in mine]
        pairs += [(None, other) for other in theirs if other not in taken]
    return pairs


def beside(left: Configuration, right: Configuration, *, is_same_host: bool = False) -> list[Beside]:
    """Every setting that can be compared, by item and key; a whole item that only one side has is one row."""
    rows: list[Beside] = []
    pairs = _same_items(left, right) if is_same_host else matched(left, right)
    for mine, theirs in pairs:
        if mine is None or theirs is None:
            rows.append(Beside(mine, theirs, "", _name(left, mine), _name(right, theirs)))
            continue
        ours, others = left.keys(mine), right.keys(theirs)
        for key in sorted({*ours, *others}):
            if is_compared(f"{mine.kind}.{key}"):
                rows.append(Beside(mine, theirs, key, ours.get(key), others.get(key)))
    return rows


def majority_of(host: Configuration, peers: Mapping[str, Configuration]) -> dict[tuple[Subject, str], Majority]:
    """What most of the peers have, for every setting of this host that most of them have alike. Peers by their name.

    A majority is more than half of the peers that tell the setting, and at least two of them.
    """
    found: dict[tuple[Subject, str], list[tuple[str, SettingValue]]] = {}
    for name, peer in peers.items():
        for mine, theirs in matched(host, peer):
            if mine is None or theirs is None:
                continue
            told = peer.keys(theirs)
            for key in told:
                reading = told[key]
                if isinstance(reading, Value) and is_compared(f"{mine.kind}.{key}"):
                    found.setdefault((mine, key), []).append((name, reading.value))
    majorities: dict[tuple[Subject, str], Majority] = {}
    for address, values in found.items():
        value, agreeing = Counter(value for _, value in values).most_common(1)[0]
        if agreeing >= 2 and agreeing * 2 > len(values):
            odd = tuple(sorted((name, other) for name, other in values if other != value))
            majorities[address] = Majority(value, agreeing, len(values), odd)
    return majorities


def _same_items(left: Configuration, right: Configuration) -> list[tuple[Subject | None, Subject | None]]:
    mine, theirs = set(_all_present(left)), set(_all_present(right))
    return [(each if each in mine else None, each if each in theirs else None) for each in sorted(mine | theirs)]


def _all_present(configuration: Configuration) -> Iterable[Subject]:
    return (subject for subject in configuration.all_subjects() if _has_values(configuration, subject))


def _present(configuration: Configuration, kind: str) -> list[Subject]:
    return [subject for subject in configuration.subjects(kind) if _has_values(configuration, subject)]


def _has_values(configuration: Configuration, subject: Subject) -> bool:
    return any(isinstance(reading, Value | NotOffered) for reading in configuration.keys(subject).values())


def _matched_kind(
    kind: str,
    left: Configuration,
    right: Configuration,
    mine: Sequence[Subject],
    theirs: Sequence[Subject],
    found: Mapping[Subject, Subject],
) -> list[tuple[Subject, Subject]]:
    """Pairs of one kind: by each description in turn, as long as exactly one item on both sides has it."""
    pairs: list[tuple[Subject, Subject]] = []
    for describe in _descriptions(kind):
        free_mine = [one for one in mine if all(one != pair[0] for pair in pairs)]
        free_theirs = [other for other in theirs if all(other != pair[1] for pair in pairs)]
        ours = _by_description(describe(left, free_mine, found, is_left=True))
        others = _by_description(describe(right, free_theirs, found, is_left=False))
        pairs += [(one, others[description]) for description, one in ours.items() if description in others]
    return pairs


def _by_description(described: Iterable[tuple[Subject, object]]) -> dict[object, Subject]:
    """Items by their description; one that several items have describes none of them."""
    found: dict[object, list[Subject]] = {}
    for subject, description in described:
        if description is not None:
            found.setdefault(description, []).append(subject)
    return {description: subjects[0] for description, subjects in found.items() if len(subjects) == 1}


class _Describe:
    """Describes items of one host, so that those of two hosts with the same description are the same thing."""

    def __init__(self, way: str) -> None:
        self._way = way

    def __call__(
        self, configuration: Configuration, subjects: Sequence[Subject], found: Mapping[Subject, Subject], *, is_left: bool
    ) -> list[tuple[Subject, object]]:
        if self._way == "id":
            return [(subject, subject.id) for subject in subjects]
        if self._way == "name":
            return [(subject, _role_and(configuration, subject, "name")) for subject in subjects]
        if self._way == "target":
            return [(subject, _target(subject, found, is_left=is_left)) for subject in subjects]
        counted: Counter[object] = Counter()
        described: list[tuple[Subject, object]] = []
        for subject in sorted(subjects, key=lambda one: (_natural(str(configuration.value(one, "name") or one.id)), one.id)):
            group = tuple(configuration.value(subject, key) for key in ("role", "mode", "family", "netstack"))
            described.append((subject, (group, counted[group])))
            counted[group] += 1
        return described


def _descriptions(kind: str) -> tuple[_Describe, ...]:
    if kind in _BY_ID:
        return (_Describe("id"),)
    if kind == "target":
        return (_Describe("target"),)
    if kind == "vnic":
        return (_Describe("id"), _Describe("name"))
    return (_Describe("name"), _Describe("place"))


def _role_and(configuration: Configuration, subject: Subject, key: str) -> object:
    name = configuration.value(subject, key)
    # An IQN names its host; the same adapter name in another role is another thing.
    return (configuration.value(subject, "role"), name.casefold()) if isinstance(name, str) and name and ":" not in name else None


def _target(subject: Subject, found: Mapping[Subject, Subject], *, is_left: bool) -> object:
    initiator, _, iqn = subject.id.partition(">")
    if is_left:
        other = found.get(Subject("initiator", initiator))
        return (other.id, iqn) if other is not None else None
    return (initiator, iqn)


def _natural(text: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.casefold()) for part in _DIGITS.split(text) if part]


def _name(configuration: Configuration, subject: Subject | None) -> Reading | None:
    if subject is None:
        return None
    values = {key: reading for key, reading in configuration.keys(subject).items() if isinstance(reading, Value)}
    return values.get("name") or next(iter(values.values()), None)
