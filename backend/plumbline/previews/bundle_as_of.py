"""The support bundle that a host was known from at an instant: the host itself names only its newest one, the audit log names each."""

from datetime import datetime
from typing import Any

import psycopg

from plumbline.previews.hosts_as_of import HostAt
from plumbline.previews.schemas import PastBundle

# Bound: the host, the instant, when the configuration of then was stored. An agent that took over had not checked in yet where that
# configuration is older than its enrolment.
_BUNDLE = """
SELECT a.after ->> 'bundle', (a.after ->> 'captured_at')::timestamptz, a.at
FROM audit_entry a
WHERE a.object_kind = 'host' AND a.object_id = %(host)s AND a.action IN ('host.added_from_bundle', 'host.updated_from_bundle')
  AND a.at <= %(at)s
  AND NOT EXISTS (SELECT FROM audit_entry e WHERE e.object_kind = 'host' AND e.object_id = a.object_id
                  AND e.action IN ('host.enrolled', 'host.enrolled_again') AND e.at > a.at AND e.at <= %(stored)s)
ORDER BY a.at DESC, a.id DESC LIMIT 1
"""


def bundle_at(connection: "psycopg.Connection[Any]", host: HostAt, at: datetime) -> PastBundle | None:
    """None where the host had checked in by itself by then, or was not in the fleet."""
    if host.absent:
        return None
    row = connection.execute(_BUNDLE, {"host": host.id, "at": at, "stored": host.configuration_at}).fetchone()
    return PastBundle(bundle=row[0], collected_at=row[1], added_at=row[2]) if row is not None else None
