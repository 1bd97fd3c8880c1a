"""Attestations of a host that is being evaluated: one for a rule counts for all linked rules too."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from plumbline.core.facts.attestations import Attested


class Given(NamedTuple):
    """An attestation that may apply to a host, and the numbers of the rules that it was made for: its own and those linked to it then."""

    rules: tuple[int, ...]
    attested: Attested


# The attestations of each host, the one that counts first: active before expired, then the nearest scope, then the newest.
READ_ATTESTATIONS = """
SELECT h.id, a.rule_no || a.also_rule_nos, a.is_so, coalesce(nullif(p.display_name, ''), p.login, 'somebody'),
       to_char(a.made_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), to_char(a.expires_at AT TIME ZONE 'UTC', 'FMDD Mon YYYY'), a.statement,
       a.state = 'expired' OR a.expires_at <= now() AS is_over, coalesce(asked.pack || '/' || asked.rule, '')
FROM host h JOIN host_group g ON g.id = h.group_id
JOIN attestation a ON a.state IN ('active', 'expired')
  AND (a.host_id = h.id OR a.group_id = ANY(string_to_array(trim(both '/' from g.path), '/')::int[]))
LEFT JOIN host_group scope ON scope.id = a.group_id LEFT JOIN person p ON p.id = a.author_id
LEFT JOIN rule_number asked ON asked.no = a.rule_no
WHERE h.id = ANY(%s)
ORDER BY h.id, is_over, (a.host_id IS NULL), length(scope.path) DESC, a.id DESC
"""


def attestations_by_host(rows: Iterable[Sequence[Any]]) -> dict[str, list[Given]]:
    """The rows of `READ_ATTESTATIONS` by host, in their order."""
    found: dict[str, list[Given]] = {}
    for host_id, rules, *attested in rows:
        found.setdefault(host_id, []).append(Given(tuple(rules), Attested(*attested)))
    return found


def answered(given: Iterable[Given], linked_nos: Mapping[int, int]) -> dict[int, Attested]:
    """What is attested for each rule, by number: for the rules that were named, and for rules linked to them now.

    `linked_nos` is that of `GroupRules`. The first attestation of a rule counts.
    """
    found: dict[int, Attested] = {}
    for rules, attested in given:
        together = {linked_nos[no] for no in rules if no in linked_nos}
        for no in (*rules, *(no for no, number in linked_nos.items() if number in together)):
            found.setdefault(no, attested)
    return found
