"""The weight of a rule on a host: the largest band x strength x fit among its evidence, in whole hundredths; and which rules count once.

Bands, strengths and fits: docs/writing-rules.md, "Weights".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Configuration, Platform, Subject
from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.core.rules.rule import BAND_POINTS, STRENGTH_TENTHS, Evidence, Pack, Paper, Rule

ENOUGH_PATHS = 2
_WITHOUT_EVIDENCE = 100  # w = 1, in hundredths


@dataclass(frozen=True, slots=True)
class Traits:
    """The properties of a host that decide how well a paper's test bed fits it, and the volumes that cap its score."""

    platform: Platform
    os_release: str
    families: Mapping[str, str] = field(default_factory=dict)  # by adapter id
    san_families: frozenset[str] = frozenset()  # of the adapters that carry storage
    adapter_of: Mapping[str, str] = field(default_factory=dict)  # initiator id -> adapter id
    thin_volumes: tuple[tuple[str, int], ...] = ()  # (volume id, healthy paths) where fewer than two are known


def traits_of(configuration: Configuration) -> Traits:
    """The traits of one configuration."""
    families: dict[str, str] = {}
    san: set[str] = set()
    for adapter in configuration.subjects("adapter"):
        family = configuration.value(adapter, "family")
        if isinstance(family, str):
            families[adapter.id] = family
            if configuration.value(adapter, "role") in STORAGE_ROLES:
                san.add(family)
    adapter_of = {}
    for initiator in configuration.subjects("initiator"):
        adapter_id = configuration.value(initiator, "adapter")
        if isinstance(adapter_id, str) and adapter_id:
            adapter_of[initiator.id] = adapter_id
            if adapter_id in families:
                san.add(families[adapter_id])
    thin = []
    for volume in configuration.subjects("volume"):
        healthy = configuration.value(volume, "paths_healthy")
        if type(healthy) is int and healthy < ENOUGH_PATHS:
            thin.append((volume.id, healthy))
    release = configuration.value(Subject("host", ""), "os_release")
    return Traits(
        platform=configuration.platform,
        os_release=release if isinstance(release, str) else "",
        families=families,
        san_families=frozenset(san),
        adapter_of=adapter_of,
        thin_volumes=tuple(thin),
    )


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of a rule on one host and why: `hundredths` is w times 100; `evidence` None means that it has none."""

    hundredths: int
    evidence: Evidence | None
    fit_tenths: int

    @property
    def w(self) -> float:
        """The weight as it is shown."""
        return self.hundredths / 100


class Weights:
    """The weights of the rules of some packs. Caches what it worked out, since most hosts of a fleet are alike."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        packs = list(packs)
        self._papers: dict[tuple[str, str], Paper] = {(pack.id, paper.id): paper for pack in packs for paper in pack.papers}
        self._groups: dict[str, str | None] = {rule.address: None for pack in packs for rule in pack.rules}
        self._groups.update(linked_rules(rule for pack in packs for rule in pack.rules if rule.weighs))
        self._known: dict[tuple[str, str, frozenset[str], str, str], Weight] = {}

    def group_of(self, rule: Rule) -> str | None:
        """The name of the group of rules linked to this one, itself included; None where the rule has no weight.

        Raises KeyError for a rule of a pack that these weights were not made for.
        """
        return self._groups[rule.address]

    def of(self, rule: Rule, families: frozenset[str], os_release: str, platform: Platform) -> Weight:
        """The weight of a rule whose subjects (or whose host's SAN adapters) are of these families."""
        key = (rule.address, rule.expected_hash, families, os_release, platform)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._work_out(rule, families, os_release, platform)
        return known

    def _work_out(self, rule: Rule, families: frozenset[str], os_release: str, platform: Platform) -> Weight:
        best: Weight | None = None
        for evidence in rule.evidence:
            fit = self._fit(self._papers[rule.pack, evidence.paper], evidence, families, os_release, platform)
            hundredths = BAND_POINTS[evidence.band] * STRENGTH_TENTHS[evidence.strength] * fit
            if best is None or hundredths > best.hundredths:
                best = Weight(hundredths, evidence, fit)
        return best or Weight(_WITHOUT_EVIDENCE, None, 10)

    @staticmethod
    def _fit(paper: Paper, evidence: Evidence, families: frozenset[str], os_release: str, platform: Platform) -> int:
        """In tenths: 10 for the same family and release as a test bed, 8 for the same family, 5 otherwise."""
        fit = 5
        for bed in paper.beds:
            if bed.platform != platform or not families & set(evidence.families or bed.families):
                continue
            fit = max(fit, 10 if os_release in (evidence.os_releases or bed.os_releases) else 8)
        return fit


def linked_rules(rules: Iterable[Rule]) -> dict[str, str]:
    """For each rule the name of its group: rules joined by `same_as`, directly or through others."""
    by_address = {rule.address: rule for rule in rules}
    root = {address: address for address in by_address}

    def find(address: str) -> str:
        while root[address] != address:
            root[address] = root[root[address]]
            address = root[address]
        return address

    for address, rule in by_address.items():
        for other in rule.same_as:
            if other in root:
                first, second = sorted((find(address), find(other)))
                root[second] = first
    return {address: find(address) for address in by_address}
