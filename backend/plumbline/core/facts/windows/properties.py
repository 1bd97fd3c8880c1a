"""Sections `properties` (what each driver is set to) and `property_catalogue` (what each driver offers).

Keyed on the registry keyword, compared without case; the display text is never matched, only its digits are read, and only where the
keyword's value is an index into a list (as in papers.yaml, T14).
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import msgspec

from plumbline.core.facts.configuration import Facts, NotOffered, Reading, SettingValue, Source, Unknown, Value
from plumbline.core.facts.windows.reads import Body, Convert, Row, as_int, as_text, choice, guid_in, interface_key, on_off, raw_text, texts

COMMAND = "Get-NetAdapterAdvancedProperty"
# Bytes of the Ethernet header that `*JumboPacket` counts: 9014 means an MTU of 9000 (BP1057 section 5, footnote on iSOE; Microsoft,
# "Keywords that can be edited": default 1514).
ETHERNET_HEADER = 14

PAUSE = choice({"0": "off", "1": "tx", "2": "rx", "3": "rx_tx", "4": "auto"})
CHECKSUM = choice({"0": "off", "1": "tx", "2": "rx", "3": "rx_tx"})
# `*RSSProfile` as Microsoft's "Standardized INF keywords for RSS" numbers it.
RSS_PROFILE = choice({"1": "closest", "2": "closest_static", "3": "numa_scaling", "4": "numa_scaling_static", "5": "conservative"})
RDMA_TECHNOLOGY = choice({"1": "iwarp", "2": "infiniband", "3": "roce", "4": "rocev2"})

# Setting -> the keywords that hold it, the best first, and how to read the value.
PLAIN: dict[str, tuple[tuple[str, ...], Convert]] = {
    "flow_control": (("*FlowControl",), PAUSE),
    "interrupt_moderation": (("*InterruptModeration",), on_off),
    "rss": (("*RSS",), on_off),
    "rss_queues": (("*NumRssQueues",), as_int),
    "rss_profile": (("*RSSProfile",), RSS_PROFILE),
    "rsc_ipv4": (("*RscIPv4",), on_off),
    "rsc_ipv6": (("*RscIPv6",), on_off),
    "lso_ipv4": (("*LsoV2IPv4", "*LsoV1IPv4"), on_off),
    "lso_ipv6": (("*LsoV2IPv6",), on_off),
    "checksum_ip_ipv4": (("*IPChecksumOffloadIPv4",), CHECKSUM),
    "checksum_tcp_ipv4": (("*TCPChecksumOffloadIPv4", "*TCPUDPChecksumOffloadIPv4"), CHECKSUM),
    "checksum_tcp_ipv6": (("*TCPChecksumOffloadIPv6", "*TCPUDPChecksumOffloadIPv6"), CHECKSUM),
    "checksum_udp_ipv4": (("*UDPChecksumOffloadIPv4", "*TCPUDPChecksumOffloadIPv4"), CHECKSUM),
    "checksum_udp_ipv6": (("*UDPChecksumOffloadIPv6", "*TCPUDPChecksumOffloadIPv6"), CHECKSUM),
    "tcp_connection_offload": (("*TCPConnectionOffloadIPv4", "*TCPConnectionOffloadIPv6"), on_off),
    "rdma": (("*NetworkDirect",), on_off),
    "rdma_technology": (("*NetworkDirectTechnology",), RDMA_TECHNOLOGY),
    "qos": (("*QOS",), on_off),
    "vlan": (("VlanId", "*VlanId"), as_int),
    "numa_node": (("*NumaNodeId",), as_int),
}
# Settings whose value needs the driver's own list to be read.
_FRAME = ("*JumboPacket", "MaxFrameSize")
_RINGS = {"receive_buffers": ("*ReceiveBuffers", "ReceiveBuffers"), "transmit_buffers": ("*TransmitBuffers", "TransmitBuffers")}
# Keywords of the QLogic 3100 series, which are indices and frame sizes without header (3100 manual NE0154601-00, page 7-5).
_PLAIN_FRAME = "maxframesize"
_INDEX_UNLESS_STARRED = ("receivebuffers", "transmitbuffers")
KEYS: tuple[str, ...] = (
    *PLAIN,
    "pause_supported",
    "mtu",
    "mtu_maximum",
    *(f"{ring}{part}" for ring in _RINGS for part in ("", "_maximum", "_default")),
)

# Of several keywords of a setting the best comes last and overwrites the others.
_PLAIN_LOWER = tuple((key, name.lower(), convert) for key, (names, convert) in PLAIN.items() for name in reversed(names))
_FRAME_LOWER = tuple(name.lower() for name in _FRAME)
_RINGS_LOWER = {ring: tuple(name.lower() for name in names) for ring, names in _RINGS.items()}
_LISTED = frozenset(name.lower() for names in (_FRAME, *_RINGS.values()) for name in names)
_DIGITS = re.compile(r"\d+")

# Keyword in lower case -> (keyword in the driver's case, its value).
Keywords = dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Held:
    """What one adapter's driver is set to: settings that need nothing else, and the keywords that need the driver's list."""

    plain: dict[str, Reading]
    keywords: Keywords
    # Only of copied text: some of its keywords were not shown, so that a missing one may still be there.
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What a driver offers for one keyword. The counts are those of `counted`, None where the list has none."""

    is_hexadecimal: bool
    # The number behind each entry, where the values only number the entries of the list; else None.
    shown: dict[str, int | None] | None
    counts_header: bool
    maximum: int | None
    default_text: str

    def __hash__(self) -> int:
        return hash((self.maximum, self.default_text, self.counts_header))

    def counted(self, text: str) -> int | None:
        """The count behind a value: the value itself, or the number in the entry's text where the value is an index."""
        return self.shown.get(text) if self.shown is not None else _number(text, self.is_hexadecimal)


