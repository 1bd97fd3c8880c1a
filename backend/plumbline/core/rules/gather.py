"""Reduces the configurations of a host's neighbours to the few values that rules comparing hosts read."""

from collections.abc import Iterable, Mapping

from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, SettingValue, Subject, Value
from plumbline.core.rules.evaluate import judged_subjects
from plumbline.core.rules.peers import Peers, PeerValue
from plumbline.core.rules.rule import Check, Pack, Rule, Scope, walk


def peer_values(packs: Iterable[Pack], host: str, configuration: Configuration, scope: Scope) -> dict[str, tuple[PeerValue, ...]]:
    """What one host contributes as a neighbour: the values that rules comparing across `scope` read of it, by `pack/rule:setting key`.

    Only subjects that the rule judges there count. Small enough to be kept for every host and used for all its neighbours.
    """
    values: dict[str, tuple[PeerValue, ...]] = {}
    for rule, key in compared(packs, scope):
        if rule.applies_to.platform in (None, configuration.platform):
            values[f"{rule.address}:{key}"] = tuple(PeerValue(host, value) for _, value in values_of(rule, key, configuration))
    return values


def gather(
    packs: Iterable[Pack],
    *,
    cluster: Mapping[str, Configuration] | None = None,
    fabric: Mapping[str, Iterable[tuple[str, Configuration, str]]] | None = None,
) -> Peers:
    """The peers of one host, from the configurations of the others.

    `cluster`: the other members by name, None where they are not known. `fabric`: for each adapter id of this host the (host name,
    configuration, adapter id) of the other adapters on its fabric, None where fabrics are not known.
    """
    packs = list(packs)
    in_cluster: dict[str, tuple[PeerValue, ...]] | None = None
    if cluster is not None:
        in_cluster = {}
        for host, configuration in cluster.items():
            for name, values in peer_values(packs, host, configuration, "cluster").items():
                in_cluster[name] = in_cluster.get(name, ()) + values
    on_fabric: dict[tuple[str, str], tuple[PeerValue, ...]] | None = None
    if fabric is not None:
        on_fabric = {}
        for adapter, others in fabric.items():
            for host, configuration, other in others:
                for rule, key in compared(packs, "fabric"):
                    found = tuple(PeerValue(host, value) for subject, value in values_of(rule, key, configuration) if subject.id == other)
                    name_and_adapter = (f"{rule.address}:{key}", adapter)
                    on_fabric[name_and_adapter] = on_fabric.get(name_and_adapter, ()) + found
    return Peers(in_cluster, on_fabric)


def compared(packs: Iterable[Pack], scope: Scope) -> list[tuple[Rule, str]]:
    """The rules of the packs that compare hosts across `scope`, with the key that each compares."""
    return [
        (rule, node.key)
        for pack in packs
        for rule in pack.rules
        for node in walk(rule.expect)
        if isinstance(node, Check) and node.operator == "same_across" and node.scope == scope and not rule.retired
    ]


def compares_hosts(rule: Rule) -> bool:
    """The rule reads other hosts."""
    return any(isinstance(node, Check) and node.operator == "same_across" and node.scope != "host" for node in walk(rule.expect))


def values_of(rule: Rule, key: str, configuration: Configuration) -> list[tuple[Subject, SettingValue | None]]:
    """The values of the subjects that the rule judges on a host; None where one could not be read, none where it is not offered."""
    subjects = [HOST] if rule.subject_kind == "host" else judged_subjects(rule, configuration)
    found: list[tuple[Subject, SettingValue | None]] = []
    for subject in subjects:
        reading = configuration.read(subject, key.split(".", 1)[1])
        if not isinstance(reading, NotOffered):
            found.append((subject, reading.value if isinstance(reading, Value) else None))
    return found
