"""A stand-in for the commands of an ESXi host: answers from a recording (`recorded/<host>.txt`) in that release's own formats.

Called as `stand_in.py NAME ARGUMENTS...` by the wrappers that `folder_of_commands` makes. The environment says what to play:
STAND_IN_FILE the recording; STAND_IN_HANG a regular expression of command lines that never answer; STAND_IN_FORMATS the formatters this
release knows (default `xml`); STAND_IN_DENY a regular expression of command lines that end with an error; STAND_IN_JOURNAL a file that
gets one line per call.

It is started once for each command that the agent gives, a hundred times for one host, so it imports only what the command at hand needs.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("esxcli", "esxcfg-nics", "esxcfg-vmknic", "esxcfg-vswitch", "ethtool", "lspci", "vim-cmd", "vsish", "vmkfstools", "vmkping", "nsxdp-cli")


def folder_of_commands(folder: Path, names: tuple[str, ...] = NAMES, *, python: str = sys.executable) -> Path:
    """Makes a folder for PATH with one wrapper for each command; the rest of the machine stays out of reach."""
    import shlex

    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / name
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(python)} -S -E {shlex.quote(__file__)} {name} "$@"\n', "utf-8")
        path.chmod(0o755)
    return folder


def recorded(path: str, form: str, words: list[str]) -> str | None:
    """The output of a command in a form; None where it was not recorded. The heads are written as for a shell."""
    with open(path, encoding="utf-8") as stream:
        parts = stream.read().split("==== ")[1:]
    wanted = f"{form} {' '.join(words)}"
    for part in parts:
        head, _, output = part.partition("\n")
        if head == wanted and "'" not in head:
            return output
        if "'" in head and head.replace("'", "") == wanted:
            import shlex

            if shlex.split(head) == [form, *words]:
                return output
    return None


def as_json(xml: str) -> str:
    """The same structures as an esxcli of the json formatter prints them."""
    import json
    import xml.etree.ElementTree as ElementTree

    def value(leaf: ElementTree.Element) -> object:
        kind = leaf.tag.rsplit("}", 1)[-1]
        if kind == "structure":
            return {field.get("name"): value(next(iter(field))) for field in leaf}
        if kind == "list":
            return [value(item) for item in leaf]
        text = leaf.text or ""
        return int(text) if kind == "integer" else text == "true" if kind == "boolean" else text

    root = next(iter(ElementTree.fromstring(xml.encode())))
    return json.dumps(value(next(iter(root))))


def ping(arguments: list[str], reach: dict[str, int]) -> int:
    values = {arguments[position]: arguments[position + 1] for position in range(len(arguments) - 1)}
    portal, size, count = arguments[-1], int(values["-s"]), int(values.get("-c", "3"))
    largest = reach.get(f"{values['-I']}>{portal}", 0)
    print(f"PING {portal} ({portal}): {size} data bytes")
    if size + 28 > largest:
        if largest:
            print("sendto() failed (Message too long)")
        print(f"\n--- {portal} ping statistics ---\n{count} packets transmitted, 0 packets received, 100% packet loss")
        return 1
    for number in range(count):
        print(f"{size + 8} bytes from {portal}: icmp_seq={number} ttl=64 time=0.4{number}1 ms")
    print(f"\n--- {portal} ping statistics ---\n{count} packets transmitted, {count} packets received, 0% packet loss")
    print("round-trip min/avg/max = 0.411/0.439/0.456 ms")
    return 0


def is_named(variable: str, line: str) -> bool:
    """Whether a regular expression of the environment finds something in a command line."""
    if not os.environ.get(variable):
        return False
    import re

    return re.search(os.environ[variable], line) is not None


def main(words: list[str]) -> int:
    line = " ".join(words)
    journal = os.environ.get("STAND_IN_JOURNAL")
    if journal:
        with open(journal, "a", encoding="utf-8") as stream:
            stream.write(line + "\n")
    if is_named("STAND_IN_HANG", line):
        import time

        time.sleep(600)
    if is_named("STAND_IN_DENY", line):
        print("Unable to complete Sysinfo operation.  Please see the VMkernel log file for more details.", file=sys.stderr)
        return 1
    path = os.environ["STAND_IN_FILE"]
    form = "text"
    plain = []
    for word in words:
        if word.startswith("--formatter="):
            form = word.partition("=")[2]
        elif word != "--debug":
            plain.append(word)
    if words[0] == "vmkping":
        import json

        return ping(plain[1:], json.loads(recorded(path, "text", ["reach"]) or "{}"))
    if form != "text" and form not in os.environ.get("STAND_IN_FORMATS", "xml").split(","):
        print(f"Error: Invalid formatter: {form}")
        return 1
    output = recorded(path, "xml" if form == "json" else form, plain)
    if output is None:
        refusal = recorded(path, "fail", plain)
        if refusal is not None:
            sys.stdout.write(refusal)
            return 1
        if words[0] == "esxcli":
            print("Error: Unknown command or namespace " + " ".join(plain[1:]))
            return 1
        print(f"{words[0]}: Operation not supported", file=sys.stderr)
        return 1
    sys.stdout.buffer.write((as_json(output) if form == "json" else output).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
