"""PURE: what a ticket system is sent and how its answer is read: a JSON body with placeholders, the place of the ticket's number, its link.

    {"short_description": "{{title}}", "description": "{{description}}"}      the number is at result.number

Placeholders stand in texts of the body only and are filled after it was parsed, so no value can change what the request means.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

# Placeholder -> what is put in its place.
PLACEHOLDERS: Mapping[str, str] = {
    "title": "the first line",
    "description": "the text, with a line for each change and the link to Plumbline",
    "hosts": "the names of the hosts, separated by commas",
    "group": "the group of the hosts",
    "requested_by": "who creates the ticket",
    "url": "the page in Plumbline",
    "id": "the same for every attempt, for systems that drop repeats",
}
LONGEST_NUMBER = 100
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


class FormInvalid(Exception):
    """The form of a ticket system cannot be used; the message says what and where."""


@dataclass(frozen=True, slots=True)
class TicketForm:
    """`body`: JSON with placeholders. `number`: keys and list positions, joined by dots. `link`: an https address with `{{number}}`."""

    body: str
    number: str
    link: str

    def check(self) -> None:
        """Raises `FormInvalid`."""
        names = {name for text in _texts(self._parsed()) for name in _PLACEHOLDER.findall(text)}
        if unknown := sorted(names - PLACEHOLDERS.keys()):
            known = ", ".join(f"{{{{{name}}}}}" for name in PLACEHOLDERS)
            raise FormInvalid(f"Body: {{{{{unknown[0]}}}}} is no placeholder. Use {known}.")
        if not names & {"title", "description"}:
            raise FormInvalid("Body: put {{title}} or {{description}} in one of its texts.")
        if self.link:
            parts = urlsplit(self.link)
            if parts.scheme != "https" or not parts.hostname or _PLACEHOLDER.findall(self.link) != ["number"]:
                raise FormInvalid("Link: enter an https address with {{number}} in it, or leave it empty.")
            if "{{" in parts.netloc:
                raise FormInvalid("Link: {{number}} can't be part of the host's name.")

    def filled(self, values: Mapping[str, str]) -> bytes:
        """The body of one ticket."""

        def fill(text: str) -> str:
            return _PLACEHOLDER.sub(lambda found: values[found[1]], text)

        return json.dumps(_mapped(self._parsed(), fill), ensure_ascii=False).encode()

    def number_in(self, answer: bytes) -> str:
        """The ticket's number in an answer; empty where it is not there."""
        try:
            at: Any = json.loads(answer)
        except ValueError:
            return ""
        for key in self.number.split(".") if self.number else ():
            if isinstance(at, list) and key.isdecimal() and int(key) < len(at):
                at = at[int(key)]
            elif isinstance(at, dict):
                at = at.get(key)
            else:
                return ""
        if isinstance(at, bool) or not isinstance(at, (str, int)):
            return ""
        number = str(at).strip()
        return number if number.isprintable() and len(number) <= LONGEST_NUMBER else ""

    def link_to(self, number: str) -> str:
        """The page of a ticket; empty where there is none."""
        return _PLACEHOLDER.sub(lambda _: quote(number, safe=""), self.link) if number else ""

    def _parsed(self) -> Any:
        try:
            parsed = json.loads(self.body)
        except ValueError as error:
            raise FormInvalid(f"Body: not JSON: {error}") from error
        except RecursionError as error:
            raise FormInvalid("Body: nested too deeply.") from error
        if not isinstance(parsed, dict):
            raise FormInvalid("Body: enter a JSON object: {…}.")
        return parsed


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    if isinstance(value, dict):
        return {key: _mapped(each, change) for key, each in value.items()}
    return value


def _texts(value: Any) -> list[str]:
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    _mapped(value, note)
    return found
