"""Section `iscsi`: initiators, their parameters and those of each target, port binding, sessions."""

import re
from dataclasses import dataclass

from plumbline.core.facts.configuration import Facts, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.readers import Record, each_row, rows
from plumbline.core.facts.esxi.records import record_of
from plumbline.core.facts.esxi.values import as_bool, as_int, as_on_off, is_nothing, natural

ADAPTERS = "esxcli iscsi adapter list"
ADAPTER = "esxcli iscsi adapter get"
PARAMETERS = "esxcli iscsi adapter param get"
PORTALS = "esxcli iscsi adapter target portal list"
TARGET_PARAMETERS = "esxcli iscsi adapter target portal param get"
BINDINGS = "esxcli iscsi networkportal list"
PHYSICAL = "esxcli iscsi physicalnetworkportal list"
LOGICAL = "esxcli iscsi logicalnetworkportal list"
SESSIONS = "esxcli iscsi session list"
CONNECTIONS = "esxcli iscsi session connection list"
# A support bundle holds this list of all TCP connections in place of the one above: those to a target's port are iSCSI.
IP_CONNECTIONS = "esxcli network ip connection list"
# All storage adapters, read where the list of the iSCSI adapters failed.
STORAGE_ADAPTERS = "esxcli storage core adapter list"

# Titles in the list of iSCSI adapters, and in that of all storage adapters.
_ADAPTER_NAME = ("Adapter", "HBA Name")
_STATE = ("State", "Link State")

SOFTWARE_DRIVER = "iscsi_vmk"
# Drivers whose HBAs depend on the host's network: each port of such a card shows one, used or not, and it works only once it is bound.
DEPENDENT_DRIVERS = frozenset({"bnx2i", "qfle3i"})
# The offload engine of the paper: this driver on this adapter family.
ISOE_DRIVER = "bnx2i"
ISOE_FAMILY = "bcm57810"
# Parameter name -> key and how it is read.
_ON_OFF = {"DelayedAck": "delayed_ack"}
_FIGURES = {
    "LoginTimeout": "login_timeout_seconds",
    "NoopOutInterval": "noop_out_interval_seconds",
    "NoopOutTimeout": "noop_out_timeout_seconds",
    "RecoveryTimeout": "recovery_timeout_seconds",
    "MaxCmds": "max_commands",
}
_WORDS = {"HeaderDigest": "header_digest", "DataDigest": "data_digest"}


@dataclass(frozen=True, slots=True)
class Initiator:
    """One iSCSI adapter as other sections name it (`vmhba64`) and as its settings are addressed."""

    vmhba: str
    subject: Subject
    iqn: str
    driver: str
    state: str = ""

    @property
    def is_software(self) -> bool:
        """The system's own initiator over ordinary adapters."""
        return self.driver == SOFTWARE_DRIVER

    @property
    def is_hardware(self) -> bool:
        """An HBA of its own; neither where the driver is not known."""
        return self.driver not in ("", SOFTWARE_DRIVER)


@dataclass(frozen=True, slots=True)
class HbaPort:
    """What one command shows of the port that a hardware initiator sits on: the adapter's name, or its MAC in hexadecimal digits."""

    vmnic: str
    mac: str
    source: Source


@dataclass(frozen=True, slots=True)
class Binding:
    """One VMkernel interface bound to an initiator. `mac` is the address that the binding shows, that of the physical adapter;
    `compliant` is None where it is not shown."""

    vmhba: str
    vmk: str
    mac: str
    compliant: bool | None
    mtu: int | None


@dataclass(frozen=True, slots=True)
class Session:
    """One session and, where its connection is listed, the addresses it runs between."""

    vmhba: str
    target: str
    isid: str
    local: str = ""
    remote: str = ""


