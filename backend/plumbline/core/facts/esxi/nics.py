"""Section `nics`: the network adapters, their drivers and PCI ids. It alone knows the permanent MAC that gives an adapter its id."""

import re
from collections import Counter
from dataclasses import dataclass

from plumbline.core.facts.configuration import Facts, NotOffered, Reading, Subject, Unknown, Value
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.esxcfg import nic_rows
from plumbline.core.facts.esxi.network_hints import set_hints
from plumbline.core.facts.esxi.readers import Record, rows
from plumbline.core.facts.esxi.values import as_bool, as_int, is_nothing, natural, pause, pci_location
from plumbline.core.facts.windows.families import family_of_pci

NIC_LIST = "esxcli network nic list"
NIC_GET = "esxcli network nic get"
NICS_OLD = "esxcfg-nics -l"
LISTS = frozenset({NIC_LIST, NICS_OLD})
DRIVER_OLD = "ethtool -i"
PCI_LIST = "lspci -p"
PCI_LIST_SHORT = "lspci -n"
# Where lspci was not run: the same ids, by the kernel's name of the adapter.
PCI_DEVICES = "esxcli hardware pci list"

# `vmnic4`, `vusb0`: the kernel's names end with a number. What a broken line left of a row does not.
_NAME = re.compile(r"^[A-Za-z][\w.-]*\d$")
# Drivers that serve no adapter of the papers' four families: without PCI ids they still mean `other`.
_OTHER_NAMES = (
    "tg3 ntg3 igb igbn e1000 e1000e ne1000 i40e i40en icen iavmd bnxtnet bnx2 nmlx4_en nmlx5_core be2net elxnet vmxnet3 nvmxnet3 enic "
    "nenic atlantic r8168 r8169 cdce usbnet cdc_ether uether vmkusb_nic_fling qedentv"
)
_OTHER_DRIVERS = frozenset(_OTHER_NAMES.split())


@dataclass(frozen=True, slots=True)
class Nic:
    """One adapter as other sections name it (`vmnic4`) and as its settings are addressed."""

    name: str
    subject: Subject
    driver: str
    pci: str
    mac: str


def parse(body: Body) -> Facts:
    """Observations: `nics` (name -> Nic), `pause` (name -> readings of `nic get`; those of the tuning section take precedence)."""
    sink = Sink(body)
    entry, records = _listed(body)
    nics: dict[str, Nic] = {}
    if entry is not None:
        shared = _shared([record.get("MAC Address") or "" for record in records])
        for record in records:
            nic = _nic(record, shared)
            if nic is None:
                sink.problem(f"{entry.line}: {(record.get('Name') or '')[:40]!r} is no adapter's name, and its row is left out")
            else:
                nics[nic.name] = nic
                _identity(sink, entry, record, nic)
        if not records:
            sink.problem(f"{entry.line}: no adapter could be read from it")
    pauses: dict[str, dict[str, Reading]] = {}
    listed = frozenset(nics)
    for detail in body.each(NIC_GET):
        _detail(sink, detail, nics, pauses, listed)
    for detail in body.each(DRIVER_OLD):
        _driver(sink, detail, nics, listed)
    _families(sink, body, nics)
    set_hints(sink, body, {name: nic.subject for name, nic in nics.items()})
    sink.facts.observations["nics"] = nics
    sink.facts.observations["pause"] = pauses
    return sink.facts


def _listed(body: Body) -> tuple[Entry | None, list[Record]]:
    for words in (NIC_LIST, NICS_OLD):
        entry = body.find(words)
        if entry is not None and entry.is_ok:
            # Read by form where a heading is missing, as in what a filter left of the list.
            records = [record for record in rows(entry) if record.get("Name") and record.has("Driver")] or nic_rows(entry.output)
            if records:
                return entry, records
    return body.find(NIC_LIST) or body.find(NICS_OLD), []


def _hex(mac: str) -> str:
    return re.sub(r"[^0-9a-f]", "", mac.lower())


def _shared(macs: list[str]) -> set[str]:
    """Addresses that more than one adapter shows: masked in the copied output, so no adapter's id."""
    return {mac for mac, times in Counter(_hex(mac) for mac in macs).items() if times > 1}


def subject_of(name: str, mac: str, pci: str, shared: set[str]) -> Subject:
    """An adapter's address: its permanent MAC; masked or missing: its PCI location; neither: its name."""
    plain = _hex(mac)
    is_masked = len(plain) != 12 or plain in shared or plain in ("000000000000", "ffffffffffff") or re.search(r"[xX*]", mac) is not None
    return Subject("adapter", plain if not is_masked else pci or name)


