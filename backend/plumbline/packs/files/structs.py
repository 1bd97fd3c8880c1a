"""From located YAML to the structs of `document.py`, with the line of the first mistake."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from plumbline.packs.files.yaml_lines import Located, Steps, steps_of

_Schema = TypeVar("_Schema")


def converted(located: Located, schema: type[_Schema]) -> _Schema:
    """A document of this schema, or `RulesetInvalid` with the line of the first mistake."""
    document: _Schema = _converted_at(located, located.data, schema, ())
    return document


def _converted_at(located: Located, data: object, schema: Any, steps: Steps) -> Any:
    try:
        return msgspec.convert(data, schema, strict=True)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        above, some_member, _ = path.rstrip("`").partition("[...]")
        inner = (*steps, *steps_of(above))
        if some_member:
            # Of a mapping msgspec reports only that some member is wrong; checking the members one by one shows which.
            _find_member(located, inner, _mapping_at(schema, steps_of(above)))
        at = steps_of(path.rstrip("`"))
        field, text = _message(message, _schema_at(schema, at))
        raise located.wrong((*steps, *at, *field), text) from error


_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.+)`")
_MISSING_FIELD = re.compile(r"Object missing required field `(.+)`")
_NO_CHOICE = re.compile(r"Invalid enum value '(.*)'")
_WRONG_TYPE = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_TYPES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}


def _message(message: str, schema: Any) -> tuple[Steps, str]:
    """An error of msgspec, as a message to the author, and its field if that is on a line of its own."""
    if found := _UNKNOWN_FIELD.fullmatch(message):
        known = [each.encode_name for each in msgspec.structs.fields(schema)] if _is_struct(schema) else []
        near = get_close_matches(found[1], known, n=1, cutoff=0.5)
        return (found[1],), f"unknown field `{found[1]}`" + (f"; did you mean `{near[0]}`?" if near else "")
    if found := _MISSING_FIELD.fullmatch(message):
        return (), f"missing required field `{found[1]}`"
    if found := _NO_CHOICE.fullmatch(message):
        choices = [str(each) for one in _plain_schemas(schema) if get_origin(one) is Literal for each in get_args(one)]
        return (), f"{found[1]!r} is not one of {', '.join(choices)}" if choices else message
    if found := _WRONG_TYPE.fullmatch(message):
        wanted, got = ([_TYPES.get(one, one) for one in side.split(" | ")] for side in found.groups())
        hint = "; write it in quotes" if "text" in wanted and found[2] in ("int", "float", "bool") else ""
        return (), f"should be {' or '.join(wanted)} and is {' or '.join(got)}{hint}"
    return (), message


def _is_struct(schema: Any) -> bool:
    return isinstance(schema, type) and issubclass(schema, msgspec.Struct)


def _schema_at(schema: Any, steps: Steps) -> Any:
    """The struct or field that the steps lead to; None where they lead through a choice of several."""
    try:
        for step in steps:
            if isinstance(step, int):
                schema = get_args(next(one for one in _plain_schemas(schema) if get_origin(one) is list))[0]
            else:
                struct = next(one for one in _plain_schemas(schema) if _is_struct(one))
                schema = next(each.type for each in msgspec.structs.fields(struct) if each.encode_name == step)
    except StopIteration:
        return None
    return next((one for one in _plain_schemas(schema) if _is_struct(one)), schema)


def _mapping_at(schema: Any, steps: Steps) -> Any:
    """The mapping that fields of structs and members of lists lead to."""
    for step in steps:
        if isinstance(step, int):
            schema = get_args(next(one for one in _plain_schemas(schema) if get_origin(one) is list))[0]
        else:
            struct = next(one for one in _plain_schemas(schema) if isinstance(one, type) and issubclass(one, msgspec.Struct))
            schema = next(each.type for each in msgspec.structs.fields(struct) if each.encode_name == step)
    return next(one for one in _plain_schemas(schema) if get_origin(one) is dict)


def _plain_schemas(schema: Any) -> Iterator[Any]:
    """The schemas that a field may have, without bounds and without the marker of what was left out."""
    if get_origin(schema) is Annotated:
        yield from _plain_schemas(get_args(schema)[0])
    elif get_origin(schema) in (Union, UnionType):
        for one in get_args(schema):
            yield from _plain_schemas(one)
    else:
        yield schema


def _find_member(located: Located, steps: Steps, schema: Any) -> None:
    """Raises for the first member of a mapping whose name or value does not match its schema."""
    names, values = get_args(schema)
    mapping = located.data
    for step in steps:
        mapping = mapping[step]
    for name, value in mapping.items():
        _converted_at(located, name, names, (*steps, name))
        _converted_at(located, value, values, (*steps, name))