def parse(body: Body) -> Facts:
    """Keywords of every interface; what needs the driver's list is read in `readings`."""
    return _gathered(body.facts, [_read_row(row) for row in body.rows(COMMAND)])


def unread_below(reason: str) -> dict[str, Reading]:
    """Every setting of an adapter whose list of keywords broke off: what is not among those that came may still be there."""
    return dict.fromkeys(KEYS, Unknown(reason, Source("properties", COMMAND, "")))


def parse_fast(content: bytes) -> Facts | None:
    """As `parse`, with rows that were read lately not read again; None where the body is not as agents write it."""
    try:
        read = _decode_reads(content)["Get-NetAdapterAdvancedProperty"]
    except (msgspec.DecodeError, KeyError, RecursionError):
        return None
    facts = Facts(observations={"reads": {COMMAND: ""}, "failed_reads": frozenset()})
    rows = [bytes(row) for row in read.rows]
    return _gathered(facts, [_read_bytes(row) for row in rows]) if all(row.startswith(b"{") for row in rows) else None


class _Reads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A read that returned rows, not parsed yet."""

    status: Literal["ok"]
    rows: list[msgspec.Raw]
    error: None = None


_decode_reads = msgspec.json.Decoder(dict[Literal["Get-NetAdapterAdvancedProperty"], _Reads]).decode


@dataclass(frozen=True, slots=True)
class _Adapter:
    """One row: which interface, its name, and what its driver is set to."""

    key: str
    name: str
    held: Held


@lru_cache(maxsize=2048)
def _read_bytes(row: bytes) -> _Adapter | None:
    return _read_row(msgspec.json.decode(row))


def _read_row(row: Row) -> _Adapter | None:
    """One row read; None where it names no interface or has no properties."""
    properties = row.get("properties")
    key = guid_in(row.get("InterfaceGuid")) or interface_key(row, "InstanceID")
    if not key or not isinstance(properties, dict):
        return None
    keywords: Keywords = {}
    for keyword, values in properties.items():
        text = as_text(values)
        if text is None and isinstance(values, list):
            text = ",".join(texts(values))
        if text is not None:
            keywords[keyword.lower()] = (keyword, text)
    held = held_by(keywords)
    return _Adapter(key, as_text(row.get("Name")) or "", replace(held, is_cut=True) if row.get("is_cut") is True else held)


def _gathered(facts: Facts, rows: list[_Adapter | None]) -> Facts:
    found: dict[str, Held] = {}
    names: dict[str, str] = {}
    nameless = rows.count(None)
    if nameless:
        facts.problems.append(f"{COMMAND}: {'a row' if nameless == 1 else f'{nameless} rows'} without interface or properties")
    for row in rows:
        if row is None:
            continue
        found[row.key] = row.held
        if row.name:
            names[row.key] = row.name
    facts.observations["keywords"] = found
    facts.observations["names"] = names
    return facts


def held_by(keywords: Keywords) -> Held:
    """One adapter's keywords, the plain ones read."""
    plain: dict[str, Reading] = {}
    for key, name, convert in _PLAIN_LOWER:
        if name in keywords:
            plain[key] = _converted_plain(keywords[name], convert)
    if "*flowcontrol" in keywords:
        plain["pause_supported"] = Value(True, _source(keywords["*flowcontrol"]))
    return Held(plain, {name: keywords[name] for name in _LISTED if name in keywords})


