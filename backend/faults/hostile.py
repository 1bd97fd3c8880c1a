"""Hostile names: what a host, a person or a forger could call an adapter, a switch or a setting so that it becomes a command somewhere."""

import random
from collections.abc import Iterator

# Part of every hostile name: if a shell of either kind ever ran it, this file would be in the folder that the caller names.
MARK = "plumbline-canary"
_HUGE = 64 * 1024

# Quotes that PowerShell takes for its own are among them, and spaces and line ends that are none to a human eye.
_QUOTES = ["'", '"', "`", "\u2018", "\u2019", "\u201a", "\u201b", "\u201c", "\u201d", "\u201e", "''", '"""', "\\'", "'@\n", '"@\r\n']
_BREAKS = ["\n", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x1b[2J", "\x85", "\u2028", "\u2029", "\u200b", "\u202e", "\ufeff", "\udc80", "\t"]
_BEFORE = [
    "; ", "&& ", "|| ", "| ", "& ", "$(", "${", "@(", "@{", "--% ", "-", "--", "--help ", "%0a", "%27;", "%00", "{0}", "{{", "{% ", 
    "!unsafe ", "<(", "> ", "\\", "$((", "~", "*", "..", "../../", "\\\\host\\share\\", "#", "]]>", "<!--", "&#10;", "\uff1b", "\uff07",
    "\uff02 ",
]  # fmt: skip
_AFTER = [")", "}", " #", " --%", ";", "`", "'", '"', "\n", "\\", " |", "\x00", ""]
_GOOD = ["vmk0", "vmnic2", "vSwitch0", "001b21aabbcc", "vmhba64", "iqn.1998-01.com.vmware:esx", "naa.600601", "SAN1", "1500", "enabled", "",
         "0123456789abcdef", "host//net.lro", "initiator/vmhba64/delayed_ack"]  # fmt: skip


def commands(target: str) -> list[str]:
    """What a hostile name would like to have run; each makes the file `target`."""
    return [
        f"touch {target}",
        f"/bin/sh -c 'touch {target}'",
        f"python3 -c \"open('{target}','w')\"",
        f"New-Item {target}",
        f"esxcli system shutdown reboot -r {target}",
        f"Start-Process calc; New-Item {target}",
        f"Invoke-Expression 'New-Item {target}'",
    ]


def names(seed: int, count: int, target: str) -> Iterator[str]:
    """`count` names. Each holds at least one character that no id and no value may hold; every five-hundredth is of 64 kB."""
    dice = random.Random(seed)
    acts = commands(target)
    for number in range(count):
        name = _name(dice, acts)
        yield name if number % 500 else name + "A" * (_HUGE - len(name))


def _name(dice: random.Random, acts: list[str]) -> str:
    kind = dice.randrange(6)
    good = dice.choice(_GOOD)
    if kind == 0:
        # Good, but for one sign at its end: what `$` in a pattern lets pass.
        return good + dice.choice(_BREAKS + _QUOTES)
    if kind == 1:
        return good + dice.choice(_BREAKS) + dice.choice(acts) + dice.choice(_AFTER)
    quote = dice.choice(_QUOTES)
    middle = dice.choice(_BEFORE) + dice.choice(acts) + dice.choice(_AFTER)
    if kind == 2:
        return good + quote + middle + dice.choice(_QUOTES)
    if kind == 3:
        return quote + middle + quote + good
    if kind == 4:
        return "".join(dice.choice(_QUOTES + _BREAKS + _BEFORE) for _ in range(dice.randint(1, 8))) + " " + MARK
    return good + middle


def is_plain(text: str) -> bool:
    """Only letters, digits and the few signs of ids and values, none of which is special to a shell."""
    return all(char.isascii() and (char.isalnum() or char in "._:,>*/%()-") for char in text) and not text.startswith("-")
