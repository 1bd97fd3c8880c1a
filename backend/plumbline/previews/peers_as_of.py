"""Peers as of an instant: the peers of then, with the answers that their configurations of then give.

A host's answers depend on its configuration and on the questions, and are cached by both: a run over a fleet computes each once.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import psycopg

from plumbline.core.facts.configuration import HOST, Configuration
from plumbline.core.facts.document import Document
from plumbline.core.rules.peer_questions import Answers, Domain, Member, Questions
from plumbline.core.rules.peers import Peers
from plumbline.evaluation.inputs import read_documents
from plumbline.evaluation.peers import READ_LABELS, PeerAnswers, answers_of, peers_from, place_answers, questions_in_force
from plumbline.evaluation.reevaluate import CHUNK
from plumbline.packs.in_force import NO_RULES, ActiveRules
from plumbline.previews.hosts_as_of import HostAt, hosts_at, unread_at

# Hosts that may share a domain with these: by today's groups, clusters and fabrics, and hosts that moved since.
_NEAR = """
SELECT h.id FROM host h WHERE NOT h.id = ANY(%(ids)s) AND h.state = 'active' AND (
  (%(fabric)s AND h.group_id = ANY(%(groups)s)) OR (h.cluster <> '' AND lower(h.cluster) = ANY(%(clusters)s))
  OR (%(fabric)s AND EXISTS (SELECT FROM fabric_label l JOIN fabric_label mine ON mine.fabric = l.fabric
      WHERE l.host_id = h.id AND mine.host_id = ANY(%(ids)s)))
  OR EXISTS (SELECT FROM audit_entry a WHERE a.object_kind = 'host' AND a.object_id = h.id AND a.action = 'host.moved' AND a.at > %(at)s))
ORDER BY h.id
"""
Answered = tuple[str, Answers]
# (cluster, answers) by configuration and questions.
_ANSWERS: dict[tuple[int, str], Answered] = {}
_MOST_KEPT = 20_000

Unread = Mapping[str, Mapping[str, str]]


def peers_at(
    connection: "psycopg.Connection[Any]",
    hosts: Sequence[HostAt],
    documents: Mapping[str, Document],
    unread: Unread,
    rules: ActiveRules,
    at: datetime,
) -> dict[str, Peers]:
    """The peers of each of these hosts; empty if no rule compares hosts."""
    questions = questions_in_force(rules)
    if not questions.items:
        return {}
    known = {host.id: _answer(host, questions, documents[host.id].configuration, unread[host.id]) for host in hosts if host.id in documents}
    parameters = {
        "ids": [host.id for host in hosts],
        "groups": sorted({host.group_id for host in hosts}),
        "clusters": sorted({cluster.casefold() for cluster, _ in known.values()} - {""}),
        "fabric": questions.has("fabric"),
        "at": at,
    }
    found = [row[0] for row in connection.execute(_NEAR, parameters)]
    others = [host for host in hosts_at(connection, at, path="", limit=len(found), ids=found) if not host.absent] if found else []
    missing = []
    for host in others:
        answered = _ANSWERS.get(_key(host, questions))
        if answered is None:
            missing.append(host)
        else:
            known[host.id] = answered
    for start in range(0, len(missing), CHUNK):
        chunk = missing[start : start + CHUNK]
        read = read_documents(connection, [host.configuration_id for host in chunk if host.configuration_id is not None])
        kinds = unread_at(connection, chunk)
        known |= {host.id: _answer(host, questions, read[host.id].configuration, kinds[host.id]) for host in chunk if host.id in read}
    all_hosts = [host for host in (*hosts, *others) if host.id in known]
    answers_by_host = _place_all(connection, all_hosts, questions, known)
    domains = _domains(all_hosts, answers_by_host)
    return {
        host.id: peers_from(rules.by_group.get(host.group_id, NO_RULES), answers_by_host[host.id], domains, host.id)
        for host in hosts
        if host.id in answers_by_host
    }


def forget_answers() -> None:
    """Forgets what hosts answered. Configurations are numbered by one database: another one has the same numbers for others."""
    _ANSWERS.clear()


def _key(host: HostAt, questions: Questions) -> tuple[int, str]:
    return host.configuration_id or 0, questions.mark


def _answer(host: HostAt, questions: Questions, configuration: Configuration, unread: Mapping[str, str]) -> Answered:
    """The host's cluster and answers, remembered. The oldest are forgotten in bulk: threads may be at it side by side."""
    key = _key(host, questions)
    found = _ANSWERS.get(key)
    if found is None:
        if len(_ANSWERS) >= _MOST_KEPT:
            _ANSWERS.clear()
        cluster = configuration.value(HOST, "cluster")
        found = _ANSWERS[key] = (cluster if isinstance(cluster, str) else "", answers_of(questions, configuration, unread))
    return found


def _place_all(
    connection: "psycopg.Connection[Any]", hosts: Sequence[HostAt], questions: Questions, known: Mapping[str, Answered]
) -> dict[str, PeerAnswers]:
    labels: dict[str, dict[str, str]] = {}
    for host_id, adapter, fabric in connection.execute(READ_LABELS, ([host.id for host in hosts],)) if questions.has("fabric") else ():
        labels.setdefault(host_id, {})[adapter] = fabric
    answers_by_host = {}
    for host in hosts:
        cluster, answers = known[host.id]
        answers_by_host[host.id] = place_answers(
            questions, answers=answers, cluster=cluster, group_id=host.group_id, labels=labels.get(host.id, {})
        )
    return answers_by_host


def _domains(hosts: Sequence[HostAt], answers_by_host: Mapping[str, PeerAnswers]) -> dict[str, Domain]:
    members: dict[str, list[Member]] = {}
    for host in hosts:
        placed = answers_by_host[host.id]
        for domain in placed.domains:
            members.setdefault(domain, [])
            if host.is_member:
                members[domain].append(Member(host.id, host.name, host.is_silent, placed.adapters, placed.answers))
    return {name: Domain(name, 0, found) for name, found in members.items()}
