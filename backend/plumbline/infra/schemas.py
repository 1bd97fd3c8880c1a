"""Base schemas of the JSON API: what outputs, inputs, pages and problems have in common."""

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

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
        raise ValueError("control characters are not allowed")
    return text


# Characters that draw nothing although Unicode counts them as letters or signs: fillers of Hangul and the empty cell of Braille.
_EMPTY = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def is_seen(text: str) -> bool:
    """Whether anything of the text can be seen: a letter, a figure or a sign, not spaces and invisible characters alone."""
    return any(unicodedata.category(char)[0] not in "ZC" and char not in _EMPTY for char in text)


def not_blank(text: str) -> str:
    """The text, if anything of it can be seen."""
    if not is_seen(text):
        raise ValueError("it is blank; a name needs at least one character that can be seen")
    return text


def named(given: Any) -> Any:
    """A name without the spaces around it. Raises `ValueError` where nothing of it can be seen: nobody could pick it from a list."""
    return not_blank(given).strip() if isinstance(given, str) else given


# Text that a person typed, without the spaces around it, so that spaces alone are no reason: PostgreSQL stores no NUL, and no screen
# should have to show a control character.
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000), AfterValidator(plain)]
Name = Annotated[str, BeforeValidator(named), Field(min_length=1, max_length=120), AfterValidator(plain)]
RowId = Annotated[int, Field(ge=1, le=2**31 - 1)]


class SubjectOut(Schema):
    """What a finding, setting or change is about. `label` is what people call it, from the host's own words."""

    kind: str
    id: str
    label: str

    @classmethod
    def of(cls, subject: Subject, label: str) -> "SubjectOut":
        """The shape of a subject of the configuration."""
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
