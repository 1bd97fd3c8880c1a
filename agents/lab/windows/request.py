"""What the runner of a Windows lab host accepts: one request of the schema, and a step that still finds what it was made for."""

import json
import re
from collections.abc import Mapping
from typing import Any

from lab.windows import values

_FIELDS = {"v", "verb", "host_id", "job_id", "op_id", "nonce", "gen", "attempt", "boot_id", "not_after_uptime_s", "step", "restart"}
_FIELDS |= {"deadman_s", "health_floor"}
_VERBS = ("fence", "read", "begin", "confirm", "receipt", "revert")
_ID = re.compile(r"[0-9a-f]{16,64}")

Request = Mapping[str, Any]


class Refused(Exception):
    """The request is not carried out."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


def compare(step: list[dict[str, str]], now: Mapping[str, str | None], fault: str | None) -> None:
    """Raises Refused where an element reads neither as it was seen nor as it is wanted, or cannot be read."""
    for element in step:
        value = now[element["setting"]]
        if value is None:
            raise Refused("failed", fault or f"{element['setting']} cannot be read")
        if value not in (element["seen"], element["target"]):
            words = f"{element['setting']} reads {value}: neither as seen ({element['seen']}) nor as wanted ({element['target']})"
            raise Refused("conflict", f"{words}; nothing was set")


def floor_fault(floor: Mapping[str, int] | None, figures: Mapping[str, int | None]) -> str:
    """Which figure of health is below the requested floor; empty where none is. An unknown one is below every floor."""
    for name, least in (floor or {}).items():
        found = figures[name]
        if found is None or found < least:
            return f"{name}: {'unknown' if found is None else found}, and {least} are asked for"
    return ""


def parsed(data: bytes) -> dict[str, Any]:
    """The request, checked. Raises Refused."""
    try:
        request = json.loads(data)
    except ValueError as error:
        raise Refused("bad_request", f"the request is no JSON: {error}") from error
    if not isinstance(request, dict) or set(request) != _FIELDS or request["v"] != 1 or request["verb"] not in _VERBS:
        raise Refused("bad_request", "the request is not one object with the fields of the schema")
    if not all(isinstance(request[name], str) and _ID.fullmatch(request[name]) for name in ("host_id", "job_id", "op_id", "nonce")):
        raise Refused("bad_request", "ids are 16 to 64 hexadecimal digits")
    if request["verb"] not in ("read", "receipt") and (request["boot_id"] is None or request["not_after_uptime_s"] is None):
        raise Refused("bad_request", "boot_id and not_after_uptime_s are needed")
    fields = {"begin": {"setting", "seen", "target", "inverse"}, "read": {"setting"}}.get(request["verb"])
    if (fields is None and request["step"]) or (request["verb"] == "begin" and not request["step"]):
        raise Refused("bad_request", "step must be a list that fits the verb")
    for element in request["step"]:
        _check_element(element, fields or set())
    if request["verb"] != "begin" and any(request[name] is not None for name in ("restart", "deadman_s", "health_floor")):
        raise Refused("bad_request", "restart, deadman_s and health_floor belong to begin")
    if request["restart"] is not None and not re.fullmatch(r"(adapter|vnic)/[0-9a-f:.-]+", str(request["restart"])):
        raise Refused("bad_request", "restart must name an adapter or a vnic")
    if request["deadman_s"] is not None and not 1 <= request["deadman_s"] <= 7200:
        raise Refused("bad_request", "deadman_s must lie between 1 and 7200")
    return request


def _check_element(element: Any, fields: set[str]) -> None:
    if not isinstance(element, dict) or set(element) != fields:
        raise Refused("bad_request", f"an element of step has {', '.join(sorted(fields))}")
    try:
        values.known(element["setting"])
        wrong = [name for name in fields - {"setting"} if not values.is_value(element["setting"], str(element[name]))]
    except values.NotAllowed as error:
        raise Refused("not_allowed", str(error)) from error
    except values.BadValue as error:
        raise Refused("bad_request", str(error)) from error
    if wrong:
        raise Refused("bad_request", f"{wrong[0]} of {element['setting']} is not a value that it can have")


def named(data: bytes, name: str) -> str | None:
    """An id of a request that may be malformed elsewhere; None where it has none."""
    try:
        value = json.loads(data)[name]
    except (ValueError, KeyError, TypeError):
        return None
    return value if isinstance(value, str) and _ID.fullmatch(value) else None
