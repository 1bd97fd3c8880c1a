"""What terminals, loggers, pagers and web pages add to an output, taken away again. Pure; it never raises.

Only what cannot be a part of an output is removed: a pager's prompt, the head of PuTTY's log, the frame of a PowerShell transcript, what
ESXi says at log-in, a fence or marks of a quotation, a common indentation. A table that was broken at the width of its window is joined
where its own line of dashes shows the break.
"""

import re

# `more` of cmd and of ESXi's shell, `less`, Out-Host -Paging: a line of its own, whatever its language where dashes frame it.
_PAGER = re.compile(
    r"^\s*(?:-- ?[^\W\d_][^-|=:]{0,40}--(?:\s*\(\d+%[^)]*\))?|--More--.*|"
    r"<\w+> [^;<>]+; <CR> [^;<>]+; Q \S+|lines \d+-\d+(?:/\d+)?(?: .*)?|\(END\))\s*$",
    re.IGNORECASE,
)
_PUTTY = re.compile(r"^(?:=~)+=? PuTTY log .*(?:=~)+=?\s*$")
_FENCE = re.compile(r"^\s*(?:```|~~~)\s*\w*\s*$")
_STARS = re.compile(r"^\*{20,}\s*$")
# ESXi's words at log-in, which are not translated.
_LOG_IN = re.compile(
    r"^\s*(?:The time and date of this login have been sent to the system logs\.|WARNING:\s*$|"
    r"All commands run on the ESXi shell are logged|"
    r"support bundles\. Do not provide passwords|Most tools can prompt for secrets|VMware offers (?:supported|powerful)|"
    r"offers powerful and supported|Please see \S*vmware\.com|The ESXi Shell can be disabled by|vSphere Security documentation)"
)
_RULE = re.compile(r"^[ \t]*-[- \t]*$")
_NARROWEST_WINDOW = 72


def as_printed(text: str) -> str:
    """The output as the host printed it."""
    lines = [line for line in _without_transcript(text.split("\n")) if not (_PAGER.match(line) or _PUTTY.match(line) or _FENCE.match(line))]
    lines = _untabbed(_dedented(_unquoted(_without_log_in(lines))))
    return "\n".join(_joined(lines))


def _without_transcript(lines: list[str]) -> list[str]:
    """Without the frames of Start-Transcript: at its beginning and its end some lines between two rows of stars."""
    stars = [at for at, line in enumerate(lines) if _STARS.match(line)]
    kept = list(lines)
    for first, last in zip(stars[::2], stars[1::2], strict=False):
        if 1 < last - first < 30:
            kept[first : last + 1] = [""] * (last + 1 - first)
            after = last + 1
            # `Transcript started, output file is ...`, whatever the language: the file's name is what it is known by.
            if after < len(kept) and re.search(r"\.txt\s*$", kept[after]):
                kept[after] = ""
    return kept


def _without_log_in(lines: list[str]) -> list[str]:
    if not any(line.startswith("The time and date of this login have been sent") for line in lines):
        return lines
    return [line for line in lines if not _LOG_IN.match(line)]


def _unquoted(lines: list[str]) -> list[str]:
    """Without the marks of a quotation, where every line has one."""
    told = [line for line in lines if line.strip()]
    if len(told) < 2 or not all(line.lstrip().startswith(">") for line in told):
        return lines
    return [re.sub(r"^\s*> ?", "", line) for line in lines]


def _dedented(lines: list[str]) -> list[str]:
    """Without the indentation that all lines have, where it is that of a quoted block: four or more."""
    told = [line for line in lines if line.strip()]
    common = min((len(line) - len(line.lstrip(" ")) for line in told), default=0)
    return [line[common:] for line in lines] if common >= 4 and len(told) > 1 else lines


def _untabbed(lines: list[str]) -> list[str]:
    """A table whose cells are parted by tabs, as from a spreadsheet, by columns of spaces; its line of dashes shows that it is one."""
    if not any("\t" in line and _RULE.match(line) for line in lines):
        return lines
    cells = [line.split("\t") if "\t" in line else None for line in lines]
    width = [0] * max(len(row) for row in cells if row is not None)
    for row in cells:
        for at, cell in enumerate(row or ()):
            width[at] = max(width[at], len(cell.strip()))
    return [
        line if row is None else "  ".join(cell.strip().ljust(width[at]) for at, cell in enumerate(row)).rstrip()
        for line, row in zip(lines, cells, strict=True)
    ]


def _joined(lines: list[str]) -> list[str]:
    """Lines that were broken at the width of a window, whole: the line of dashes of a table was broken there too."""
    width = max((len(line) for line in lines), default=0)
    broken = [
        at
        for at, line in enumerate(lines[:-1])
        if len(line) == width and _RULE.match(line) and _RULE.match(lines[at + 1]) and lines[at + 1].strip()
    ]
    if width < _NARROWEST_WINDOW or not broken:
        return lines
    whole: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            whole[-1] += line
        else:
            whole.append(line)
        is_open = len(line) == width
    return whole
