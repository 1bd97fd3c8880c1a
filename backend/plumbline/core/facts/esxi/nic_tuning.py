"""Section `nic_tuning`: pause, rings, offloads, coalescing, by vmnic. The join brings them to the adapters of section `nics`."""

import re

from plumbline.core.facts.configuration import Facts, NotOffered, Reading, Unknown, Value
from plumbline.core.facts.esxi.entries import Body, Entry, Sink
from plumbline.core.facts.esxi.nics import pause_readings
from plumbline.core.facts.esxi.readers import Record, each_row, rows
from plumbline.core.facts.esxi.values import as_bool, as_int, as_on_off, is_nothing

PAUSE = "esxcli network nic pauseParams list"
PAUSE_SET = "esxcli network nic pauseParams set"
PAUSE_OLD = "ethtool -a"
RING_CURRENT = "esxcli network nic ring current get"
RING_PRESET = "esxcli network nic ring preset get"
RING_ENS = "nsxdp-cli ens uplink ring get"
RING_OLD = "ethtool -g"
TSO = "esxcli network nic tso get"
CSO = "esxcli network nic cso get"
SOFTWARE = "esxcli network nic software list"
COALESCE = "esxcli network nic coalesce get"
COALESCE_OLD = "ethtool -c"
FEATURES_OLD = "ethtool -k"

NOT_OFFERED = "driver does not offer it"
# Stands for an adapter that a copied output does not name.
UNNAMED = "unnamed"

PAUSE_KEYS = ("flow_control", "flow_control_operational", "pause_supported")
RING_KEYS = ("receive_buffers", "transmit_buffers")
RING_MAXIMUM_KEYS = ("receive_buffers_maximum", "transmit_buffers_maximum")
FEATURE_KEYS = ("tso", "checksum_offload_rx", "checksum_offload_tx")
COALESCE_KEYS = ("coalesce_rx_us", "coalesce_tx_us", "coalesce_adaptive")


