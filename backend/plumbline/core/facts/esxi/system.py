"""Section `system`: what the machine is, its state, boot from SAN by the iBFT, public host keys."""

import re

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Unknown
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.readers import rows, scalar
from plumbline.core.facts.esxi.values import as_bool

VERSION = "esxcli system version get"
HOSTNAME = "esxcli system hostname get"
PLATFORM = "esxcli hardware platform get"
MAINTENANCE = "esxcli system maintenanceMode get"
LOCKDOWN = "vim-cmd -U dcui vimsvc/auth/lockdown_is_enabled"
SUMMARY = "vim-cmd hostsvc/hostsummary"
IBFT = "esxcli iscsi ibftboot get"
BOOT_BANK = "vmkfstools -P /bootbank"

_CLUSTER_UNKNOWN = "ESXi doesn't report its cluster; import it from vCenter or enter it"

RELEASES = ("5.0", "5.1", "5.5", "6.0", "6.5", "6.7", "7.0", "8.0", "9.0")


def parse(body: Body) -> Facts:
    """Settings of the host itself. Observations: `ibft`, whether the firmware's iSCSI boot table names a target, None where unread;
    `boot_disks`, the disks that hold the boot files."""
    sink = Sink(body)
    _version(body, sink)
    _names(body, sink)
    _states(body, sink)
    # vSphere clusters are known to vCenter, not to the host. Until the name is imported or entered it is unknown, and membership is not
    # offered: otherwise every rule that compares a cluster would be unknown on a standalone host for ever (docs/adr/0017).
    sink.set(HOST, "cluster", Unknown(_CLUSTER_UNKNOWN))
    sink.set(HOST, "is_clustered", NotOffered(_CLUSTER_UNKNOWN))
    sink.facts.observations["ibft"] = _boots_by_ibft(body.find(IBFT))
    sink.facts.observations["boot_disks"] = _boot_disks(body.find(BOOT_BANK))
    return sink.facts


def _version(body: Body, sink: Sink) -> None:
    entry = body.find(VERSION)
    record = next(iter(rows(entry)), None)
    if entry is None:
        return
    if record is None:
        sink.unknown(HOST, ("os_version", "os_build", "os_release", "os_name"), entry.why_not, entry)
        return
    sink.value(HOST, "platform", "esxi", entry, record.title("Product"), record.get("Product") or "")
    product, version, build = (record.get(title) or "" for title in ("Product", "Version", "Build"))
    if version:
        sink.value(HOST, "os_version", version, entry, record.title("Version"), version)
        release = ".".join(version.split(".")[:2])
        if release in RELEASES:
            sink.value(HOST, "os_release", release, entry, record.title("Version"), version)
            sink.value(HOST, "os_name", f"{product or 'VMware ESXi'} {release}", entry, record.title("Product"), product)
        else:
            sink.unknown(HOST, ("os_release",), f"version {version} is none that Plumbline knows", entry)
    number = re.search(r"(\d{4,})\s*$", build)
    if number:
        sink.value(HOST, "os_build", int(number.group(1)), entry, record.title("Build"), build)


def _names(body: Body, sink: Sink) -> None:
    entry = body.find(HOSTNAME)
    for record in rows(entry)[:1]:
        assert entry is not None
        for key, title in (("name", "Host Name"), ("domain", "Domain Name")):
            text = record.get(title)
            if text is not None:
                sink.value(HOST, key, text, entry, record.title(title), text)
    entry = body.find(PLATFORM)
    for record in rows(entry)[:1]:
        assert entry is not None
        for key, title in (("manufacturer", "Vendor Name"), ("model", "Product Name")):
            text = record.get(title)
            if text:
                sink.value(HOST, key, text, entry, record.title(title), text)


def _states(body: Body, sink: Sink) -> None:
    for key, command in (("maintenance_mode", MAINTENANCE), ("lockdown", LOCKDOWN)):
        entry = body.find(command)
        if entry is None:
            continue
        text = scalar(entry)
        value = as_bool(text)
        if value is None:
            sink.unknown(HOST, (key,), f"{entry.line}: {text!r} is neither yes nor no" if entry.is_ok else entry.why_not, entry)
        else:
            sink.value(HOST, key, value, entry, "", text or "")
    summary = body.find(SUMMARY)
    if summary is not None:
        match = re.search(r"\brebootRequired = (true|false)", summary.output)
        if match:
            sink.value(HOST, "pending_reboot", match.group(1) == "true", summary, "rebootRequired", match.group(1))
        else:
            sink.set(
                HOST, "pending_reboot", Unknown(summary.why_not if not summary.is_ok else f"{summary.line}: rebootRequired is not reported")
            )


def _boot_disks(entry: Entry | None) -> tuple[str, ...]:
    """The disks below the file system of the boot files: lines like `naa.6001:5`, of which the last figure is the partition."""
    if entry is None or not entry.is_ok:
        return ()
    return tuple(dict.fromkeys(re.findall(r"^\s*((?:naa|eui|t10|mpx)\.\S+):\d+\s*$", entry.output, re.M)))


def _boots_by_ibft(entry: Entry | None) -> bool | None:
    """True where the table names an iSCSI target; no words are matched, only the form of a target's name.

    The command fails on a host whose firmware has no such table: that host does not boot by it. A command without an answer shows nothing.
    """
    if entry is None or (not entry.is_ok and entry.exit is None):
        return None
    return bool(re.search(r"\b(iqn\.\d{4}-\d{2}\.|eui\.[0-9a-fA-F]{16})", entry.output))