def parse(body: Body) -> Facts:
    """Observations: `initiators` (vmhba -> Initiator), `bindings`, `hba_ports` (vmhba -> what is known of its port, the surest first),
    `sessions`, `connected_from` (local address of each TCP connection to a target's port, where only those are listed),
    `sessions_by_paths` (the list of sessions is that of the paths' sessions), `hbas` (driver of each hardware initiator, used or not),
    `unused` (HBAs of which nothing else is reported, since nothing uses them), `has_bindings` (whether the list of bindings was read),
    `why_use_unread` (why it is not known what carries iSCSI; empty where that is known)."""
    sink = Sink(body)
    initiators = _initiators(body, sink)
    for entry in body.each(PARAMETERS):
        vmhba = entry.command.options.get("-A", "")
        if not vmhba and len(initiators) == 1:
            # A copied output that does not name it: there is only one.
            vmhba = next(iter(initiators))
        _parameters(sink, entry, _initiator(initiators, vmhba))
    portals = _portals(body, sink, initiators)
    bindings = _bindings(body, sink, initiators)
    sessions = _sessions(body, sink, initiators)
    _targets(body, sink, initiators, portals, sessions)
    hbas = {name: initiator.driver for name, initiator in initiators.items() if initiator.is_hardware}
    unused = _unused(body, initiators, bindings, sessions)
    for vmhba in unused:
        _leave_out(sink, initiators.pop(vmhba).subject)
    read = body.find(BINDINGS)
    sink.facts.observations.update(
        initiators=initiators,
        bindings=bindings,
        hba_ports=_hba_ports(body, sink, initiators),
        sessions=sessions,
        connected_from=_connected_from(body),
        unused=unused,
        sessions_by_paths=(listed := body.find(SESSIONS)) is not None and listed.is_partial,
        hbas=hbas,
        has_bindings=read is not None and read.is_ok,
        why_use_unread=_why_use_unread(body),
    )
    return sink.facts


def _why_use_unread(body: Body) -> str:
    """The bindings and the addresses of the sessions show what carries iSCSI; without an iSCSI adapter nothing does."""
    adapters = body.find(ADAPTERS)
    if adapters is not None and adapters.is_ok and adapters.output.strip()[:1] in ("", "<", "[") and not rows(adapters):
        return ""
    for command in (ADAPTERS, BINDINGS, CONNECTIONS):
        entry = body.find(command)
        if command == CONNECTIONS and (entry is None or not entry.is_ok):
            entry = body.find(IP_CONNECTIONS) or entry
        if entry is None:
            return f"{command} was not read"
        if not entry.is_ok:
            return entry.why_not
    return ""


def _unused(body: Body, initiators: dict[str, Initiator], bindings: list[Binding], sessions: list[Session]) -> tuple[str, ...]:
    """HBAs that are there because a card has them and that nothing uses: those that are neither bound nor in a session.

    A dependent one (bnx2i, qfle3i) works only once it is bound; one of its own (qla4xxx) is in use while it has a session. Where the lists
    that would show a use were not read, only the HBA's own word `unbound` shows that there is none.
    """
    used = {binding.vmhba for binding in bindings} | {session.vmhba for session in sessions}
    bound, listed = body.find(BINDINGS), body.find(SESSIONS)
    bindings_known = bound is not None and bound.is_ok and not bound.is_filtered
    sessions_known = listed is not None and listed.is_ok and not listed.is_filtered

    def is_unused(initiator: Initiator) -> bool:
        if initiator.state.lower() == "unbound":
            return True
        # Where only paths show sessions, one without a path is missing; a dependent HBA has none unless it is bound.
        by_paths = listed is not None and listed.is_partial and initiator.driver in DEPENDENT_DRIVERS
        return bindings_known and (sessions_known or by_paths)

    return tuple(name for name, initiator in initiators.items() if name not in used and initiator.is_hardware and is_unused(initiator))


def _leave_out(sink: Sink, subject: Subject) -> None:
    """Reports nothing of an unused HBA, nor of its targets: a rule would evaluate what no path depends on."""
    readings = sink.facts.readings
    for other in [one for one in readings if one == subject or (one.kind == "target" and one.id.startswith(f"{subject.id}>"))]:
        del readings[other]


def _hba_ports(body: Body, sink: Sink, initiators: dict[str, Initiator]) -> dict[str, tuple[HbaPort, ...]]:
    """What is known of the port of each hardware initiator.

    `physicalnetworkportal list` shows for a software initiator every adapter that it could use, which proves nothing about any of them; for
    a hardware initiator it shows its own port, so only a single row counts.
    """
    found: dict[str, list[HbaPort]] = {}
    for entry in body.each(ADAPTER):
        for record in rows(entry)[:1]:
            vmhba = entry.command.options.get("-A") or record.heading.rstrip(":")
            name = re.search(r"\b(vmnic\d+)$", record.get("Driver Name") or "")
            serial = _hex(record.get("Serial Number") or "")
            if name:
                place = sink.source(entry, record.title("Driver Name"), record.get("Driver Name") or "")
                found.setdefault(vmhba, []).append(HbaPort(name.group(1), "", place))
            if len(serial) == 12:
                found.setdefault(vmhba, []).append(HbaPort("", serial, sink.source(entry, record.title("Serial Number"), serial)))
    listed: dict[str, dict[str, Source]] = {}
    for entry, record in each_row(body.each(PHYSICAL)):
        vmnic = record.get("Vmnic") or ""
        listed.setdefault(record.get("Adapter") or "", {})[vmnic] = sink.source(entry, record.title("Vmnic"), vmnic)
    for vmhba, ports in listed.items():
        if len(ports) == 1 and "" not in ports:
            # The host's own list of ports comes before what the driver calls itself.
            ((vmnic, source),) = ports.items()
            found.setdefault(vmhba, []).insert(0, HbaPort(vmnic, "", source))
    return {vmhba: tuple(said) for vmhba, said in found.items() if vmhba in initiators and initiators[vmhba].is_hardware}


