"""Names and reasons that people enter contain something visible: no one could choose from a list of blanks."""

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from plumbline.auth.oidc_schemas import GroupName
from plumbline.infra.schemas import Input, Name, Words
from plumbline.web import app  # noqa: F401 - importing it imports every shape of the API
from tests.api.conftest import Ask

BLANKS = [" ", "   ", "\t", "\u00a0", "\u200b", "\u2060\ufeff", "\u3164", "\u2800", " \u00ad "]
# What people call a thing, as against what a machine calls it (a hostname that an agent sends).
NAMES = {"name", "display_name", "label"}


def inputs(base: type[BaseModel] = Input) -> list[type[BaseModel]]:
    return [each for one in base.__subclasses__() for each in (one, *inputs(one))]


@pytest.mark.parametrize("blank", BLANKS)
def test_a_name_needs_a_character_that_can_be_seen(blank: str) -> None:
    with pytest.raises(ValidationError, match="Enter a name"):
        TypeAdapter(Name).validate_python(blank)
    with pytest.raises(ValidationError, match="Enter a name"):
        TypeAdapter(GroupName).validate_python(blank)


@pytest.mark.parametrize("seen", ["a", "Ω", "7", "日", "-", "\U0001f6e0"])
def test_a_name_is_kept_without_the_spaces_around_it(seen: str) -> None:
    assert TypeAdapter(Name).validate_python(f"  {seen} \u00a0") == seen
    # The provider's groups are compared letter by letter.
    assert TypeAdapter(GroupName).validate_python(f" {seen} ") == f" {seen} "


def test_every_name_that_a_person_enters_is_checked() -> None:
    fields = [(shape, name, field) for shape in inputs() for name, field in shape.model_fields.items() if name in NAMES]
    assert len(fields) >= 15
    for shape, name, field in fields:
        with pytest.raises(ValidationError, match="Enter a name"):
            shape.__pydantic_validator__.validate_assignment(shape.model_construct(), name, "  ")
        assert field.annotation is not None


def test_only_spaces_are_no_reason() -> None:
    shapes = [shape for shape in inputs() if "reason" in shape.model_fields and shape.model_fields["reason"].is_required()]
    assert len(shapes) >= 10
    for shape in shapes:
        with pytest.raises(ValidationError) as refused:
            shape.__pydantic_validator__.validate_assignment(shape.model_construct(), "reason", "            ")
        assert [each["loc"] for each in refused.value.errors()] == [("reason",)], shape.__name__
    assert TypeAdapter(Words).validate_python("  because\n") == "because"


@pytest.mark.parametrize(
    ("login", "method", "path", "body", "field"),
    [
        ("admin", "POST", "/groups", {"name": "  ", "parent_id": 1}, "name"),
        ("admin", "PATCH", "/groups/1", {"name": "\u200b"}, "name"),
        ("viewer", "POST", "/views", {"name": "\u00a0", "url": "/hosts"}, "name"),
        ("admin", "POST", "/people", {"login": "nobody", "display_name": " ", "password": "a long enough password"}, "display_name"),
        ("viewer", "POST", "/tokens", {"name": "\t", "roles": []}, "name"),
    ],
)
def test_a_blank_name_is_refused_by_its_field(ask: Ask, login: str, method: str, path: str, body: dict[str, Any], field: str) -> None:
    refused = ask(login, method, path, json=body)
    assert refused.status_code == 422
    assert refused.json()["detail"] == f"{field}: Enter a name."
    assert refused.json()["errors"][0]["place"] == f"body.{field}"


def test_a_short_reason_is_refused_in_words_for_people(ask: Ask) -> None:
    refused = ask("operator", "POST", "/baselines", json={"group_id": 1, "reason": "   a   "})
    assert (refused.status_code, refused.json()["detail"]) == (422, "reason: Enter at least 3 characters.")
