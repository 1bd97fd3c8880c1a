"""PURE: the path of a group, the ids from the root group down to it: "1/4/9/"."""

from collections.abc import Iterable


def ids_on(path: str) -> list[int]:
    """The groups on a path, the root group first, the group itself last."""
    return [int(part) for part in path.split("/") if part]


def is_below(path: str, group_ids: Iterable[int]) -> bool:
    """Whether the group with this path is one of these groups, or below one of them."""
    return not set(ids_on(path)).isdisjoint(group_ids)
