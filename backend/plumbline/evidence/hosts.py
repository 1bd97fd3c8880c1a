"""Records of hosts, their configurations and their findings as of an instant, evaluated by the code that screens of the past use."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session, col, select

from plumbline.configurations.read import Labels
from plumbline.core.facts.attestations import Attested
from plumbline.core.facts.configuration import Configuration, NotOffered, Reading, Source, Subject, Value
from plumbline.core.rules.finding_status import status_of
from plumbline.core.rules.peers import Peers, PeerValue
from plumbline.evaluation.attestations_in_force import answered
from plumbline.evaluation.findings import HostVerdict, NewFinding
from plumbline.evaluation.reevaluate import raw_connection
from plumbline.evidence.forms import pack_form, rules_in_force_form
from plumbline.infra.clock import iso
from plumbline.infra.errors import BadInput
from plumbline.models.packs import PackVersion
from plumbline.packs.in_force import ActiveRules, GroupRules, pack_of
from plumbline.previews.as_of import EvaluatedAt, evaluate_at
from plumbline.previews.hosts_as_of import HostAt, hosts_at

MOST_HOSTS = 5_000
_CHUNK = 200
Record = dict[str, Any]


class TooManyHosts(BadInput):
    """The group had more hosts than one bundle holds."""

    code = "too_many_hosts"


@dataclass(slots=True)
class HostRecords:
    """The records of a group's hosts. Configurations are kept as bytes: they are most of a bundle."""

    hosts: list[Record] = field(default_factory=list)
    configurations: list[bytes] = field(default_factory=list)
    findings: list[Record] = field(default_factory=list)
    packs: list[Record] = field(default_factory=list)
    rules: list[Record] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    # waiver -> ids of the hosts on which it was in force.
    waived_hosts: dict[int, list[str]] = field(default_factory=dict)

    def read_configurations(self) -> Iterator[Record]:
        """The configurations, one at a time."""
        for packed in self.configurations:
            yield msgspec.json.decode(packed)


def read_hosts(
    session: Session, *, path: str, rules: ActiveRules, at: datetime, group_names: Mapping[int, str], only: Container[str] | None = None
) -> HostRecords:
    """Every host that was below the group with this path at the instant (of `only` these), evaluated under the rules of then.

    Raises `TooManyHosts`.
    """
    records = HostRecords()
    names: dict[int, str] = {}
    in_force: dict[str, GroupRules] = {}
    connection, after = raw_connection(session), ""
    while found := hosts_at(connection, at, path=path, after=after, limit=_CHUNK):
        after = found[-1].id
        hosts = [host for host in found if only is None or host.id in only]
        if len(records.hosts) + len(hosts) > MOST_HOSTS:
            raise TooManyHosts(f"the group has more than {MOST_HOSTS:,} hosts; make a bundle of each of its subgroups")
        evaluated = evaluate_at(connection, hosts, rules, at)
        for host in hosts:
            past = evaluated.get(host.id)
            name = ""
            if past is not None:
                # Groups with the same rules share the object.
                name = names.setdefault(id(past.rules), f"set {len(names) + 1}")
                in_force[name] = past.rules
                for waiver in past.context.waivers:
                    listed = records.waived_hosts.setdefault(waiver.id, [])
                    if host.id not in listed[-1:]:
                        listed.append(host.id)
                if past.evaluation.verdict.score is not None:
                    records.scores.append(past.evaluation.verdict.score)
                records.configurations.append(msgspec.json.encode(_configuration(host, past.document.configuration)))
                records.findings += _findings(host, past)
            records.hosts.append(_host(host, past, name, group_names.get(host.group_id, "")))
    _add_rules(session, records, in_force)
    return records


def _add_rules(session: Session, records: HostRecords, in_force: Mapping[str, GroupRules]) -> None:
    ids = {version_id for rules in in_force.values() for version_id in rules.version_ids.values()}
    versions = session.exec(select(PackVersion).where(col(PackVersion.id).in_(ids)).order_by(col(PackVersion.pack), col(PackVersion.id)))
    labels: dict[int, str] = {}
    for version in versions:
        labels[version.id or 0] = version.version
        records.packs.append(pack_form(pack_of(version), version=version.version, document=version.document))
    records.rules += [rules_in_force_form(rules, name=name, versions=labels) for name, rules in in_force.items()]


