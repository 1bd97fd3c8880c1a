"""Compares hosts' clocks with the server's: from the difference that each check-in leaves in its row to a setting that rules read.

A heartbeat writes the difference and evaluates nothing. This sweep looks for hosts whose state has turned since, notes it beside their
sections and reads their newest bodies again, under the same locks as everywhere.
"""

import json

from sqlmodel import Session

from plumbline.checkin.reread import reread_hosts
from plumbline.core.facts.clock_skew import ADDRESS, BACK_BELOW_SECONDS, OFF_FROM_SECONDS, clock_state
from plumbline.evaluation.reevaluate import raw_connection

# Hosts of one transaction.
CHUNK = 200

_TURNED = """
SELECT id, source, skew_seconds, overrides ->> %(address)s FROM host
WHERE state = 'active' AND configuration_id IS NOT NULL AND CASE
  WHEN source <> 'agent' THEN overrides ->> %(address)s IS DISTINCT FROM 'not_compared'
  WHEN skew_seconds IS NULL THEN FALSE
  WHEN abs(skew_seconds) > %(off)s THEN overrides ->> %(address)s IS DISTINCT FROM 'minutes_off'
  WHEN abs(skew_seconds) <= %(back)s THEN overrides ->> %(address)s IS DISTINCT FROM 'in_step'
  ELSE overrides ->> %(address)s IS NULL OR overrides ->> %(address)s = 'not_compared' END
ORDER BY id LIMIT %(chunk)s FOR NO KEY UPDATE
"""
_NOTE = "UPDATE host SET overrides = overrides || %s::jsonb, state_version = state_version + 1 WHERE id = %s"


def compare_clocks(session: Session) -> int:
    """Notes and evaluates the next hosts whose clock went out of step or came back; answers how many there were."""
    connection = raw_connection(session)
    bound = {"address": ADDRESS, "off": OFF_FROM_SECONDS, "back": BACK_BELOW_SECONDS, "chunk": CHUNK}
    turned = connection.execute(_TURNED, bound).fetchall()
    for host_id, source, skew, before in turned:
        state = clock_state(skew, before) if source == "agent" else "not_compared"
        connection.execute(_NOTE, (json.dumps({ADDRESS: state}), host_id))
    if turned:
        reread_hosts(session, [row[0] for row in turned], detail="compared with the server's clock")
    return len(turned)
