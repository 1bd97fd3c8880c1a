"""Hosts as of an instant: which were known, in which group, with which configuration, and how the rules of then evaluate them.

The tree of groups is today's; the group of each host is that of the instant. A host that was not known, not approved, retired or not read
by then is absent, with the reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from plumbline.core.facts.document import Document
from plumbline.core.rules.peers import NO_PEERS
from plumbline.evaluation.attestations_in_force import attestations_by_host
from plumbline.evaluation.evaluate import Context, evaluate_host
from plumbline.evaluation.findings import Evaluation
from plumbline.evaluation.inputs import read_documents
from plumbline.evaluation.waivers_in_force import tripped_waivers, waivers_by_host
from plumbline.packs.in_force import NO_RULES, ActiveRules, GroupRules
from plumbline.previews.hosts_as_of import HostAt, unread_at
from plumbline.previews.peers_as_of import peers_at

# As `waivers_in_force.READ_WAIVERS`, with the instant in the place of now. Bound: hosts, their groups then, the instant.
_WAIVERS = """
SELECT h.id, w.id, asked.rule_no, w.subject_kind, w.subject_id, coalesce(mine.wires, w.trip_wires)
FROM unnest(%(hosts)s::text[], %(groups)s::int[]) AS h (id, group_id) JOIN host_group g ON g.id = h.group_id
JOIN waiver w ON w.approved_at <= %(at)s AND w.expires_at > %(at)s AND (w.ended_at IS NULL OR w.ended_at > %(at)s) AND (
  w.host_id = h.id
  OR (NOT w.is_listed AND w.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
  OR (w.is_listed AND EXISTS (SELECT FROM waiver_host l WHERE l.waiver_id = w.id AND l.host_id = h.id)))
LEFT JOIN waiver_host mine ON mine.waiver_id = w.id AND mine.host_id = h.id
CROSS JOIN LATERAL unnest(w.rule_no || w.also_rule_nos) AS asked (rule_no)
WHERE mine.tripped_at IS NULL OR mine.tripped_at > %(at)s ORDER BY w.id, asked.rule_no
"""
# As `attestations_in_force.READ_ATTESTATIONS`, likewise.
_ATTESTATIONS = """
SELECT h.id, a.rule_no || a.also_rule_nos, a.is_so, coalesce(nullif(p.display_name, ''), p.login, 'somebody'),
       to_char(a.made_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), to_char(a.expires_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), a.statement,
       a.expires_at <= %(at)s AS is_over, coalesce(asked.pack || '/' || asked.rule, '')
FROM unnest(%(hosts)s::text[], %(groups)s::int[]) AS h (id, group_id) JOIN host_group g ON g.id = h.group_id
JOIN attestation a ON a.made_at <= %(at)s AND (a.ended_at IS NULL OR a.ended_at > %(at)s OR a.state = 'expired')
  AND (a.host_id = h.id OR a.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
LEFT JOIN host_group scope ON scope.id = a.group_id LEFT JOIN person p ON p.id = a.author_id
LEFT JOIN rule_number asked ON asked.no = a.rule_no
ORDER BY h.id, is_over, (a.host_id IS NULL), length(scope.path) DESC, a.id DESC
"""


@dataclass(frozen=True, slots=True)
class EvaluatedAt:
    """The evaluation of a host as of the instant, the configuration that was evaluated, and what else it rests on."""

    document: Document
    evaluation: Evaluation
    context: Context
    rules: GroupRules


def evaluate_at(connection: "psycopg.Connection[Any]", hosts: Sequence[HostAt], rules: ActiveRules, at: datetime) -> dict[str, EvaluatedAt]:
    """Evaluates the hosts that were there, with the waivers and attestations that were active then. Writes nothing.

    A host whose stored configuration can no longer be read is left out.
    """
    there = [host for host in hosts if not host.absent]
    if not there:
        return {}
    documents = read_documents(connection, [host.configuration_id for host in there if host.configuration_id is not None])
    scope = {"hosts": [host.id for host in there], "groups": [host.group_id for host in there], "at": at}
    waivers = waivers_by_host(connection.execute(_WAIVERS, scope))
    attestations = attestations_by_host(connection.execute(_ATTESTATIONS, scope))
    unread = unread_at(connection, there)
    peers = peers_at(connection, there, documents, unread, rules, at)
    evaluated = {}
    for host in there:
        document = documents.get(host.id)
        if document is None:
            continue
        own = waivers.get(host.id, [])
        ended = tripped_waivers(own, document.configuration)
        context = Context(
            unread[host.id],
            peers.get(host.id, NO_PEERS),
            [waiver for waiver in own if waiver.id not in ended],
            attestations.get(host.id, ()),
        )
        in_force = rules.by_group.get(host.group_id, NO_RULES)
        evaluated[host.id] = EvaluatedAt(document, evaluate_host(in_force, document.configuration, context), context, in_force)
    return evaluated