def _host(host: HostAt, past: EvaluatedAt | None, rules: str, group: str) -> Record:
    record: Record = {
        "record": f"host {host.name}",
        "id": host.id,
        "name": host.name,
        "group": group,
        "platform": host.platform,
        "configuration_at": iso(host.configuration_at) if host.configuration_at else None,
        "is_silent": host.is_silent,
        "absent": host.absent if past is not None or host.absent else "its stored configuration can no longer be read",
    }
    if past is None:
        return record
    return record | {
        "rules": rules,
        "unread": dict(past.context.unread),
        "unlisted": dict(past.document.configuration.unlisted),
        "problems": list(past.document.problems),
        "peers": _peers(past.context.peers),
        "attested": _attested(past),
        "figures": _figures(past.evaluation.verdict),
    }


def _figures(verdict: HostVerdict) -> Record:
    return {
        "score": verdict.score,
        "score_without_waivers": verdict.score_without_waivers,
        "is_capped": bool(verdict.capped_by),
        "capped_by": verdict.capped_by,
        "rule_coverage": verdict.rule_coverage,
        "pass": verdict.n_pass,
        "fail": verdict.n_fail,
        "unknown": verdict.n_unknown,
        "waived": verdict.n_waived,
        "excluded": verdict.n_excluded,
        "not_applicable": verdict.n_not_applicable,
    }


def _peers(peers: Peers) -> Record:
    return {
        "cluster": None if peers.cluster is None else {name: _values(values) for name, values in sorted(peers.cluster.items())},
        "fabric": None
        if peers.fabric is None
        else [[name, adapter, _values(values)] for (name, adapter), values in sorted(peers.fabric.items())],
    }


def _values(values: tuple[PeerValue, ...]) -> list[list[Any]]:
    return [[each.host, each.value, each.why, each.more] for each in values]


def _attested(past: EvaluatedAt) -> dict[str, bool | None]:
    """What was attested by address of the rule; None where the attestation had expired."""
    given: Mapping[int, Attested] = answered(past.context.attestations, past.rules.linked_nos)
    found = {address: given.get(past.rules.numbers[address]) for address in past.rules.rules}
    return {address: None if each.is_over else each.is_so for address, each in sorted(found.items()) if each is not None}


_STATES: dict[type, str] = {Value: "v", NotOffered: "n"}


def _configuration(host: HostAt, configuration: Configuration) -> Record:
    settings = [[subject.kind, subject.id, key, *_reading(reading)] for subject, key, reading in configuration]
    subjects = [[subject.kind, subject.id] for subject in configuration.all_subjects() if not configuration.keys(subject)]
    return {"record": f"configuration of {host.name}", "host": host.id, "settings": settings, "subjects": subjects}


def _reading(reading: Reading) -> list[Any]:
    said = reading.value if isinstance(reading, Value) else reading.reason
    return [_STATES.get(type(reading), "u"), said, *([_source(reading.source)] if reading.source is not None else [])]


def _source(source: Source) -> Record:
    return {"section": source.section, "command": source.command, "field": source.field, "raw": source.raw}


def _findings(host: HostAt, past: EvaluatedAt) -> Iterator[Record]:
    addresses = {past.rules.numbers[address]: address for address in past.rules.rules}
    labels = Labels.of(past.document)
    findings = sorted(past.evaluation.findings, key=lambda each: (addresses[each.rule_no], each.subject_kind, each.subject_id))
    for row in findings:
        yield _finding(host, row, past.rules, addresses[row.rule_no], labels.of_subject(Subject(row.subject_kind, row.subject_id)))


def _finding(host: HostAt, row: NewFinding, rules: GroupRules, address: str, label: str) -> Record:
    rule = rules.rules[address]
    return {
        "record": f"finding {address} on {host.name}{'' if label == 'host' else f', {row.subject_kind} {label}'}",
        "host": host.id,
        "pack": rule.pack,
        "rule": rule.id,
        "title": rule.title,
        "kind": row.kind,
        "subject": [row.subject_kind, row.subject_id],
        "outcome": row.outcome,
        "status": status_of(row.outcome, row.waiver_id, row.excluded_by, row.kind),
        "reason": row.reason,
        "observed": row.observed,
        "expected": row.expected,
        "source": msgspec.json.decode(row.source) if row.source else None,
        "waiver": row.waiver_id,
        "excluded_by": row.excluded_by,
    }