def _hex(mac: str) -> str:
    return re.sub(r"[^0-9a-f]", "", mac.lower())


def _initiator(initiators: dict[str, Initiator], vmhba: str) -> Initiator:
    """The initiator of a vmhba; one that no list names is addressed by its own name."""
    return initiators.setdefault(vmhba, Initiator(vmhba, Subject("initiator", vmhba), "", ""))


def _iqn(text: str | None) -> str:
    value = (text or "").strip()
    return value if re.match(r"^(iqn\.|eui\.|naa\.)", value, re.I) else ""


def is_iscsi_adapter(record: Record) -> bool:
    """Whether a row of the list of all storage adapters is an iSCSI adapter: its UID is `iscsi.vmhba64` or an IQN."""
    return re.match(r"(iscsi|iqn)\.", record.get("UID") or "") is not None


def _listed(body: Body) -> list[tuple[Entry, Record]]:
    """The iSCSI adapters by their own list or, where that failed, by the list of all storage adapters."""
    own = body.find(ADAPTERS)
    if own is not None and own.status == "failed":
        return [(entry, record) for entry, record in each_row(body.each(STORAGE_ADAPTERS)) if is_iscsi_adapter(record)]
    return [(entry, record) for entry, record in each_row(body.each(ADAPTERS)) if record.get("Adapter")]


def _initiators(body: Body, sink: Sink) -> dict[str, Initiator]:
    listed = _listed(body)
    details: dict[str, tuple[Entry, Record]] = {}
    for detail in body.each(ADAPTER):
        for record in rows(detail)[:1]:
            details[detail.command.options.get("-A") or record.heading.rstrip(":")] = (detail, record)
    names: dict[str, str] = {}
    for _, record in listed:
        vmhba = record.get(*_ADAPTER_NAME) or ""
        names[vmhba] = _iqn(record.get("UID")) or (_iqn(details[vmhba][1].get("Name", "Iscsi Name")) if vmhba in details else "")
    found: dict[str, Initiator] = {}
    for entry, record in sorted(listed, key=lambda item: natural(item[1].get(*_ADAPTER_NAME) or "")):
        vmhba = record.get(*_ADAPTER_NAME) or ""
        iqn = names[vmhba]
        # Two hardware initiators of one host may carry the same IQN; then their own names distinguish them.
        is_own = iqn != "" and list(names.values()).count(iqn) == 1
        driver = (record.get("Driver") or "").strip()
        state = record.get(*_STATE) or ""
        initiator = Initiator(vmhba, Subject("initiator", iqn if is_own else vmhba), iqn, driver, state)
        found[vmhba] = initiator
        sink.value(initiator.subject, "name", vmhba, entry, record.title(*_ADAPTER_NAME), vmhba)
        if driver:
            sink.value(initiator.subject, "driver", driver, entry, record.title("Driver"), driver)
            if initiator.is_software:
                sink.value(initiator.subject, "mode", "software", entry, record.title("Driver"), driver)
        else:
            sink.unknown(initiator.subject, ("mode",), "its driver is not reported", entry)
        if state:
            sink.value(initiator.subject, "state", state, entry, record.title(*_STATE), state)
    return found