def parse_catalogue(body: Body) -> Facts:
    """What drivers offer, by component id and driver version, both in lower case; only for the keywords that need it."""
    drivers: dict[tuple[str, str], dict[str, Offer]] = {}
    by_interface: dict[str, dict[str, Offer]] = {}
    for row in body.rows(COMMAND):
        keywords = row.get("keywords")
        if not isinstance(keywords, dict):
            body.facts.problems.append(f"{COMMAND}: a driver without keywords")
            continue
        offers = {
            keyword.lower(): offer_of(keyword, offer)
            for keyword, offer in keywords.items()
            if isinstance(offer, dict) and keyword.lower() in _LISTED
        }
        owner = guid_in(row.get("InterfaceGuid")) or interface_key(row)
        if owner:
            # Only in folders of captured text, where no inventory names the driver.
            by_interface[owner] = offers
            continue
        drivers[(as_text(row.get("ComponentID")) or "").lower(), (as_text(row.get("DriverVersion")) or "").lower()] = offers
    body.facts.observations["drivers"] = drivers
    body.facts.observations["offers_by_interface"] = by_interface
    return body.facts


def offer_of(keyword: str, offer: Row) -> Offer:
    """One keyword of a driver's list, read once for all adapters and check-ins that meet it."""
    is_hexadecimal = as_int(offer.get("NumericParameterBaseValue")) == 16
    choices = _choices(offer)
    shown = {value: _shown_number(text) for value, text in choices} if _is_index(choices) else None
    # The standard keyword includes the Ethernet header; a driver whose list has 1500 does not (its smallest would be 1514).
    smallest = _number(offer.get("NumericParameterMinValue"), is_hexadecimal)
    counts_header = keyword.lower() != _PLAIN_FRAME and smallest != 1500 and all(value != "1500" for value, _ in choices)
    largest = _number(offer.get("NumericParameterMaxValue"), is_hexadecimal)
    if largest is None and offer.get("is_cut") is not True:
        counts = [shown.get(value) if shown is not None else _number(value, is_hexadecimal) for value, _ in choices]
        largest = max((count for count in counts if count is not None), default=None)
    return Offer(is_hexadecimal, shown, counts_header, largest, as_text(offer.get("DefaultRegistryValue")) or "")


def readings(held: Held, offers: dict[str, Offer] | None, no_offers: str) -> dict[str, Reading]:
    """The settings that one adapter's keywords hold. `offers` is its driver's list, None where it was not read (why: `no_offers`)."""
    found = dict(held.plain)
    frame = _first(held.keywords, _FRAME_LOWER)
    if frame is not None:
        found.update(_frame(frame, None if offers is None else offers.get(frame[0].lower()), no_offers))
    for key, names in _RINGS_LOWER.items():
        ring = _first(held.keywords, names)
        if ring is not None:
            found.update(_ring(key, ring, None if offers is None else offers.get(ring[0].lower()), no_offers))
    return found


def not_offered(key: str) -> NotOffered:
    """The reading of a setting for which the driver has no keyword."""
    names = (
        PLAIN[key][0] if key in PLAIN else _FRAME[:1] if key.startswith("mtu") else ("*FlowControl",) if key == "pause_supported" else ()
    )
    for ring, ring_names in _RINGS.items():
        if key.startswith(ring):
            names = ring_names[:1]
    return NotOffered("driver does not offer it", Source("properties", COMMAND, names[0]))


def _source(held: tuple[str, str], section: str = "properties") -> Source:
    return Source(section, COMMAND, held[0], raw_text(held[1]))


def _converted(held: tuple[str, str], convert: Convert) -> Reading:
    source = _source(held)
    if held[1] == "":
        return Unknown(f"{held[0]} is empty", source)
    value = convert(held[1])
    if value is None:
        return Unknown(f"{held[0]} has an unrecognised value: {source.raw!r}", source)
    return Value(value, source)


# Most adapters of a fleet are set alike.
_converted_plain = lru_cache(maxsize=4096)(_converted)


def _first(keywords: Keywords, names: tuple[str, ...]) -> tuple[str, str] | None:
    for name in names:
        held = keywords.get(name)
        if held is not None:
            return held
    return None


def _number(text: object, is_hexadecimal: bool) -> int | None:
    """A registry value as a number; the driver states its base."""
    if is_hexadecimal:
        digits = (as_text(text) or "").lower().removeprefix("0x")
        return int(digits, 16) if re.fullmatch(r"[0-9a-f]{1,15}", digits) else None
    return as_int(text)


