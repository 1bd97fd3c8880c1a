"""Copied consoles: prompts with what was typed at them, and the errors that PowerShell prints in place of rows."""

import re
from dataclasses import dataclass

# `PS C:\>`, `[sql-03]: PS C:\Users\x>`, `PS>`, `C:\Windows\system32>`: what precedes a typed command.
_PROMPT = re.compile(r"^\s*(?:\[[^\]\n]{1,120}\]:\s*)?(?:PS(?:[ \t]+[^>\n]{0,200})?|[A-Za-z]:\\[^>\n]{0,200})>[ \t]*(.*)$")
_MORE = re.compile(r"^>>(?:[ \t].*)?$")
# The two labels are the same in every language of Windows; the words around them are not.
_CATEGORY = re.compile(r"\+ CategoryInfo\s{0,20}:")
_CONCISE = re.compile(r"^Get-[A-Za-z]{3,60} ?: (\S.*)$")
_ERROR_ID = re.compile(r"\+ FullyQualifiedErrorId\s{0,20}:\s{0,20}(\S+)")
_FILTER = re.compile(
    r"\s-(?:Name|InterfaceDescription|InterfaceAlias|InterfaceIndex|DisplayName|RegistryKeyword|First|Last|Number|FriendlyName)"
    r"\s+(?![*'\"]*\*)|\bWhere(?:-Object)?\b|\|\s*\?",
    re.IGNORECASE,
)
_SOME_PROPERTIES = re.compile(r"\s-(?:DisplayName|RegistryKeyword|First|Last)\s|\bWhere(?:-Object)?\b|\|\s*\?", re.IGNORECASE)

_ALL = re.compile(r"\b(?:fl|format-list|select|select-object)\s+(?:-property\s+)?\*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """One command of a copied console and the lines it printed; `line` is empty for what precedes the first prompt."""

    line: str
    printed: list[str]

    @property
    def shows_all(self) -> bool:
        """Whether the command lists every property."""
        return bool(_ALL.search(self.line))

    @property
    def asks_for_some_properties(self) -> bool:
        """Whether the command lists only some of an adapter's advanced properties."""
        return bool(_SOME_PROPERTIES.search(self.line))

    @property
    def is_filtered(self) -> bool:
        """Whether the command lists only some of the system's objects."""
        return bool(_FILTER.search(self.line))


def split_typed(text: str) -> list[Typed]:
    """A text by its prompts; one without any is a single part."""
    parts = [Typed("", [])]
    for line in text.split("\n"):
        match = _PROMPT.match(line)
        if match:
            parts.append(Typed(match.group(1).strip(), []))
        elif not (_MORE.match(line) and parts[-1].line and not parts[-1].printed):
            parts[-1].printed.append(line.rstrip())
    return [part for part in parts if part.line or any(line.strip() for line in part.printed)]


def error_in(lines: list[str]) -> tuple[str, str] | None:
    """(status, words) where PowerShell printed an error record: `unavailable` where there is no such command, else `failed`."""
    text = "\n".join(lines)
    concise = next((match for line in lines if line.strip() and (match := _CONCISE.match(line))), None)
    if concise is not None and next(line for line in lines if line.strip()) == concise.string and not _ERROR_ID.search(text):
        # PowerShell 7 prints no more than this, and a picture of the line.
        return ("unavailable" if "CommandNotFound" in text else "failed"), concise.group(1)
    if not (_CATEGORY.search(text) or _ERROR_ID.search(text)):
        return None
    identity = _ERROR_ID.search(text)
    name = identity.group(1).partition(",")[0] if identity else ""
    first = next(line.strip() for line in lines if line.strip())
    words = first.partition(" : ")[2] or first
    if name.startswith("CommandNotFound"):
        return "unavailable", words
    return "failed", words
