"""An adapter's switch, link and speed, and what a printed list shows of its driver in one sentence."""

import re

from plumbline.core.facts.configuration import NotOffered, Subject, Unknown, Value
from plumbline.core.facts.windows.reads import Body, Row, as_int, as_text, choice

ADAPTER = "Get-NetAdapter"
# What Windows prints for the speed of an adapter without link: all bits set, in 64 or in 63 bits.
_NO_SPEED = 2**63 - 1
UP = choice({"up": "up", "1": "up", "down": "down", "2": "down"})
_LINK = choice(
    {
        "up": "up", "1": "up", "connected": "up",
        "down": "down", "2": "down", "disconnected": "down", "notpresent": "down", "lowerlayerdown": "down",
    }
)  # fmt: skip
# The cmdlet's own summary, for copied tables that show nothing else: (switched on, has link); None where it is not known.
STATUS: dict[str, tuple[bool | None, bool]] = {
    "up": (True, True), "disconnected": (True, False), "disabled": (False, False), "not present": (None, False),
    "lower layer down": (True, False), "dormant": (True, False),
}  # fmt: skip


# How `Format-List` shows them: "Driver Date 2015-03-20 Version 12.12.50.6 NDIS 6.30".
_INFORMATION = re.compile(r"Driver Date (\S+) Version (\S+)")


def is_told_in_one(row: Row) -> bool:
    """Whether a row of printed text has version and date of the driver in this one sentence alone."""
    return "DriverVersion" not in row and bool(_INFORMATION.match(as_text(row.get("DriverInformation")) or ""))


def driver_version(raw: object) -> str | None:
    """The version in that sentence."""
    found = _INFORMATION.match(as_text(raw) or "")
    return found.group(2) if found else None


def driver_date(raw: object) -> str | None:
    """The date in that sentence."""
    found = _INFORMATION.match(as_text(raw) or "")
    return found.group(1) if found else None


def set_link(body: Body, subject: Subject, row: Row) -> None:
    """Whether an adapter is switched on and has a link, and how fast that is."""
    facts = body.facts
    admin = body.reading(ADAPTER, row, "AdminStatus", UP)
    summary = STATUS.get((as_text(row.get("Status")) or "").lower()) if "AdminStatus" not in row else None
    if summary is not None:
        _by_summary(body, subject, row, summary)
        return
    facts.set(subject, "admin_up", Value(admin.value == "up", admin.source) if isinstance(admin, Value) else admin)
    field_name = "ifOperStatus" if row.get("ifOperStatus") not in (None, "") else "MediaConnectionState"
    link = body.reading(ADAPTER, row, field_name, _LINK)
    if isinstance(link, Value):
        facts.set_value(subject, "link_up", link.value == "up", link.source)
    else:
        facts.set(subject, "link_up", link)
    _speed(body, subject, row, has_link=not isinstance(link, Value) or link.value == "up")


def _by_summary(body: Body, subject: Subject, row: Row, summary: tuple[bool | None, bool]) -> None:
    admin, link = summary
    source = body.source(ADAPTER, "Status", row.get("Status"))
    body.facts.set(
        subject, "admin_up", Unknown("an adapter that is not present reports no switch", source) if admin is None else Value(admin, source)
    )
    body.facts.set_value(subject, "link_up", link, source)
    _speed(body, subject, row, has_link=link)


def _speed(body: Body, subject: Subject, row: Row, *, has_link: bool) -> None:
    facts = body.facts
    if not has_link:
        facts.set(subject, "link_speed_bps", NotOffered("no link", body.source(ADAPTER, "Speed", row.get("Speed"))))
        return
    speed = as_int(row.get("Speed"))
    if speed is not None and 0 < speed < _NO_SPEED:
        facts.set_value(subject, "link_speed_bps", speed, body.source(ADAPTER, "Speed", row.get("Speed")))
    elif (shown := _shown_speed(row.get("LinkSpeed"))) is not None:
        facts.set_value(subject, "link_speed_bps", shown, body.source(ADAPTER, "LinkSpeed", row.get("LinkSpeed")))
    else:
        facts.set(subject, "link_speed_bps", body.missing(ADAPTER, "Speed"))


def _shown_speed(raw: object) -> int | None:
    """`40 Gbps` as bits a second; only in folders of captured text, an agent sends the number."""
    number, _, unit = (as_text(raw) or "").partition(" ")
    factor = {"gbps": 10**9, "mbps": 10**6, "kbps": 10**3, "bps": 1}.get(unit.strip().lower())
    try:
        # A half of something is written with a comma in many languages.
        return None if factor is None else int(float(number.replace(",", ".")) * factor)
    except (ValueError, OverflowError):
        return None