def _nic(record: Record, shared: set[str]) -> Nic | None:
    name = (record.get("Name") or "").strip()
    if not _NAME.match(name):
        return None
    pci = pci_location(record.get("PCI Device", "PCI"))
    mac = record.get("MAC Address") or ""
    return Nic(name, subject_of(name, mac, pci, shared), (record.get("Driver") or "").strip(), pci, mac)


def _identity(sink: Sink, entry: Entry, record: Record, nic: Nic) -> None:
    subject = nic.subject

    def set_value(key: str, value: bool | int | str, *titles: str) -> None:
        sink.value(subject, key, value, entry, record.title(*titles), record.get(*titles) or "")

    set_value("name", nic.name, "Name")
    if subject.id == _hex(nic.mac):
        set_value("mac", nic.mac.lower(), "MAC Address")
    else:
        sink.unknown(subject, ("mac",), "MAC address masked or missing in the output", entry)
    text = record.get("Description")
    if text:
        set_value("description", text, "Description")
    if nic.pci:
        set_value("pci", nic.pci, "PCI Device", "PCI")
        set_value("is_virtual", False, "PCI Device", "PCI")
    else:
        sink.not_offered(subject, ("pci",), f"no PCI device: {record.get('PCI Device', 'PCI') or 'not reported'}", entry)
    if nic.driver:
        set_value("driver", nic.driver, "Driver")
    admin = as_bool(record.get("Admin Status"))
    if admin is not None:
        set_value("admin_up", admin, "Admin Status")
    elif not record.has("Admin Status"):
        # One column for both: an adapter whose link is up is switched on; for the others this is unknown.
        if as_bool(record.get("Link", "Link Status")):
            set_value("admin_up", True, "Link", "Link Status")
        else:
            sink.unknown(subject, ("admin_up",), "this release prints the link only", entry)
    link = as_bool((record.get("Link Status", "Link") or "").partition(" ")[0])
    if link is not None:
        set_value("link_up", link, "Link Status", "Link")
    speed = as_int((record.get("Speed") or "").replace("Mbps", ""))
    if speed is not None and speed >= 0:
        set_value("link_speed_bps", speed * 1_000_000, "Speed")
    mtu = as_int(record.get("MTU"))
    if mtu is not None:
        set_value("mtu_operational", mtu, "MTU")


def _detail(sink: Sink, entry: Entry, nics: dict[str, Nic], pauses: dict[str, dict[str, Reading]], listed: frozenset[str]) -> None:
    """`listed`: the adapters of the list, where one was read; an adapter that is not among them is none of this host's."""
    records = rows(entry)
    asked = entry.command.options.get("-n") or ""
    if not records and asked in nics:
        sink.unknown(nics[asked].subject, ("driver_version", "firmware_version"), entry.why_not, entry)
    for record in records:
        # A copy may hold the answers for several adapters, of which the command line names one.
        told = record.get("Name") or ""
        name = told or asked if len(records) > 1 else asked or told
        bus = pci_location(record.get("Bus Info"))
        if name not in nics and (listed or not name):
            sink.problem(f"{entry.line}: {name or 'an adapter'} is not in the list of adapters")
            continue
        if name not in nics:
            # Without the list the PCI location is the best id there is.
            nics[name] = Nic(name, subject_of(name, "", bus, set()), record.get("Driver") or "", bus, "")
        _detail_of(sink, entry, record, nics[name].subject, bus)
        _pause(sink, entry, record, pauses.setdefault(name, {}))


def _detail_of(sink: Sink, entry: Entry, record: Record, subject: Subject, bus: str) -> None:
    for key, title in (("name", "Name"), ("driver", "Driver"), ("driver_version", "Version"), ("firmware_version", "Firmware Version")):
        text = record.get(title)
        if not is_nothing(text):
            sink.value(subject, key, str(text), entry, record.title(title), str(text))
    if bus:
        sink.value(subject, "pci", bus, entry, record.title("Bus Info"), record.get("Bus Info") or "")
    # An adapter that was switched off has a remark behind the word: `Down by explicit linkSet`.
    title = record.title("Link Status", "Link Detected")
    link = as_bool((record.get(title) or "").partition(" ")[0])
    if link is not None:
        sink.value(subject, "link_up", link, entry, title, record.get(title) or "")


def _pause(sink: Sink, entry: Entry, record: Record, readings: dict[str, Reading]) -> None:
    supported = as_bool(record.get("Supports Pause"))
    receive, transmit, auto = (as_bool(record.get(title)) for title in ("Pause RX", "Pause TX", "Pause Autonegotiate"))
    if supported is not None:
        readings["pause_supported"] = Value(
            supported, sink.source(entry, record.title("Supports Pause"), record.get("Supports Pause") or "")
        )
    if supported is False:
        readings["flow_control"] = NotOffered("driver does not offer it", sink.source(entry, "Supports Pause"))
    elif receive is not None and transmit is not None:
        readings.update(pause_readings(sink, entry, receive, transmit, auto, None))
    else:
        readings["flow_control"] = Unknown(f"{entry.line}: pause state not reported", sink.source(entry, "Pause RX"))


