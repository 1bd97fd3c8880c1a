"""The database of ESXi's iSCSI daemon as `vmkiscsid --dump-db` prints it: parameters of initiators and targets, and bound interfaces.

Only the keys below are read. Names and passwords of CHAP stand in the same file: older daemons print them in clear.
"""

import re

from plumbline.core.facts.bundles.hosts import is_secret

_SECTION = re.compile(r"^=+\[([\w ]+)\]=+\s*$")
_BETWEEN = re.compile(r"^=+\s*$")
_ENTRY = re.compile(r"^\s*`([\w.\[\]]+)`\s*=\s*(?:'(.*)'|\[(NOT SET|REDACTED)\])\s*$")
_KEYS = {
    "transport.name",
    "node.name",
    "node.conn[0].address",
    "node.conn[0].port",
    "node.conn[0].timeo.login_timeout",
    "node.conn[0].iscsi.DelayedAck",
    "iface.iscsi_ifacename",
    "iface.net_ifacename",
}
_FIRST = {"InitiatorNodes": "transport.name", "Targets": "node.name", "ifaces": "iface.iscsi_ifacename"}

DELAYED_ACK, LOGIN_TIMEOUT = "node.conn[0].iscsi.DelayedAck", "node.conn[0].timeo.login_timeout"


def read_database(text: str) -> dict[str, list[dict[str, str]]]:
    """Section -> its records: key -> value. A record begins with a row of equals signs, or where a key comes again."""
    found: dict[str, list[dict[str, str]]] = {}
    section = ""
    record: dict[str, str] = {}
    for line in text.split("\n"):
        heading = _SECTION.match(line)
        if heading or _BETWEEN.match(line):
            if record:
                found.setdefault(section, []).append(record)
            record = {}
            section = heading.group(1) if heading else section
            continue
        entry = _ENTRY.match(line)
        if entry is None or entry.group(1) not in _KEYS or entry.group(2) is None or is_secret(line):
            continue
        key = entry.group(1)
        if key in record or (record and key == _FIRST.get(section)):
            found.setdefault(section, []).append(record)
            record = {}
        record[key] = entry.group(2)
    if record:
        found.setdefault(section, []).append(record)
    return found


def as_on_off(raw: str) -> str:
    """The daemon's 0 and 1 as esxcli prints them; any other word stays as it is, and then is not understood."""
    return {"0": "false", "1": "true"}.get(raw, raw)