class Tuning:
    """Readings by vmnic and key while they are gathered: a value takes precedence over not offered, that over unknown."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.by_nic: dict[str, dict[str, Reading]] = {}
        # What is true of every adapter because a command gave nothing at all.
        self.everywhere: dict[str, Reading] = {}

    def set(self, nic: str, key: str, reading: Reading) -> None:
        keys = self.by_nic.setdefault(nic, {})
        rank = {Value: 2, NotOffered: 1, Unknown: 0}
        if key not in keys or rank[type(reading)] > rank[type(keys[key])]:
            keys[key] = reading

    def value(self, nic: str, key: str, value: bool | int | str, entry: Entry, title: str, raw: str) -> None:
        self.set(nic, key, Value(value, self.sink.source(entry, title, raw)))


def parse(body: Body) -> Facts:
    """Observations: `tuning` (vmnic -> key -> reading) and `tuning_everywhere` (key -> why no adapter has it)."""
    sink = Sink(body)
    tuning = Tuning(sink)
    _pause(body, tuning)
    _rings(body, tuning)
    _features(body, tuning)
    _coalescing(body, tuning)
    if "" in tuning.by_nic:
        # Only in copied outputs: an agent always names the adapter.
        tuning.by_nic[UNNAMED] = tuning.by_nic.pop("")
        sink.problem("an output of this section does not say of which adapter it is")
    sink.facts.observations["tuning"] = tuning.by_nic
    sink.facts.observations["tuning_everywhere"] = tuning.everywhere
    return sink.facts


def _nic_of(entry: Entry, record: Record | None = None) -> str:
    name = entry.command.options.get("-n") or entry.command.argument
    if not name and record is not None:
        name = record.get("NIC", "Name") or ""
    if not name:
        # `Ring parameters for vmnic4:` above what ethtool prints.
        match = re.search(r"\b(vmnic\d+)\b", entry.output)
        name = match.group(1) if match else ""
    return name.strip()


def _missing(body: Body, tuning: Tuning, keys: tuple[str, ...], *commands: str) -> None:
    """Sets for every adapter why a group of settings could not be read, if one of the commands was tried."""
    tried = [entry for command in commands for entry in body.each(command)]
    reason = next((entry.why_not for entry in tried if not entry.is_ok), "")
    if reason:
        for key in keys:
            tuning.everywhere.setdefault(key, Unknown(reason, tuning.sink.source(tried[0], "")))


def _pause(body: Body, tuning: Tuning) -> None:
    for entry, record in each_row(body.each(PAUSE)):
        nic = record.get("NIC", "Name") or ""
        supported = as_bool(record.get("Pause Params Supported"))
        receive, transmit, auto = (as_bool(record.get(title)) for title in ("Pause RX", "Pause TX", "Auto Negotiation"))
        if supported is not None:
            title = record.title("Pause Params Supported")
            tuning.value(nic, "pause_supported", supported, entry, title, record.get("Pause Params Supported") or "")
        if supported is False:
            for key in PAUSE_KEYS[:2]:
                tuning.set(nic, key, NotOffered(NOT_OFFERED, tuning.sink.source(entry, "Pause Params Supported", "false")))
        elif receive is not None and transmit is not None:
            agreed = None
            if as_bool(record.get("Auto Negotiation Resolution Avail")):
                resolved = [as_bool(record.get(f"{side} Auto Negotiation Resolution")) for side in ("RX", "TX")]
                if resolved[0] is not None and resolved[1] is not None:
                    agreed = (resolved[0], resolved[1])
            for key, reading in pause_readings(tuning.sink, entry, receive, transmit, auto, agreed).items():
                tuning.set(nic, key, reading)
        else:
            tuning.sink.problem(f"{entry.line}: {nic or 'a row'} reports no pause flags")
    for entry in body.each(PAUSE_OLD):
        record_old = next(iter(rows(entry)), None)
        nic = _nic_of(entry, record_old)
        receive, transmit, auto = (
            (None,) * 3 if record_old is None else (as_bool(record_old.get(title)) for title in ("RX", "TX", "Autonegotiate"))
        )
        if not nic:
            continue
        if receive is None or transmit is None:
            tuning.set(nic, "flow_control", Unknown(entry.why_not if not entry.is_ok else f"{entry.line}: no pause flags in it"))
        else:
            for key, reading in pause_readings(tuning.sink, entry, receive, transmit, auto, None).items():
                tuning.set(nic, key, reading)
            tuning.value(nic, "pause_supported", True, entry, "RX, TX", "")
    for entry in body.each(PAUSE_SET):
        # Not a read: the answer to an attempt, as in copied terminals.
        refusal = entry.output.strip().split("\n")[0].strip()
        if refusal:
            tuning.sink.problem(f"{entry.line}: {refusal}")
    _missing(body, tuning, PAUSE_KEYS[:2], PAUSE, PAUSE_OLD)


_ENS_RING = re.compile(r"^\s*([RT])x\s+Ring\s+Size\s*:\s*(\d+)", re.I | re.M)


def _rings(body: Body, tuning: Tuning) -> None:
    for entry in body.each(RING_CURRENT):
        for record in rows(entry)[:1]:
            for key, title in (("receive_buffers", "RX"), ("transmit_buffers", "TX")):
                value = as_int(record.get(title))
                if value is not None:
                    tuning.value(_nic_of(entry, record), key, value, entry, record.title(title), record.get(title) or "")
        _unread_ring(tuning, entry, RING_KEYS)
    for entry in body.each(RING_PRESET):
        for record in rows(entry)[:1]:
            for key, titles in (("receive_buffers_maximum", ("Max RX", "RX")), ("transmit_buffers_maximum", ("Max TX", "TX"))):
                value = as_int(record.get(*titles))
                if value:
                    tuning.value(_nic_of(entry, record), key, value, entry, record.title(*titles), record.get(*titles) or "")
        _unread_ring(tuning, entry, RING_MAXIMUM_KEYS)
    for entry in body.each(RING_ENS):
        if entry.is_ok:
            for side, size in _ENS_RING.findall(entry.output):
                key = "receive_buffers" if side.lower() == "r" else "transmit_buffers"
                tuning.value(_nic_of(entry), key, int(size), entry, f"{side}x Ring Size", size)
    for entry in body.each(RING_OLD):
        _old_ring(tuning, entry)
    _missing(body, tuning, RING_KEYS + RING_MAXIMUM_KEYS, RING_CURRENT, RING_OLD)


def _unread_ring(tuning: Tuning, entry: Entry, keys: tuple[str, ...]) -> None:
    """Some drivers have no rings to set and report that in words; that is not a failure to read them."""
    nic = _nic_of(entry)
    if not nic or entry.status != "failed":
        return
    refusal = re.search(r"\bnot supported\b", f"{entry.error}\n{entry.output}", re.I)
    for key in keys:
        source = tuning.sink.source(entry, "", entry.error)
        tuning.set(nic, key, NotOffered("driver does not offer it", source) if refusal else Unknown(entry.why_not, source))


def _old_ring(tuning: Tuning, entry: Entry) -> None:
    """`ethtool -g`: two blocks with the same titles, the maxima first. They are recognised by their order, not by their headings."""
    nic = _nic_of(entry)
    if not entry.is_ok:
        _unread_ring(tuning, entry, RING_KEYS + RING_MAXIMUM_KEYS)
        return
    figures = {side: [int(text) for text in re.findall(rf"^\s*{side}:\s*(\d+)\s*$", entry.output, re.M)] for side in ("RX", "TX")}
    for side, key in (("RX", "receive_buffers"), ("TX", "transmit_buffers")):
        if len(figures[side]) == 2:
            most, current = figures[side]
            tuning.value(nic, key, current, entry, side, str(current))
            if most:
                tuning.value(nic, key + "_maximum", most, entry, side, str(most))


def _features(body: Body, tuning: Tuning) -> None:
    for command, titles in (
        (TSO, {"tso": ("Value", "TSO")}),
        (
            CSO,
            {"checksum_offload_rx": ("RX Checksum Offload", "RX", "Value"), "checksum_offload_tx": ("TX Checksum Offload", "TX", "Value")},
        ),
    ):
        for entry, record in each_row(body.each(command)):
            for key, names in titles.items():
                value = as_on_off(record.get(*names))
                nic = record.get("NIC", "Name") or ""
                if value is not None:
                    tuning.value(nic, key, value, entry, record.title(*names), record.get(*names) or "")
                elif record.get(*names) is not None and is_nothing(record.get(*names)):
                    tuning.set(nic, key, NotOffered(NOT_OFFERED, tuning.sink.source(entry, record.title(*names))))
    for entry in body.each(FEATURES_OLD):
        record_old = next(iter(rows(entry)), None)
        if record_old is None:
            continue
        nic = _nic_of(entry)
        for key, title in (
            ("checksum_offload_rx", "rx-checksumming"),
            ("checksum_offload_tx", "tx-checksumming"),
            ("tso", "tcp-segmentation-offload"),
        ):
            value = as_on_off((record_old.get(title) or "").split(" ")[0])
            if value is not None:
                tuning.value(nic, key, value, entry, title, record_old.get(title) or "")
    _missing(body, tuning, FEATURE_KEYS[:1], TSO, FEATURES_OLD)
    _missing(body, tuning, FEATURE_KEYS[1:], CSO, FEATURES_OLD)


def _coalescing(body: Body, tuning: Tuning) -> None:
    for entry, record in each_row(body.each(COALESCE)):
        nic = record.get("NIC", "Name") or ""
        for key, title in (("coalesce_rx_us", "RX microseconds"), ("coalesce_tx_us", "TX microseconds")):
            text = record.get(title)
            value = as_int(text)
            if value is not None:
                tuning.value(nic, key, value, entry, record.title(title), text or "")
            elif text is not None:
                tuning.set(nic, key, NotOffered(NOT_OFFERED, tuning.sink.source(entry, record.title(title), text)))
        texts = [record.get(title) for title in ("Adaptive RX", "Adaptive TX")]
        flags = [as_bool(text) for text in texts]
        if None not in flags:
            tuning.value(
                nic,
                "coalesce_adaptive",
                "enabled" if any(flags) else "disabled",
                entry,
                "Adaptive RX, Adaptive TX",
                ", ".join(map(str, texts)),
            )
        elif texts[0] is not None:
            tuning.set(nic, "coalesce_adaptive", NotOffered(NOT_OFFERED, tuning.sink.source(entry, "Adaptive RX", str(texts[0]))))
    for old in body.each(COALESCE_OLD):
        record_old = next(iter(rows(old)), None)
        if record_old is None:
            continue
        nic = _nic_of(old)
        for key, title in (("coalesce_rx_us", "rx-usecs"), ("coalesce_tx_us", "tx-usecs")):
            value = as_int(record_old.get(title))
            if value is not None:
                tuning.value(nic, key, value, old, title, record_old.get(title) or "")
        match = re.search(r"Adaptive RX:\s*(on|off)\s+TX:\s*(on|off)", old.output, re.I)
        if match:
            tuning.value(
                nic,
                "coalesce_adaptive",
                "enabled" if "on" in (match.group(1).lower(), match.group(2).lower()) else "disabled",
                old,
                "Adaptive RX",
                match.group(0),
            )
    _missing(body, tuning, COALESCE_KEYS, COALESCE, COALESCE_OLD)
