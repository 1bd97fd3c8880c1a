"""What rules that compare hosts need of the peers: plain values, gathered beforehand.

Evaluating one host does not load the configurations of its peers: `peer_questions.py` reduces each of them to the few values that
`same_across` rules read, and combines those of a peer domain.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.facts.configuration import SettingValue


@dataclass(frozen=True, slots=True)
class PeerValue:
    """One value on another host; None where it is not known there, and `why` may give the reason.

    `more` counts further hosts with the same value that are not named: a fabric can have thousands.
    """

    host: str
    value: SettingValue | None
    why: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Peers:
    """The values of the peers of one host.

    `cluster` maps `pack/rule:setting key` to the values of the other members; None means that the members are not known.
    `fabric` maps (the same, adapter id of this host) to the values of the adapters on that adapter's fabric on other hosts.
    """

    cluster: Mapping[str, tuple[PeerValue, ...]] | None = None
    fabric: Mapping[tuple[str, str], tuple[PeerValue, ...]] | None = None

    def of(self, scope: str, address: str, key: str, subject_id: str) -> tuple[PeerValue, ...] | None:
        """The values to compare with; None where the peers are not known."""
        if scope == "cluster":
            return None if self.cluster is None else self.cluster.get(f"{address}:{key}", ())
        return None if self.fabric is None else self.fabric.get((f"{address}:{key}", subject_id), ())


NO_PEERS = Peers()
