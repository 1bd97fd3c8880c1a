"""Adapter family from PnP id and driver file, never from the product name.

Ids are those of the public PCI id list (pci-ids.ucw.cz). A function that a vendor's own bus driver enumerates carries its PCI id in
another order (`...&PCI_168E14E4&...`: device, then vendor), and both are read.
"""

import re

# BCM57810 and the controllers of the same generation that the same driver serves: 57800, 57810, 57811, 57840, each with the
# multi-function (NPAR) id. Virtual functions are left out: they have no settings of their own.
_BCM57810 = frozenset({"168e", "16ae", "163d", "163e", "168a", "16a5", "16a9", "168d", "16a1", "16a2", "16a4", "16ab"})
# Intel 82599, the controller of the X520 cards, in its media variants (SFP+, KX4, KR, combo backplane, CX4, T3, FCoE, QSFP).
_X520 = frozenset(
    {"10f7", "10f8", "10f9", "10fb", "10fc", "1507", "1514", "1517", "151c", "1529", "152a", "154a", "154d", "154f", "1557", "1558"}
)
# Chelsio T5 cards with two 10 Gb ports: the last two digits name the card, the second the function (4: Ethernet, 0: bus).
_T520 = frozenset({"01", "04", "07", "08", "09", "11", "17", "1b"})
# NetXen NX3031, the controller of QLogic's 3000 and 3100 series (QLE3044, QLE3142).
_QLE3142 = frozenset({"0100"})

_PCI = re.compile(r"ven_([0-9a-f]{4})&dev_([0-9a-f]{4})", re.IGNORECASE)
_BUS_DRIVER = re.compile(r"pci_([0-9a-f]{4})([0-9a-f]{4})", re.IGNORECASE)

# Names of driver files are from practice, not verified on a host: they count only where the PnP id has no vendor and device.
# An empty family is one of several: Chelsio's bus driver and the one that comes with Windows serve every generation of its cards.
_BY_DRIVER: tuple[tuple[str, str], ...] = (
    ("bxnd", "bcm57810"),
    ("l2nd", "bcm57810"),
    ("bxvbd", "bcm57810"),
    ("bxois", "bcm57810"),
    ("ixn", "x520"),
    ("ixgbn", "x520"),
    ("cht5", "t520"),
    ("chnet", "t520"),
    ("chvbd", ""),
    ("cht4", ""),
    ("qlxgnd", "qle3142"),
    ("nxnd", "qle3142"),
    ("nx_nic", "qle3142"),
)


def pci_ids(pnp_id: str) -> tuple[str, str]:
    """Vendor and device of a PnP id, four lower-case hex digits each; two empty texts where it holds none."""
    found = _PCI.search(pnp_id)
    if found:
        return found.group(1).lower(), found.group(2).lower()
    found = _BUS_DRIVER.search(pnp_id)
    return (found.group(2).lower(), found.group(1).lower()) if found else ("", "")


def family_of_pci(vendor: str, device: str) -> str:
    """The family of a PCI vendor and device; `other` where it is none of the papers' families."""
    if vendor == "14e4" and device in _BCM57810:
        return "bcm57810"
    if vendor == "8086" and device in _X520:
        return "x520"
    if vendor == "1425" and device[:1] == "5" and device[1:2] in ("0", "4") and device[2:] in _T520:
        return "t520"
    if vendor == "4040" and device in _QLE3142:
        return "qle3142"
    return "other"


def family_of(pnp_id: str, driver_file: str) -> str | None:
    """The family of an adapter by PnP id, else by driver file; None where neither is known."""
    vendor, device = pci_ids(pnp_id)
    if vendor:
        return family_of_pci(vendor, device)
    name = driver_file.lower()
    for beginning, family in _BY_DRIVER:
        if name.startswith(beginning):
            return family or None
    return "other" if pnp_id or name else None
