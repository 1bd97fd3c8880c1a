"""Attestations as they meet a host that is being judged."""

from collections.abc import Iterable, Sequence
from typing import Any

from plumbline.facts.attestations import Attested

# The attestation that counts for each host and rule: one that holds before one whose time is over, then the nearest scope, then the newest.
READ_ATTESTATIONS = """
SELECT DISTINCT ON (h.id, asked.rule_no) h.id, asked.rule_no, a.is_so, coalesce(nullif(p.display_name, ''), p.login, 'somebody'),
       to_char(a.made_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), to_char(a.expires_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), a.statement,
       a.state = 'expired' OR a.expires_at <= now() AS is_over
FROM host h JOIN host_group g ON g.id = h.group_id
JOIN attestation a ON a.state IN ('active', 'expired')
  AND (a.host_id = h.id OR a.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
LEFT JOIN host_group scope ON scope.id = a.group_id LEFT JOIN person p ON p.id = a.author_id
CROSS JOIN LATERAL unnest(a.rule_no || a.also_rule_nos) AS asked (rule_no)
WHERE h.id = ANY(%s)
ORDER BY h.id, asked.rule_no, is_over, (a.host_id IS NULL), length(scope.path) DESC, a.id DESC
"""


def attestations_by_host(rows: Iterable[Sequence[Any]]) -> dict[str, dict[int, Attested]]:
    """The rows of `READ_ATTESTATIONS` by host and rule number."""
    found: dict[str, dict[int, Attested]] = {}
    for host_id, rule_no, *said in rows:
        found.setdefault(host_id, {})[rule_no] = Attested(*said)
    return found
