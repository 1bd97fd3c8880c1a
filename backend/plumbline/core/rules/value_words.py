"""How values are shown: the tokens of the catalogue in a storage engineer's words, units where they add something, and plurals."""

from functools import cache

from plumbline.core.facts.catalogue import BY_KEY

# Every token of an enumeration that is not a word by itself; a test fails where one is missing.
IN_WORDS: dict[str, str] = {
    "rx_tx": "Rx & Tx",
    "rx": "Rx only",
    "tx": "Tx only",
    "isoe": "iSOE",
    "ndis": "NDIS",
    "windows": "Windows",
    "esxi": "ESXi",
    "san_iscsi": "iSCSI SAN",
    "s2d_storage": "S2D storage",
    "2012r2": "2012 R2",
    "bcm57810": "BCM57810",
    "x520": "X520",
    "t520": "T520",
    "qle3142": "QLE3142",
    "ets": "ETS",
    "iwarp": "iWARP",
    "infiniband": "InfiniBand",
    "roce": "RoCE",
    "rocev2": "RoCEv2",
    "in_step": "in sync",
    "minutes_off": "off by more than 5 minutes",
    "too_big": "too big",
    "not_run": "not run",
    "fail_over_only": "fail over only",
    "round_robin": "round robin",
    "least_queue_depth": "least queue depth",
    "least_blocks": "least blocks",
    "highlyrestricted": "highly restricted",
    "group_policy": "group policy",
    "closest": "closest processor",
    "closest_static": "static closest processor",
    "numa_scaling": "NUMA scaling",
    "numa_scaling_static": "static NUMA scaling",
    "conservative": "conservative scaling",
    "dhcp": "set by DHCP",
}
_PLURALS = ("addresses", "buffers", "classes", "components", "features", "members", "options", "paths", "portals", "priorities", "queues",
            "sessions", "uplinks")  # fmt: skip


@cache
def unit_after(key: str) -> str:
    """The unit of a setting's number; empty where its label contains it already ("Receive buffers 512")."""
    entry = BY_KEY.get(key)
    if entry is None or {entry.unit, entry.unit.removesuffix("s")} & set(entry.label.lower().split()):
        return ""
    return entry.unit


def has_plural_label(key: str) -> bool:
    """The label names several things, so that they "are" and not "is"."""
    entry = BY_KEY.get(key)
    return entry is not None and entry.label.lower().removeprefix("active ").removesuffix(" in use").partition(" of ")[0].endswith(_PLURALS)