def _parameters(sink: Sink, entry: Entry, initiator: Initiator) -> None:
    subject = initiator.subject
    keys = (*_ON_OFF.values(), *_FIGURES.values(), *_WORDS.values())
    if not initiator.vmhba:
        sink.problem(f"{entry.line}: it does not say of which initiator")
        return
    if initiator.driver == "":
        sink.value(subject, "name", initiator.vmhba, entry, "-A", initiator.vmhba)
    if not entry.is_ok:
        sink.unknown(subject, keys, entry.why_not, entry)
        return
    current, is_whole = _current(entry)
    if not current:
        sink.unknown(subject, keys, f"{entry.line}: no parameter could be read from it", entry)
        return
    for key, reading in _read_parameters(sink, entry, current).items():
        sink.set(subject, key, reading)
    missing = [key for name, key in {**_ON_OFF, **_FIGURES, **_WORDS}.items() if name not in current]
    if is_whole:
        sink.not_offered(subject, tuple(missing), "the initiator does not offer it", entry)
    else:
        sink.unknown(subject, tuple(missing), "the copied output shows only some parameters", entry)


def _current(entry: Entry) -> tuple[dict[str, Record], bool]:
    """The parameters by name, and whether the whole table was printed: a copy that went through `grep` has rows without their heading."""
    found = {(record.get("Name") or ""): record for record in rows(entry) if record.has("Current")}
    if found or not entry.is_ok:
        return found, True
    for line in entry.output.split("\n"):
        words = line.split()
        if len(words) in (6, 7) and words[0] in {**_ON_OFF, **_FIGURES, **_WORDS}:
            found[words[0]] = record_of(["Name", "Current", "Default", "Min", "Max", "Settable", "Inherit"], words)
    return found, False


def _read_parameters(sink: Sink, entry: Entry, current: dict[str, Record]) -> dict[str, Reading]:
    found: dict[str, Reading] = {}
    for name, record in current.items():
        raw = record.get("Current") or ""
        key = _ON_OFF.get(name) or _FIGURES.get(name) or _WORDS.get(name)
        if key is None:
            continue
        value: bool | int | str | None
        value = as_on_off(raw) if name in _ON_OFF else as_int(raw) if name in _FIGURES else None if is_nothing(raw) else raw
        source = sink.source(entry, f"{name}/{record.title('Current')}", raw)
        found[key] = Value(value, source) if value is not None else Unknown(f"{name} reads {raw!r}", source)
    return found


