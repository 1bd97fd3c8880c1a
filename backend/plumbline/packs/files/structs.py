"""From located YAML to the structs of `document.py`, with the line of the first mistake."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from plumbline.packs.files.yaml_lines import Located, Steps, steps_of

_Shape = TypeVar("_Shape")


def converted(located: Located, shape: type[_Shape]) -> _Shape:
    """A document of this shape, or `RulesetInvalid` with the line of the first mistake."""
    document: _Shape = _converted_at(located, located.data, shape, ())
    return document


def _converted_at(located: Located, data: object, shape: Any, steps: Steps) -> Any:
    try:
        return msgspec.convert(data, shape, strict=True)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        above, some_member, _ = path.rstrip("`").partition("[...]")
        inner = (*steps, *steps_of(above))
        if some_member:
            # Of a mapping msgspec says only that some member is wrong; the member alone says which.
            _find_member(located, inner, _mapping_at(shape, steps_of(above)))
        at = steps_of(path.rstrip("`"))
        field, said = _in_words(message, _shape_at(shape, at))
        raise located.wrong((*steps, *at, *field), said) from error


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


def _in_words(message: str, shape: Any) -> tuple[Steps, str]:
    """What msgspec found, as one would say it to the author, and the field that it is about where that stands on a line of its own."""
    if found := _UNKNOWN_FIELD.fullmatch(message):
        known = [each.encode_name for each in msgspec.structs.fields(shape)] if _is_struct(shape) else []
        near = get_close_matches(found[1], known, n=1, cutoff=0.5)
        return (found[1],), f"unknown field `{found[1]}`" + (f"; did you mean `{near[0]}`?" if near else "")
    if found := _MISSING_FIELD.fullmatch(message):
        return (), f"missing required field `{found[1]}`"
    if found := _NO_CHOICE.fullmatch(message):
        choices = [str(each) for one in _plain_shapes(shape) if get_origin(one) is Literal for each in get_args(one)]
        return (), f"{found[1]!r} is not one of {', '.join(choices)}" if choices else message
    if found := _WRONG_TYPE.fullmatch(message):
        wanted, got = ([_TYPES.get(one, one) for one in side.split(" | ")] for side in found.groups())
        hint = "; write it in quotes" if "text" in wanted and found[2] in ("int", "float", "bool") else ""
        return (), f"should be {' or '.join(wanted)} and is {' or '.join(got)}{hint}"
    return (), message


def _is_struct(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, msgspec.Struct)


def _shape_at(shape: Any, steps: Steps) -> Any:
    """The struct or field that the steps lead to; None where they lead through a choice of several."""
    try:
        for step in steps:
            if isinstance(step, int):
                shape = get_args(next(one for one in _plain_shapes(shape) if get_origin(one) is list))[0]
            else:
                struct = next(one for one in _plain_shapes(shape) if _is_struct(one))
                shape = next(each.type for each in msgspec.structs.fields(struct) if each.encode_name == step)
    except StopIteration:
        return None
    return next((one for one in _plain_shapes(shape) if _is_struct(one)), shape)


def _mapping_at(shape: Any, steps: Steps) -> Any:
    """The mapping that fields of structs and members of lists lead to."""
    for step in steps:
        if isinstance(step, int):
            shape = get_args(next(one for one in _plain_shapes(shape) if get_origin(one) is list))[0]
        else:
            struct = next(one for one in _plain_shapes(shape) if isinstance(one, type) and issubclass(one, msgspec.Struct))
            shape = next(each.type for each in msgspec.structs.fields(struct) if each.encode_name == step)
    return next(one for one in _plain_shapes(shape) if get_origin(one) is dict)


def _plain_shapes(shape: Any) -> Iterator[Any]:
    """The shapes that a field may have, without bounds and without the mark of what was left out."""
    if get_origin(shape) is Annotated:
        yield from _plain_shapes(get_args(shape)[0])
    elif get_origin(shape) in (Union, UnionType):
        for one in get_args(shape):
            yield from _plain_shapes(one)
    else:
        yield shape


def _find_member(located: Located, steps: Steps, shape: Any) -> None:
    """Raises for the first member of a mapping whose name or value is not of its shape."""
    names, values = get_args(shape)
    mapping = located.data
    for step in steps:
        mapping = mapping[step]
    for name, value in mapping.items():
        _converted_at(located, name, names, (*steps, name))
        _converted_at(located, value, values, (*steps, name))
