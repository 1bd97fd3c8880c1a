"""Symptoms as problems of the on-call page, with the failing findings that could explain them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, text
from sqlmodel import Session

from plumbline.configurations.read import Labels
from plumbline.core.facts.configuration import Subject
from plumbline.core.rules import headlines
from plumbline.core.rules.rule import Rule
from plumbline.core.texts import figure
from plumbline.oncall.problems import RANKS, Cause, Failing, Problem
from plumbline.packs.library import Library
from plumbline.packs.rule_text import weight
from plumbline.performance.symptoms import Symptom

_LINK = ("adapter.link_up", "adapter.link_speed_bps", "adapter.driver_version")
_FLOW_CONTROL = ("adapter.flow_control", "adapter.flow_control_operational", "initiator.flow_control")
_FRAMES = ("adapter.mtu", "vnic.mtu", "initiator.mtu", "adapter.frame_probe", "vnic.frame_probe", "initiator.frame_probe")
_BUFFERS = ("adapter.receive_buffers", "adapter.transmit_buffers")
_CHECKSUMS = ("adapter.checksum_tcp_ipv4", "adapter.checksum_ip_ipv4", "adapter.checksum_offload_rx", "adapter.checksum_offload_tx")
_RSS = ("adapter.rss", "adapter.rss_queues", "host.tcp.rss", "adapter.interrupt_moderation")
# Symptom -> the settings that could explain it, the likeliest first (docs/performance.md).
EXPLAINED_BY: Final[dict[str, tuple[str, ...]]] = {
    "retransmits": (*_FLOW_CONTROL, *_FRAMES, *_CHECKSUMS, *_BUFFERS, "adapter.tcp_connection_offload", "initiator.mode", *_LINK),
    "drops": (*_FLOW_CONTROL, *_BUFFERS, *_RSS, "adapter.qos_operational_flow_control", *_FRAMES, *_LINK),
    "errors": (*_LINK, *_FRAMES, *_CHECKSUMS),
    "latency": (
        "volume.paths_healthy", "initiator.delayed_ack", "target.delayed_ack", "host.tcp.delayed_ack_iscsi", "adapter.nagle_registry",
        "volume.policy", "host.mpio.policy", *_FLOW_CONTROL, "adapter.interrupt_moderation", "host.net.lro", "host.tcp.auto_tuning", *_LINK,
    ),
}  # fmt: skip
_TAKES_AWAY: Final = {
    "retransmits": "Lost segments are sent again: less throughput, and longer waits for volumes",
    "drops": "Packets of the SAN are dropped and have to be sent again",
    "errors": "Damaged packets are thrown away; often a cable, an optic or a switch port",
    "latency": "Reads and writes of the slowest volume wait",
}
_FINDINGS = """
SELECT host_id, rule_no, subject_kind, subject_id, failing_since AS since, reason, observed FROM finding
WHERE host_id = ANY(:hosts) AND rule_no = ANY(:rules) AND outcome = 'fail' AND waiver_id IS NULL AND excluded_by = ''
ORDER BY host_id, rule_no, subject_kind, subject_id LIMIT 5000
"""


def read_explaining(session: Session, symptoms: Mapping[str, Sequence[Symptom]], library: Library) -> list[Row[Any]]:
    """The failing findings of these hosts of rules that read a setting that could explain one of their symptoms. One query."""
    if not symptoms:
        return []
    wanted = {key for found in symptoms.values() for each in found for key in EXPLAINED_BY[each.metric.name]}
    rules = [number for number, known in library.by_no.items() if wanted & set(known.rule.reads)]
    return list(session.execute(text(_FINDINGS), {"hosts": list(symptoms), "rules": rules}).all())


def of_symptoms(
    symptoms: Mapping[str, Sequence[Symptom]], rows: Iterable[Row[Any]], library: Library, labels: Mapping[str, Labels]
) -> list[Problem]:
    """One problem for each host, headed by the symptom that is furthest past its limit."""
    by_host: dict[str, list[Failing]] = {}
    for row in rows:
        failing = Failing(row.rule_no, row.subject_kind, row.subject_id, row.since, row.reason, row.observed)
        by_host.setdefault(row.host_id, []).append(failing)
    return [_of_host(host_id, found, by_host.get(host_id, []), library, labels.get(host_id)) for host_id, found in symptoms.items()]


def _of_host(host_id: str, symptoms: Sequence[Symptom], failing: Sequence[Failing], library: Library, labels: Labels | None) -> Problem:
    keys = list(dict.fromkeys(key for each in symptoms for key in EXPLAINED_BY[each.metric.name]))
    explaining: dict[int, list[Failing]] = {}
    for each in failing:
        if set(keys) & set(library.by_no[each.rule_no].rule.reads):
            explaining.setdefault(each.rule_no, []).append(each)
    order = sorted(explaining, key=lambda number: (_place(library.by_no[number].rule, keys), -weight(library.by_no[number].rule), number))
    first = symptoms[0]
    return Problem(
        kind="symptom",
        host_id=host_id,
        since=min(each.since for each in symptoms),
        words=symptom_words(symptoms),
        takes_away=f"{_TAKES_AWAY[first.metric.name]}.{_peers_words(first)}",
        parts=tuple(each.metric.name for each in symptoms),
        rank=RANKS["symptom"],
        findings=tuple(each for number in order for each in explaining[number]),
        reads=tuple(keys),
        causes=tuple(_cause(number, explaining[number], library, labels) for number in order),
    )


def symptom_words(symptoms: Sequence[Symptom]) -> str:
    """ "TCP retransmits 0.47%, limit 0.11%, and dropped packets"."""
    first, *others = symptoms
    more = "".join(f", and {_inside(each.metric.label)}" for each in others)
    day = " for a day or more" if first.is_a_day else ""
    return (
        f"{first.metric.label} {figure(first.value, first.metric.unit)}{day}, limit {figure(first.metric.limit, first.metric.unit)}{more}"
    )


def _inside(label: str) -> str:
    """A label inside a sentence: "Dropped packets" in lower case, "TCP retransmits" as it is."""
    return label if label[1:2].isupper() else label[0].lower() + label[1:]


def _peers_words(symptom: Symptom) -> str:
    if symptom.peers_value is None:
        return ""
    return f" The {symptom.peers} other hosts of the cluster: {figure(symptom.peers_value, symptom.metric.unit)} (median)."


def _place(rule: Rule, keys: Sequence[str]) -> int:
    return min(keys.index(key) for key in rule.reads if key in keys)


def _cause(number: int, failing: Sequence[Failing], library: Library, labels: Labels | None) -> Cause:
    known = library.by_no[number]
    line = headlines.failing_headline(
        known.rule,
        [headlines.Failing(Subject(each.subject_kind, each.subject_id), each.reason, each.observed) for each in failing],
        labels.of_subject if labels else None,
    )
    return Cause(known.pack.id, known.rule.id, failing[0].subject_id, line)
