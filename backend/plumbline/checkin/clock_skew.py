"""Compares hosts' clocks with the server's: each check-in stores the difference, and this task makes a setting of it that rules read.

A heartbeat stores the difference and evaluates nothing. The task finds hosts whose state differs from the stored one, stores the new state
with the values that people entered, and reads the hosts' newest bodies again, under the same locks as a check-in.
"""

import json

from sqlmodel import Session

from plumbline.checkin.reread import reread_hosts
from plumbline.core.facts.clock_skew import ADDRESS, BACK_BELOW_SECONDS, OFF_FROM_SECONDS, clock_state
from plumbline.evaluation.reevaluate import raw_connection

# Hosts of one transaction.
CHUNK = 200

_CHANGED = """
SELECT id, source, skew_seconds, overrides ->> %(address)s FROM host
WHERE state = 'active' AND configuration_id IS NOT NULL AND CASE
  WHEN source <> 'agent' THEN overrides ->> %(address)s IS DISTINCT FROM 'not_compared'
  WHEN skew_seconds IS NULL THEN FALSE
  WHEN abs(skew_seconds) > %(off)s THEN overrides ->> %(address)s IS DISTINCT FROM 'minutes_off'
  WHEN abs(skew_seconds) <= %(back)s THEN overrides ->> %(address)s IS DISTINCT FROM 'in_step'
  ELSE overrides ->> %(address)s IS NULL OR overrides ->> %(address)s = 'not_compared' END
ORDER BY id LIMIT %(chunk)s FOR NO KEY UPDATE
"""
_SET_STATE = "UPDATE host SET overrides = overrides || %s::jsonb, state_version = state_version + 1 WHERE id = %s"


def compare_clocks(session: Session) -> int:
    """Stores the new clock state of the next hosts where it changed, and evaluates them; returns how many there were."""
    connection = raw_connection(session)
    bound = {"address": ADDRESS, "off": OFF_FROM_SECONDS, "back": BACK_BELOW_SECONDS, "chunk": CHUNK}
    changed = connection.execute(_CHANGED, bound).fetchall()
    for host_id, source, skew, before in changed:
        state = clock_state(skew, before) if source == "agent" else "not_compared"
        connection.execute(_SET_STATE, (json.dumps({ADDRESS: state}), host_id))
    if changed:
        reread_hosts(session, [row[0] for row in changed], detail="compared with the server's clock")
    return len(changed)