def _portals(body: Body, sink: Sink, initiators: dict[str, Initiator]) -> dict[tuple[str, str], tuple[str, ...]]:
    """(vmhba, target) -> its portals."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    reads: dict[tuple[str, str], Entry] = {}
    for entry, record in each_row(body.each(PORTALS)):
        vmhba, target, address = (record.get(title) or "" for title in ("Adapter", "Target", "IP"))
        if not vmhba or not target:
            continue
        place = address + (f":{record.get('Port')}" if record.get("Port") else "")
        found[vmhba, target] = tuple(sorted({*found.get((vmhba, target), ()), place}))
        reads.setdefault((vmhba, target), entry)
    for key, places in found.items():
        sink.value(target_subject(initiators, *key), "address", ", ".join(places), reads[key], "IP, Port", ", ".join(places))
    return found


def target_subject(initiators: dict[str, Initiator], vmhba: str, target: str) -> Subject:
    """A target of one initiator."""
    return Subject("target", f"{_initiator(initiators, vmhba).subject.id}>{target}")


def _bindings(body: Body, sink: Sink, initiators: dict[str, Initiator]) -> list[Binding]:
    """The port bindings. `logicalnetworkportal list` shows every interface that could be bound: of those that are, it may show whether
    they comply, where older builds leave that out of the list of bindings."""
    logical = {(record.get("Adapter") or "", record.get("Vmknic") or ""): (entry, record) for entry, record in each_row(body.each(LOGICAL))}
    found: dict[tuple[str, str], Binding] = {}
    for entry, record in each_row(body.each(BINDINGS)):
        # Older builds repeat the heading `vmhba36:` over each interface: the interface is the key, not the heading.
        vmhba, vmk = record.get("Adapter") or record.heading.rstrip(":"), record.get("Vmknic") or ""
        if not vmk or (vmhba, vmk) in found:
            continue
        compliant = _compliant(record)
        mtu = as_int(record.get("MTU"))
        found[vmhba, vmk] = Binding(vmhba, vmk, _hex(record.get("MAC Address") or ""), compliant, mtu)
        sink.value(Subject("vnic", vmk), "bound_to", vmhba, entry, record.title("Adapter"), vmhba)
        told = (entry, record)
        if compliant is None and (vmhba, vmk) in logical:
            told = logical[vmhba, vmk]
            compliant = _compliant(told[1])
        if compliant is not None:
            title = told[1].title("Compliant Status", "Compliant")
            sink.value(Subject("vnic", vmk), "binding_compliant", compliant, told[0], title, told[1].get(title) or "")
        initiator = _initiator(initiators, vmhba)
        if mtu is not None and initiator.is_hardware:
            sink.value(initiator.subject, "mtu", mtu, entry, record.title("MTU"), record.get("MTU") or "")
    return list(found.values())


def _compliant(record: Record) -> bool | None:
    text = record.get("Compliant Status", "Compliant")
    return False if re.match(r"^\s*non", text or "", re.I) else as_bool(text)


def _sessions(body: Body, sink: Sink, initiators: dict[str, Initiator]) -> list[Session]:
    found: dict[tuple[str, str, str], Session] = {}
    for command in (SESSIONS, CONNECTIONS):
        for _, record in each_row(body.each(command)):
            vmhba, target, isid = (record.get(title) or "" for title in ("Adapter", "Target", "ISID"))
            if not vmhba or not target or not isid:
                continue
            known = found.get((vmhba, target, isid), Session(vmhba, target, isid))
            local, remote = record.get("Local Address") or "", record.get("Remote Address", "Connection Address") or ""
            state = (record.get("State") or "").lower()
            if local and state in ("", "logged_in"):
                known = Session(vmhba, target, isid, local, remote)
            found[vmhba, target, isid] = known
    entry = body.find(SESSIONS) or body.find(CONNECTIONS)
    # Sessions that only paths show are not all: one without a path is missing among them.
    if entry is not None and entry.is_ok and not entry.is_filtered:
        counts: dict[Subject, int] = {}
        for session in found.values():
            subject = target_subject(initiators, session.vmhba, session.target)
            counts[subject] = counts.get(subject, 0) + 1
        for subject, count in counts.items():
            sink.value(subject, "sessions", count, entry, "ISID", str(count))
    return list(found.values())


def _connected_from(body: Body) -> tuple[str, ...]:
    """Local addresses of the open connections to port 3260, one for each connection."""
    return tuple(
        (record.get("Local Address") or "").rpartition(":")[0]
        for _, record in each_row(body.each(IP_CONNECTIONS))
        if (record.get("Foreign Address") or "").endswith(":3260") and (record.get("State") or "").upper() == "ESTABLISHED"
    )


def _targets(
    body: Body,
    sink: Sink,
    initiators: dict[str, Initiator],
    portals: dict[tuple[str, str], tuple[str, ...]],
    sessions: list[Session],
) -> None:
    """Parameters of each target. A target with several portals has one value only where its portals agree."""
    groups: dict[Subject, list[tuple[Entry, dict[str, Reading]]]] = {}
    for entry in body.each(TARGET_PARAMETERS):
        vmhba, target = entry.command.options.get("-A", ""), entry.command.options.get("-n", "")
        if not vmhba or not target:
            continue
        subject = target_subject(initiators, vmhba, target)
        current, _ = _current(entry)
        if not current:
            why = entry.why_not if not entry.is_ok else f"{entry.line}: no parameter could be read from it"
            sink.unknown(subject, ("delayed_ack", "delayed_ack_inherited", "login_timeout_seconds", "login_timeout_inherited"), why, entry)
            continue
        readings = {
            key: value for key, value in _read_parameters(sink, entry, current).items() if key in ("delayed_ack", "login_timeout_seconds")
        }
        for name, key in (("DelayedAck", "delayed_ack_inherited"), ("LoginTimeout", "login_timeout_inherited")):
            inherited = as_bool(current[name].get("Inherit")) if name in current else None
            if inherited is not None:
                readings[key] = Value(inherited, sink.source(entry, f"{name}/Inherit", current[name].get("Inherit") or ""))
        groups.setdefault(subject, []).append((entry, readings))
    for subject, listed in groups.items():
        for key in sorted({key for _, readings in listed for key in readings}):
            values = [readings[key] for _, readings in listed if key in readings]
            different = {reading.value for reading in values if isinstance(reading, Value)}
            sink.set(subject, key, values[0] if len(different) < 2 else Unknown("its portals differ"))
    for vmhba, target in {*portals, *((session.vmhba, session.target) for session in sessions)}:
        subject = target_subject(initiators, vmhba, target)
        entry_sessions = body.find(SESSIONS)
        if (
            entry_sessions is not None
            and entry_sessions.is_ok
            and not entry_sessions.is_filtered
            and "sessions" not in sink.facts.readings.get(subject, {})
        ):
            sink.value(subject, "sessions", 0, entry_sessions, "ISID", "0")
