"""What a new installation still needs, in the order in which an admin sets it up."""

from sqlmodel import Session

from plumbline.core.texts import counted
from plumbline.fleet.schemas import FirstStep, FirstSteps
from plumbline.infra.database import sql

# One row of counts. Hosts of the lab count too: the demo is set up.
_DONE = sql(
    "SELECT (SELECT count(*) FROM host_group WHERE parent_id IS NOT NULL) AS groups,"
    " (SELECT count(*) FROM enrolment_token WHERE host_id IS NULL) AS tokens,"
    " (SELECT count(*) FROM host WHERE last_seen_at IS NOT NULL AND state <> 'retired') AS hosts,"
    " (SELECT count(*) FROM vault_secret WHERE purpose IN ('collection', 'remediation') AND stopped_at IS NULL) AS credentials,"
    " (SELECT count(*) FROM notice_channel WHERE way NOT IN ('heartbeat', 'ticket') AND is_enabled AND removed_at IS NULL) AS channels,"
    " (SELECT count(*) FROM notice_channel WHERE way = 'heartbeat' AND is_enabled AND removed_at IS NULL) AS heartbeats,"
    " (SELECT max(at) FROM audit_entry WHERE action = 'installation.backed_up') AS backed_up_at"
)


def read_first_steps(session: Session) -> FirstSteps:
    """Each step with its state. One query."""
    done = session.execute(_DONE).one()
    counts = {
        "group": (done.groups, "group"),
        "token": (done.tokens, "token"),
        "host": (done.hosts, "host"),
        "credential": (done.credentials, "credential"),
        "notifications": (done.channels, "channel"),
        "heartbeat": (done.heartbeats, "heartbeat"),
    }
    items = [
        FirstStep.model_validate({"step": step, "is_done": number > 0, "words": counted(number, one) if number else ""})
        for step, (number, one) in counts.items()
    ]
    items.append(FirstStep(step="backup", is_done=done.backed_up_at is not None, words="", at=done.backed_up_at))
    return FirstSteps(items=items)
