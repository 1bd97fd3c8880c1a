"""Reads printed outputs of Windows commands for the tests of this folder."""

from typing import Any

from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures.folder import Captured, read_files
from plumbline.core.facts.configuration import Value
from tests.core.facts.builders import at

ADAPTERS = """
Name                      InterfaceDescription                    ifIndex Status       MacAddress             LinkSpeed
----                      --------------------                    ------- ------       ----------             ---------
SLOT 3 Port 1             QLogic BCM57810 10 Gigabit Ethern...#45      12 Up           02-0A-F7-11-22-33        10 Gbps
Ethernet 2                Intel(R) X520                                14 Disconnected 02-50-56-A0-12-34          0 bps
LAN 3                     Intel(R) I350                                15 Disabled     02-50-56-A0-12-35          0 bps
vEthernet (SAN)           Hyper-V Virtual Ethernet Adapter             21 Up           02-15-5D-00-01-02        2,5 Gbps
"""


def captured(**texts: str | bytes) -> Captured:
    """The given texts as files of one host; `_` in a key means `-`."""
    files = {
        f"windows__{name.replace('_', '-')}__x.txt": text if isinstance(text, bytes) else text.encode() for name, text in texts.items()
    }
    folder = read_files(files)
    assert folder.unknown_names == ()
    return folder.captured[0]


def read(**texts: str | bytes) -> Assembled:
    """The host of these texts; each must have been read."""
    found = captured(**texts)
    assert found.unread == ()
    assembled = assemble("windows", found.sections)
    assert assembled.internal_errors == ()
    return assembled


def values_at(assembled: Assembled, *addresses: str) -> list[Any]:
    """The values at these addresses, a reading that is none as it is."""
    readings = [at(assembled.configuration, address) for address in addresses]
    return [reading.value if isinstance(reading, Value) else reading for reading in readings]
