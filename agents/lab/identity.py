"""Names and numbers of lab hosts that never change: addresses, GUIDs, IQNs, serials. All follow from the host's and the part's name."""

import hashlib
import uuid

_SPACE = uuid.UUID("8d6e1f0a-3b1c-5d5e-9a7f-0c1d2e3f4a5b")
# A subnet a group; the SAN is flat, as EqualLogic wants it.
_SUBNETS = {"PROD-A": 10, "PROD-B": 20, "HYPERV": 30, "TEST": 40}
SAN_PREFIX = 24


def digest(*parts: str) -> str:
    """Hex that follows from the parts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def mac(oui: str, host: str, part: str, nth: int = 0) -> str:
    """A MAC address, lower case without separators, under a vendor's prefix. Ports of one card follow each other."""
    mark = digest("mac", host, part)
    return f"{oui}{mark[:4]}{int(mark[4], 16):x}{nth:x}"


def guid(*parts: str) -> str:
    """A GUID in braces and capitals, as Windows prints it."""
    return "{" + str(uuid.uuid5(_SPACE, "\0".join(parts))).upper() + "}"


def san_address(group: str, host: int, port: int) -> str:
    """Address of a host's SAN port (0 or 1) in its group's SAN."""
    return f"10.{_SUBNETS.get(group, 50)}.{5}.{(host * 2 + port) % 200 + 40}"


def portals(group: str) -> list[str]:
    """The array's two iSCSI portals in a group's SAN."""
    return [f"10.{_SUBNETS.get(group, 50)}.5.11", f"10.{_SUBNETS.get(group, 50)}.5.12"]


def lan_address(group: str, host: int, port: int = 0) -> str:
    """Address of a host's LAN or storage-cluster port."""
    return f"192.168.{_SUBNETS.get(group, 50) + port}.{host + 20}"


def gateway(group: str) -> str:
    """Default gateway of a group's LAN."""
    return f"192.168.{_SUBNETS.get(group, 50)}.1"


def target_iqn(group: str, volume: str) -> str:
    """Target name of a volume, in the array vendor's form."""
    mark = digest("iqn", group, volume)
    return f"iqn.2001-05.com.equallogic:0-8a0906-{mark[:9]}-{mark[9:25]}-{volume}"


def naa(group: str, volume: str) -> str:
    """NAA identifier of a volume, 32 hex digits without the prefix."""
    return "6090a0" + digest("naa", group, volume)[:26]


def volume_size(volume: str) -> int:
    """Size in bytes, between 100 GB and 2 TB in steps of 100 GB."""
    return (int(digest("size", volume)[:4], 16) % 20 + 1) * 107_374_182_400
