"""PURE: the path of a group, the ids from the root group down to it: "1/4/9/"."""


def ids_on(path: str) -> list[int]:
    """The groups on a path, the root group first, the group itself last."""
    return [int(part) for part in path.split("/") if part]
