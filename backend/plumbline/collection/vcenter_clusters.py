"""The cluster of a host as its vCenter tells it: a failure domain of the host, and whom it is compared with.

Every change takes the host's row, raises its version and has its newest sections read again, as every writer of findings does.
"""

from collections.abc import Sequence

from sqlmodel import Session

from plumbline import audit
from plumbline.core.facts.entered import CLUSTER, CLUSTER_FROM
from plumbline.hosts import reread
from plumbline.models import host_locks


def take_cluster(session: Session, *, actor: str, host_id: str, cluster: str, vcenter: str) -> bool:
    """Notes the cluster of one host; empty: it is in none that is known. True where that changed something.

    Take hosts in the order of their ids. A cluster that a person entered is replaced by what the vCenter says and never merely removed.
    """
    host = host_locks.lock_host(session, host_id)
    held, importer = host.overrides.get(CLUSTER, ""), host.overrides.get(CLUSTER_FROM, "")
    if (held, importer) == (cluster, vcenter) or (not cluster and importer != vcenter):
        return False
    overrides = {address: value for address, value in host.overrides.items() if address not in (CLUSTER, CLUSTER_FROM)}
    host.overrides = {**overrides, CLUSTER: cluster, CLUSTER_FROM: vcenter} if cluster else overrides
    host.state_version += 1
    session.add(host)
    session.flush()
    audit.record(
        session,
        actor=actor,
        action="host.cluster_imported" if cluster else "host.cluster_forgotten",
        object_kind="host",
        object_id=host_id,
        group_id=host.group_id,
        before={"cluster": held, "from": importer},
        after={"cluster": cluster, "from": vcenter},
    )
    reread.request_reread(session, host)
    return True


def forget_clusters(session: Session, *, actor: str, host_ids: Sequence[str], vcenter: str) -> None:
    """What this vCenter told of these hosts is no longer vouched for."""
    for host_id in sorted(set(host_ids)):
        take_cluster(session, actor=actor, host_id=host_id, cluster="", vcenter=vcenter)
