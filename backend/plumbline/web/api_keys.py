"""The keys of the API, all made when its first process starts: whoever copies the folder to a second API node then copies all of them.

Made at their first use instead, they would be made by each node for itself: hosts would be refused by the other node, and workers would
refuse every plan that was approved there.
"""

import structlog

from plumbline.auth import sign_in_key
from plumbline.hosts.agent_keys import key_ring
from plumbline.infra.errors import PlumblineError
from plumbline.remediation import signing_keys

log = structlog.get_logger()


def make_keys() -> None:
    """Makes those that are not there. A folder that cannot be written is logged: what needs a missing key then says so itself."""
    for name, make in (("agent and receipt", _agent_keys), ("approvals", signing_keys.ensure_pair), ("sign-in", sign_in_key.ensure_key)):
        try:
            make()
        except (PlumblineError, OSError, ValueError) as error:
            log.error("keys of the API not made", keys=name, error=str(error))


def _agent_keys() -> object:
    return key_ring().newest
