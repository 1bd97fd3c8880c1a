"""Parameters of iSCSI initiators and targets, and sessions, from what a vm-support bundle tells in place of `esxcli iscsi`."""

from typing import Any

import msgspec

from plumbline.core.facts.bundles.hosts import EsxiReads
from plumbline.core.facts.bundles.iscsi_database import DELAYED_ACK, LOGIN_TIMEOUT, as_on_off
from plumbline.core.facts.esxi import iscsi

# Titles of esxcli -> key of the host's API.
_OPTIONS = {
    "DelayedAck": "DelayedAck",
    "LoginTimeout": "LoginTimeout",
    "NoopOutInterval": "NoopInterval",
    "NoopOutTimeout": "NoopTimeout",
    "RecoveryTimeout": "RecoveryTimeout",
    "MaxCmds": "MaxCommands",
}
_LOOKED = "not in the bundle: commands/vmware-vimdump_-o----U-dcui.txt and commands/vmkiscsid_--dump-db.txt were looked for"


class Sources(msgspec.Struct):
    """What the two files hold: adapters of the host's API, records of the daemon's database, and the members they came from."""

    hbas: list[dict[str, Any]]
    hbas_from: str
    database: dict[str, list[dict[str, str]]]
    database_from: str


def set_parameters(reads: EsxiReads, sources: Sources, adapters: list[dict[str, str]], paths: list[tuple[str, str, str, str]]) -> None:
    """Adds parameters, portals and sessions. Where both files tell a parameter and disagree, its value is both, and is not understood."""
    by_name = {str(hba.get("device")): hba for hba in reversed(sources.hbas)}
    nodes = {
        (node.get("transport.name", ""), node.get("node.name", "")): node for node in reversed(sources.database.get("InitiatorNodes", []))
    }
    for adapter in adapters:
        name = adapter["name"]
        line = f"{iscsi.PARAMETERS} -A {name}"
        hba = by_name.get(name, {})
        node = nodes.get((adapter["driver"], adapter["iqn"])) or {}
        rows, member = _rows(_options(hba.get("advancedOptions")), node, sources)
        if rows:
            reads.records(iscsi.PARAMETERS, rows, member, line=line, is_partial=True)
        else:
            reads.missing(iscsi.PARAMETERS, _LOOKED, line=line)
    _targets(reads, sources, adapters, by_name)
    _sessions(reads, adapters, paths)


def _options(listed: Any) -> dict[str, dict[str, Any]]:
    """The options of an adapter or target by key."""
    return {str(one["key"]): one for one in listed or [] if isinstance(one, dict) and one.get("key") and one.get("value") is not None}


def _rows(options: dict[str, dict[str, Any]], node: dict[str, str], sources: Sources) -> tuple[list[dict[str, str]], str]:
    """The parameters as esxcli lists them, and the member that told them."""
    daemon = {}
    if DELAYED_ACK in node:
        daemon["DelayedAck"] = as_on_off(node[DELAYED_ACK])
    if LOGIN_TIMEOUT in node:
        daemon["LoginTimeout"] = node[LOGIN_TIMEOUT]
    rows = []
    for title, key in _OPTIONS.items():
        option = options.get(key) or options.get(title)
        told = _printed(option["value"]) if option else ""
        current = told or daemon.get(title, "")
        if told and title in daemon and daemon[title] != told:
            current = f"{told} in {sources.hbas_from}, {daemon[title]} in {sources.database_from}"
        if current:
            row = {"Name": title, "Current": current}
            if option and isinstance(option.get("isInherited"), bool):
                row["Inherit"] = _printed(option["isInherited"])
            rows.append(row)
    return rows, sources.hbas_from if options else sources.database_from


def _printed(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _targets(reads: EsxiReads, sources: Sources, adapters: list[dict[str, str]], by_name: dict[str, dict[str, Any]]) -> None:
    portals: list[dict[str, Any]] = []
    member = sources.hbas_from
    names = {adapter["name"] for adapter in adapters}
    for name, hba in by_name.items():
        for target in hba.get("configuredStaticTarget") or []:
            if not isinstance(target, dict) or not target.get("iScsiName") or name not in names:
                continue
            portals.append(
                {"Adapter": name, "Target": target["iScsiName"], "IP": target.get("address") or "", "Port": target.get("port") or ""}
            )
            _target(reads, sources, portals[-1], _options(target.get("advancedOptions")), {})
    if not portals:
        # The database does not say which adapter a target is of: it is clear where there is one.
        software = [adapter["name"] for adapter in adapters if adapter["driver"] == iscsi.SOFTWARE_DRIVER]
        for record in sources.database.get("Targets", []) if len(software) == 1 and len(adapters) == 1 else []:
            if record.get("node.name") and record.get("node.conn[0].address"):
                member = sources.database_from
                portals.append(
                    {
                        "Adapter": software[0],
                        "Target": record["node.name"],
                        "IP": record["node.conn[0].address"],
                        "Port": record.get("node.conn[0].port", ""),
                    }
                )
                _target(reads, sources, portals[-1], {}, record)
    if portals:
        reads.records(iscsi.PORTALS, portals, member)
    elif adapters:
        reads.missing(iscsi.PORTALS, _LOOKED)
    else:
        reads.records(iscsi.PORTALS, [], "")


def _target(reads: EsxiReads, sources: Sources, portal: dict[str, Any], options: dict[str, dict[str, Any]], record: dict[str, str]) -> None:
    rows, member = _rows(options, record, sources)
    address = f"{portal['IP']}:{portal['Port']}" if portal["Port"] else str(portal["IP"])
    line = f"{iscsi.TARGET_PARAMETERS} -A {portal['Adapter']} -a {address} -n {portal['Target']}"
    if rows and " " not in str(portal["Target"]):
        reads.records(iscsi.TARGET_PARAMETERS, rows, member, line=line, is_partial=True)


def _sessions(reads: EsxiReads, adapters: list[dict[str, str]], paths: list[tuple[str, str, str, str]]) -> None:
    """Every path names its session. A session without a path is not listed: the list is no whole one."""
    if reads.has(iscsi.SESSIONS):
        return
    if paths:
        rows = [{"Adapter": vmhba, "Target": target, "ISID": isid} for vmhba, target, isid in dict.fromkeys(path[:3] for path in paths)]
        reads.records(iscsi.SESSIONS, rows, paths[0][3], is_partial=True)
    elif adapters:
        reads.missing(iscsi.SESSIONS, "not in the bundle: commands/localcli_storage-core-path-list.txt was looked for")
    else:
        reads.records(iscsi.SESSIONS, [], "")
