"""The host's API tree as `vmware-vimdump` prints it: read line by line with a stack, and only the objects that hold settings are kept.

    config = (vim.host.ConfigInfo) {
       option = (vim.option.OptionValue) [
          (vim.option.OptionValue) {
             key = 'Net.TcpipDefLROEnabled',
             value = 1L
          },

An object that the file ends within is left out.
"""

import ast
import re
from collections.abc import Iterable
from typing import Any

from plumbline.core.facts.bundles.hosts import is_secret

_OPEN = re.compile(r"^(?:(\w+) = )?\(([\w.]+)\) ([{\[])([}\]]?),?$")
_LEAF = re.compile(r"^(\w+) = (.+?),?$")
_OBJECT = re.compile(r"^=+ \d+\. \S+ =+$")
WANTED = frozenset(
    f"vim.{name}"
    for name in (
        "host.InternetScsiHba",
        "host.PortGroup",
        "host.VirtualSwitch",
        "host.VirtualNicManager.NetConfig",
        "host.SystemInfo",
        "host.DnsConfig",
        "host.PciDevice",
        "option.OptionValue",
        "AboutInfo",
    )
)
# Whatever lies below these is passed over: names and secrets of CHAP, and what other sections of the tree repeat.
_NEVER = frozenset(("authenticationProperties", "authenticationCapabilities", "discoveryCapabilities", "license", "sslThumbprint"))
_MAINTENANCE = "inMaintenanceMode"
_MOST_OBJECTS = 20_000


def read_dump(lines: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Type -> its objects, in their order; `runtime` holds the state of maintenance."""
    found: dict[str, list[dict[str, Any]]] = {}
    # Of each open bracket: what it is a value of, its type, and what it gathers; None where nothing is kept of it.
    stack: list[tuple[str, str, dict[str, Any] | list[Any] | None]] = []
    count = 0
    for raw in lines:
        line = raw.strip()
        if _OBJECT.match(line):
            stack.clear()
            continue
        opened = _OPEN.match(line)
        if opened:
            key, kind, bracket, closed = opened.groups()
            parent = stack[-1][2] if stack else None
            is_kept = (parent is not None or (kind in WANTED and bracket == "{")) and (key or "") not in _NEVER
            holder: dict[str, Any] | list[Any] | None = ({} if bracket == "{" else []) if is_kept else None
            if any(name in _NEVER for name, _, _ in stack):
                holder = None
            if closed:
                if holder is not None:
                    _put(parent, key or "", holder)
            else:
                stack.append((key or "", kind, holder))
            continue
        if line.rstrip(",") in ("}", "]"):
            if not stack:
                continue
            key, kind, holder = stack.pop()
            parent = stack[-1][2] if stack else None
            if holder is not None and parent is not None:
                _put(parent, key, holder)
            elif isinstance(holder, dict) and count < _MOST_OBJECTS:
                count += 1
                found.setdefault(kind, []).append(holder)
            continue
        leaf = _LEAF.match(line)
        if leaf and leaf.group(1) == _MAINTENANCE and leaf.group(2) in ("true", "false"):
            found.setdefault("runtime", []).append({_MAINTENANCE: leaf.group(2) == "true"})
        if not stack or stack[-1][2] is None:
            continue
        if leaf and isinstance(stack[-1][2], dict):
            if leaf.group(1) not in _NEVER and not is_secret(line):
                stack[-1][2][leaf.group(1)] = _value(leaf.group(2))
        elif isinstance(stack[-1][2], list) and len(stack[-1][2]) < _MOST_OBJECTS:
            stack[-1][2].append(_value(line.rstrip(",")))
    return found


def _put(parent: dict[str, Any] | list[Any] | None, key: str, value: Any) -> None:
    if isinstance(parent, dict):
        parent[key] = value
    elif isinstance(parent, list) and len(parent) < _MOST_OBJECTS:
        parent.append(value)


def _value(text: str) -> Any:
    """A leaf: text in quotes, a number with or without the L of old Pythons, true, false, <unset>."""
    if text in ("true", "false"):
        return text == "true"
    if text == "<unset>":
        return None
    if re.fullmatch(r"-?\d{1,19}L?", text):
        return int(text.rstrip("L"))
    if text[:1] in "'\"" and text[-1:] == text[:1]:
        try:
            value = ast.literal_eval(text) if len(text) < 10_000 else text[1:-1]
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return text[1:-1]
        return value if isinstance(value, str) else text[1:-1]
    return text