def pause_readings(
    sink: Sink, entry: Entry, receive: bool, transmit: bool, auto: bool | None, agreed: tuple[bool, bool] | None
) -> dict[str, Reading]:
    """Flow control as set and as in use. Both flags off under auto-negotiation means that the link partner decides: `auto`."""
    raw = f"RX {receive}, TX {transmit}, auto-negotiation {auto}".lower()
    source = sink.source(entry, "Pause RX, Pause TX, Auto Negotiation", raw)
    in_use = pause(*agreed) if agreed is not None else pause(receive, transmit)
    configured = "auto" if auto and not receive and not transmit else pause(receive, transmit)
    return {"flow_control": Value(configured, source), "flow_control_operational": Value(in_use, source)}


def _driver(sink: Sink, entry: Entry, nics: dict[str, Nic], listed: frozenset[str]) -> None:
    """`ethtool -i`: driver, version, firmware where `nic get` is not to be had."""
    record = next(iter(rows(entry)), None)
    if record is None:
        return
    name = entry.command.argument
    bus = pci_location(record.get("bus-info"))
    if name not in nics:
        if listed or not name:
            sink.problem(f"{entry.line}: {name or 'an adapter'} is not in the list of adapters")
            return
        nics[name] = Nic(name, subject_of(name, "", bus, set()), record.get("driver") or "", bus, "")
        sink.value(nics[name].subject, "name", name, entry, "", name)
        if bus:
            sink.value(nics[name].subject, "pci", bus, entry, "bus-info", record.get("bus-info") or "")
    for key, title in (("driver", "driver"), ("driver_version", "version"), ("firmware_version", "firmware-version")):
        text = record.get(title)
        if not is_nothing(text):
            sink.value(nics[name].subject, key, str(text), entry, title, str(text))


# `lspci -p` and `lspci -n`: location, then vendor and device; the adapter's name is the last word, in brackets in the short form.
_PCI_LINE = re.compile(r"^\s*([0-9a-f:.]+)\s+(?:Class [0-9a-f]{4}:\s+)?([0-9a-f]{4}):([0-9a-f]{4})\b(.*)$", re.I)


def _pci_ids(body: Body) -> dict[str, tuple[str, Entry, str]]:
    """`vendor:device` by PCI location and by the adapter's name, with the read and its field."""
    found: dict[str, tuple[str, Entry, str]] = {}
    for command, title in ((PCI_LIST, "Vend:Dvid"), (PCI_LIST_SHORT, "Class")):
        entry = body.find(command)
        for line in entry.output.split("\n") if entry is not None and entry.is_ok else ():
            match = _PCI_LINE.match(line)
            if match is None or entry is None:
                continue
            text = f"{match.group(2)}:{match.group(3)}".lower()
            place = match.group(1) if match.group(1).count(":") > 1 else "0000:" + match.group(1)
            name = (match.group(4).split() or [""])[-1].strip("[]")
            for key in (pci_location(place), name if name.startswith("vmnic") else ""):
                if key:
                    found.setdefault(key, (text, entry, title))
    devices = body.find(PCI_DEVICES)
    for record in rows(devices):
        known = [re.sub(r"^0x", "", (record.get(title) or "").strip().lower()) for title in ("Vendor ID", "Device ID")]
        if devices is not None and all(re.fullmatch(r"[0-9a-f]{4}", part) for part in known):
            for key in (record.get("VMkernel Name") or "", pci_location(record.get("Address"))):
                if key:
                    found.setdefault(key, (":".join(known), devices, "Vendor ID, Device ID"))
    return found


def _families(sink: Sink, body: Body, nics: dict[str, Nic]) -> None:
    """Adapter family from PCI ids, else from a driver that serves one kind only; never from the product's name."""
    ids = _pci_ids(body)
    for nic in sorted(nics.values(), key=lambda item: natural(item.name)):
        found = ids.get(nic.name) or (ids.get(nic.pci) if nic.pci else None)
        driver = nic.driver
        if found is not None:
            text, entry, title = found
            sink.value(nic.subject, "pnp_id", text, entry, title, text)
            sink.value(nic.subject, "family", family_of_pci(*text.split(":")), entry, title, text)
        elif driver.lower() in _OTHER_DRIVERS:
            source = body.find(NIC_LIST) or body.find(NICS_OLD) or body.entries[0]
            sink.value(nic.subject, "family", "other", source, "Driver", driver)
        else:
            why = f"driver {driver or 'unknown'} serves more than one family, and the PCI ids were not read"
            sink.unknown(nic.subject, ("family",), why, body.find(PCI_LIST))
