"""The path map: volume -> paths -> initiator -> source address -> adapter -> fabric.

An observation, not a setting: drift, impact and remediation all read it. Where its witnesses disagree, or a multipath module cannot
be read, its paths are unknown (`problem` says why) and nothing that would cost a path may be planned.
"""

from typing import Literal

import msgspec

PathState = Literal["healthy", "standby", "dead", "unknown"]


class Path(msgspec.Struct, frozen=True, order=True, array_like=True, gc=False):
    """One way from the host to a volume. Ids are those of the settings' subjects; empty where the host did not say."""

    volume: str
    initiator: str
    target: str
    portal: str
    source_address: str
    adapter: str
    state: PathState
    runtime_name: str = ""


class Volume(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A SAN volume as the host sees it."""

    id: str
    name: str
    size_bytes: int | None
    policy: str
    module: str


class PathMap(msgspec.Struct, frozen=True):
    """All SAN paths of one host; `problem` is empty where every witness agrees."""

    volumes: tuple[Volume, ...] = ()
    paths: tuple[Path, ...] = ()
    problem: str = ""

    def healthy(self, volume: str) -> int:
        """How many healthy paths a volume has."""
        return sum(1 for path in self.paths if path.volume == volume and path.state == "healthy")

    def without_adapter(self, volume: str, adapter: str) -> int:
        """How many healthy paths a volume surely keeps while one adapter restarts: a path over an adapter we do not know is not counted."""
        return sum(1 for path in self.paths if path.volume == volume and path.state == "healthy" and path.adapter not in ("", adapter))
