"""The cluster of a host as its vCenter reports it: it is a failure domain of the host and says which hosts are its peers.

Every change locks the host's row, raises its version and has its newest sections read again, as every writer of findings does.
"""

from collections.abc import Sequence

from sqlmodel import Session

from plumbline import audit
from plumbline.core.facts.entered import CLUSTER, CLUSTER_FROM
from plumbline.hosts import reread
from plumbline.models import host_locks


def set_cluster(session: Session, *, actor: str, host_id: str, cluster: str, vcenter: str) -> bool:
    """Stores the cluster of one host, empty for none; true where that changed something.

    Call it for hosts in the order of their ids. A vCenter's cluster replaces one that a person entered; an empty one does not remove it.
    """
    host = host_locks.lock_host(session, host_id)
    stored, importer = host.overrides.get(CLUSTER, ""), host.overrides.get(CLUSTER_FROM, "")
    if (stored, importer) == (cluster, vcenter) or (not cluster and importer != vcenter):
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
        about=audit.Object("host", host_id, host.group_id),
        before={"cluster": stored, "from": importer},
        after={"cluster": cluster, "from": vcenter},
    )
    reread.request_reread(session, host)
    return True


def forget_clusters(session: Session, *, actor: str, host_ids: Sequence[str], vcenter: str) -> None:
    """Removes the clusters that came from this vCenter."""
    for host_id in sorted(set(host_ids)):
        set_cluster(session, actor=actor, host_id=host_id, cluster="", vcenter=vcenter)