def _choices(offer: Row) -> list[tuple[str, str]]:
    """The values of an enumeration with their display texts, as far as both lists reach."""
    values, shown = offer.get("ValidRegistryValues"), offer.get("ValidDisplayValues")
    if not isinstance(values, list):
        return []
    displays: list[Any] = shown if isinstance(shown, list) else []
    return [(as_text(value) or "", as_text(displays[at]) or "" if at < len(displays) else "") for at, value in enumerate(values)]


def _is_index(choices: list[tuple[str, str]]) -> bool:
    """Whether an enumeration's values only number its entries: 0, 1, 2 ... with other digits in their texts."""
    values = [as_int(value) for value, _ in choices]
    if not values or any(value is None for value in values):
        return False
    return max(value for value in values if value is not None) < len(values) + 1


def _shown_number(text: str) -> int | None:
    found = _DIGITS.findall(text.replace(",", "").replace(".", ""))
    return int(found[0]) if len(found) == 1 and len(found[0]) <= 9 else None


def _as_mtu(frame: int | None, held: tuple[str, str], offer: Offer | None) -> int | None:
    """A frame size as L3 MTU."""
    if frame is None:
        return None
    # Less than the standard's smallest, 1514: such a driver counts without the header, whatever else its list says.
    has_header = held[1].strip() != "1500" and (offer.counts_header if offer is not None else held[0].lower() != _PLAIN_FRAME)
    mtu = frame - ETHERNET_HEADER if has_header else frame
    return mtu if 64 <= mtu <= 65535 else None


@lru_cache(maxsize=1024)
def _frame(held: tuple[str, str], offer: Offer | None, no_offers: str) -> dict[str, Reading]:
    """The settings of a frame size. Cached as `_converted_plain` is, so the answer must not be changed."""
    return {"mtu": _mtu(held, offer), "mtu_maximum": _mtu_maximum(held, offer, no_offers)}


def _mtu(held: tuple[str, str], offer: Offer | None) -> Reading:
    source = _source(held)
    mtu = _as_mtu(offer.counted(held[1]) if offer is not None else as_int(held[1]), held, offer)
    if mtu is not None:
        return Value(mtu, source)
    if offer is not None and offer.shown is not None and held[1] == offer.default_text == "0":
        # The first entry of such a list is "Disabled" in the host's language: no digits, and the standard's default of 1514.
        return Value(1500, source)
    return Unknown(f"{held[0]} is {source.raw!r}, which is no frame size", source)


def _mtu_maximum(held: tuple[str, str], offer: Offer | None, no_offers: str) -> Reading:
    source = _source(held, "property_catalogue")
    if offer is None:
        return Unknown(no_offers, source)
    return _whole(_as_mtu(offer.maximum, held, offer), "driver reports no maximum frame size", source)


@lru_cache(maxsize=4096)
def _ring(key: str, held: tuple[str, str], offer: Offer | None, no_offers: str) -> dict[str, Reading]:
    """The settings of one kind of buffers. Cached as `_converted_plain` is, so the answer must not be changed."""
    source, offered = _source(held), _source(held, "property_catalogue")
    count: Reading
    if offer is None:
        if held[0].lower() in _INDEX_UNLESS_STARRED:
            count = Unknown(f"{held[0]} is an index into the driver's list, and {no_offers}", source)
        else:
            count = _whole(as_int(held[1]), f"{held[0]} is {source.raw!r}, which is no count", source)
        limit = Unknown(no_offers, offered)
        return {key: count, f"{key}_maximum": limit, f"{key}_default": limit}
    return {
        key: _whole(offer.counted(held[1]), f"{held[0]} is {source.raw!r}, which is no count", source),
        f"{key}_maximum": _whole(offer.maximum, "driver reports no maximum", offered),
        f"{key}_default": _whole(offer.counted(offer.default_text), "driver reports no default", offered),
    }


def _whole(value: SettingValue | None, otherwise: str, source: Source) -> Reading:
    return Unknown(otherwise, source) if value is None else Value(value, source)


# Every setting of an adapter of which not all keywords were shown.
NONE_SHOWN: dict[str, Reading] = dict.fromkeys(
    KEYS, Unknown(f"the copied output of {COMMAND} shows only some properties", Source("properties", COMMAND, ""))
)
# Every setting of a driver that has no keyword for it.
NONE_OFFERED: dict[str, Reading] = {key: not_offered(key) for key in KEYS}
