"""Base schemas of the JSON API: what outputs, inputs, pages and problems have in common."""

import re
import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from plumbline.core.facts.configuration import Subject
from plumbline.core.freshness import Freshness as Freshness

Drift = Literal["none", "drift", "unknown"]
Severity = Literal["critical", "high", "medium", "low", "none"]


class Schema(BaseModel):
    """An output of the API."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True, serialize_by_alias=True)


class Input(BaseModel):
    """An input of the API: unknown fields are refused, so that a misspelt one is not silently ignored."""

    model_config = ConfigDict(extra="forbid")


def plain(text: str) -> str:
    """The text, if it holds no control characters."""
    if any((ord(char) < 32 and char not in "\n\t") or ord(char) == 127 or 0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise ValueError("Control characters are not allowed.")
    return text


# Invisible characters that Unicode counts as letters or signs: Hangul fillers and the empty Braille cell.
_EMPTY = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def is_seen(text: str) -> bool:
    """Whether the text has a visible character: a letter, a digit or a sign."""
    return any(unicodedata.category(char)[0] not in "ZC" and char not in _EMPTY for char in text)


def not_blank(text: str) -> str:
    """The text, if it has a visible character. Raises `ValueError`."""
    if not is_seen(text):
        raise ValueError("Enter a name.")
    return text


def named(value: Any) -> Any:
    """A name without the spaces around it. Raises `ValueError` for one without a visible character, which could not be found in a list."""
    return not_blank(value).strip() if isinstance(value, str) else value


_NUMBER = re.compile(r"\s*[+-]?\d+(\.\d*)?\s*")


def _written(value: Any) -> Any:
    """A time as it was written. Raises `ValueError` for a number, which pydantic would take for seconds since 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise ValueError("Enter a date and time with its offset from UTC, such as 2026-11-24T12:00:00Z.")
    return value


# Text that a person typed, without the spaces around it (spaces alone are not a reason) and without control characters: PostgreSQL cannot
# store NUL, and screens cannot show the others.
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000), AfterValidator(plain)]
# A longer text of several lines, as it was typed.
LongText = Annotated[str, Field(max_length=10_000), AfterValidator(plain)]
Name = Annotated[str, BeforeValidator(named), Field(min_length=1, max_length=120), AfterValidator(plain)]
Moment = Annotated[AwareDatetime, BeforeValidator(_written)]
RowId = Annotated[int, Field(ge=1, le=2**31 - 1)]
# As the server gives it at enrolment: 32 hexadecimal digits.
HostId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class SubjectOut(Schema):
    """The part of a host that a finding, setting or change is about. `label` is its name on the host."""

    kind: str
    id: str
    label: str

    @classmethod
    def of(cls, subject: Subject, label: str) -> "SubjectOut":
        """From a subject of a configuration."""
        return cls(kind=subject.kind, id=subject.id, label=label)


class NamedHost(Schema):
    """A host as a link."""

    id: str
    name: str


class Problem(Schema):
    """An RFC 9457 problem. `code` is a stable word for programs; `request_id` finds the entry in the log."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: list[dict[str, Any]] = Field(default_factory=list)


class Done(Schema):
    """One sentence about what was done or requested."""

    words: str


class GroupName(Schema):
    """A group as a link."""

    id: int
    name: str
    path: str
