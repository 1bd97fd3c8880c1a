"""`netsh int tcp show global`: English by its labels, any other language by the order of its lines and the form of their values.

The labels are translated, the values are not, and the order is the same in every language: RSS first; the auto-tuning level just above the
provider of congestion control; RSC just below the initial RTO, the first number (seen in German and Japanese on Server 2008 R2 to 2025).
"""

import re

from plumbline.core.facts.captures.windows_text.values import Row

RSS, CHIMNEY, LEVEL, RSC = (
    "Receive-Side Scaling State",
    "Chimney Offload State",
    "Receive Window Auto-Tuning Level",
    "Receive Segment Coalescing State",
)
# Not a label of the list: the text of the footnote.
HEURISTICS = "Window Scaling heuristics"
_ON_OFF = ("enabled", "disabled")
_CHIMNEY_STATES = (*_ON_OFF, "automatic", "default")
_LEVELS = ("disabled", "highlyrestricted", "restricted", "normal", "experimental")
_PROVIDERS = ("none", "default", "ctcp", "cubic", "dctcp", "newreno", "ledbat", "bbr", "bbr2")


def _folded(label: str) -> str:
    return "".join(sign for sign in label.lower() if sign.isalnum())


_ENGLISH = {_folded(label): label for label in (RSS, CHIMNEY, LEVEL, RSC)}


# Below the list, in the host's language: "** The above autotuninglevel setting is the result of Windows Scaling heuristics ...".
_OVERRIDDEN = re.compile(r"^\s*\*\*\s*\S")


def read_global(lines: list[str]) -> list[Row]:
    """One row by the English labels, empty where the text is no such output; it has the level only where the whole list was understood."""
    labelled: list[tuple[str, str]] = []
    for line in lines:
        label, colon, value = line.rpartition(":")
        if colon and value.split():
            # Whatever follows the first word of a value is a remark.
            labelled.append((_folded(label), value.split()[0].lower()))
    is_overridden = any(_OVERRIDDEN.match(line) for line in lines)
    english: Row = {_ENGLISH[label]: value for label, value in labelled if label in _ENGLISH}
    found = english or _by_order([value for _, value in labelled])
    if is_overridden and found:
        found = {**found, HEURISTICS: "enabled"}
    return [found] if found else []


def _by_order(values: list[str]) -> Row:
    provider = next((at for at, value in enumerate(values[:7]) if at > 1 and value in _PROVIDERS and values[at - 1] in _LEVELS), None)
    if provider is None or values[0] not in _ON_OFF:
        return {}
    found: Row = {RSS: values[0], LEVEL: values[provider - 1]}
    if provider > 2:
        if values[1] not in _CHIMNEY_STATES:
            return {}
        found[CHIMNEY] = values[1]
    first_number = next((at for at, value in enumerate(values) if at > provider and value.isascii() and value.isdigit()), len(values))
    if first_number + 1 < len(values) and values[first_number + 1] in _ON_OFF:
        found[RSC] = values[first_number + 1]
    return found
