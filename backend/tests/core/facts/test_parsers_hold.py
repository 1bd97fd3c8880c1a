"""However a captured output was changed, reading it never raises; order and unknown columns never change a value."""

import random
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.configuration import Value
from tests.core.facts.builders import CAPTURES, REPOSITORY

EXAMPLES = REPOSITORY / "agents" / "schema" / "samples" / "evaluate"


@cache
def outputs() -> dict[str, bytes]:
    """Every captured output, and the worked examples if the captures are not next to the repository."""
    paths = [*sorted(Path(CAPTURES).glob("*__*.txt")), *sorted(EXAMPLES.glob("*/*.txt"))]
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in paths}


def values(name: str, content: bytes) -> dict[str, object]:
    """All values of one output, by address; none of our code may fail on it."""
    found: dict[str, object] = {}
    for captured in read_files({name.rpartition("/")[2]: content}).captured:
        assembled = assemble(captured.platform, captured.sections)
        assert assembled.internal_errors == ()
        for subject, key, reading in assembled.configuration:
            if isinstance(reading, Value):
                assert subject.kind == "host" or subject.id
                found[subject.address(key)] = reading.value
    return found


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_torn_outputs_never_raise(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(outputs())))
    content = outputs()[name]
    start = data.draw(st.integers(0, len(content)))
    stop = data.draw(st.integers(start, min(len(content), start + 80)))
    patch = data.draw(
        st.sampled_from([b"", b"\x00", b"\xff\xfe", b"...", b" " * 9, b"\n\n", b"-----\n", b"{", b"}", b": ", "ü名".encode()])
    )
    values(name, content[:start] + patch + content[stop:])


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.data(), text=st.text(max_size=200))
def test_any_text_under_any_known_name_never_raises(name: st.DataObject, text: str) -> None:
    values(name.draw(st.sampled_from(sorted(outputs()))), text.encode("utf-8", "replace"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_the_encoding_changes_no_value(encoding: str) -> None:
    for name, content in outputs().items():
        text = content.decode()
        assert values(name, text.replace("\n", "\r\n").encode(encoding)) == values(name, content), name


def test_a_margin_and_trailing_spaces_change_no_value_of_a_list() -> None:
    for name, content in outputs().items():
        text = content.decode()
        if (
            name.rpartition("/")[2].startswith("windows__")
            and re.search(r"^\w+ +: ", text, re.MULTILINE)
            and "OperationalTraffic" not in text
        ):
            moved = "\n".join(f"    {line}   " if line.strip() else line for line in text.split("\n"))
            assert values(name, moved.encode()) == values(name, content), name


TABLES = {
    "windows__Get-NetAdapterLso__x.txt": (
        ("Name", "Version", "V1IPv4Enabled", "IPv4Enabled", "IPv6Enabled"),
        (("SAN 1", "LSO Version 2", "False", "True", "False"), ("SAN 2", "LSO Version 2", "False", "False", "True")),
    ),
    "windows__Get-NetTransportFilter__x.txt": (
        ("SettingName", "Protocol", "LocalPortStart", "LocalPortEnd", "RemotePortStart", "RemotePortEnd", "DestinationPrefix"),
        (("DatacenterCustom", "TCP", "0", "65535", "3260", "3260", "*"), ("Automatic", "TCP", "0", "65535", "0", "65535", "*")),
    ),
    "esxi__esxcli-network-nic-list__x.txt": (
        ("Name", "PCI Device", "Driver", "Admin Status", "Link Status", "Speed", "Duplex", "MAC Address", "MTU", "Description"),
        (
            ("vmnic4", "0000:41:00.0", "ixgben", "Up", "Up", "10000", "Full", "90:e2:ba:0b:07:40", "9000", "Intel(R) 82599"),
            ("vmnic5", "0000:41:00.1", "ixgben", "Up", "Down", "0", "Half", "90:e2:ba:0b:07:41", "1500", "Intel(R)  82599 two spaces"),
        ),
    ),
    "esxi__esxcli-network-nic-pauseParams-list__x.txt": (
        ("NIC", "Pause Params Supported", "Pause RX", "Pause TX", "Auto Negotiation"),
        (("vmnic0", "true", "true", "false", "false"), ("vmnic1", "true", "false", "false", "true")),
    ),
}


def printed(name: str, titles: list[str], rows: list[list[str]], rights: list[bool]) -> bytes:
    """A table as the platform's own tool prints it."""
    gap, is_esxi = ("  ", True) if name.startswith("esxi") else (" ", False)
    widths = [max(len(title), *(len(row[at]) for row in rows)) for at, title in enumerate(titles)]

    def line(cells: list[str]) -> str:
        padded = (cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(cells, widths, rights, strict=True))
        return gap.join(padded).rstrip()

    dashes = ["-" * width if is_esxi else "-" * len(title) for title, width in zip(titles, widths, strict=True)]
    return "\n".join([line(titles), line(dashes), *map(line, rows)]).encode() + b"\n"


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(TABLES)), seed=st.integers(0, 10**6), added=st.integers(0, 2))
def test_order_alignment_and_unknown_columns_of_a_table_change_no_value(name: str, seed: int, added: int) -> None:
    chance = random.Random(seed)
    titles, rows = (list(part) for part in TABLES[name])
    table = [list(row) for row in rows]
    plain = values(name, printed(name, titles, table, [False] * len(titles)))
    assert plain
    for number in range(added):
        titles.append(f"Later{number}")
        for row in table:
            row.append(chance.choice(["N/A", "true", "17", "x"]))
    order = chance.sample(range(len(titles)), len(titles))
    moved = [[row[at] for at in order] for row in chance.sample(table, len(table))]
    # The last column of esxcli's tables holds text, aligned left; numbers are aligned right.
    rights = [all(row[at].isdigit() for row in moved) and chance.random() < 0.5 for at in range(len(titles))]
    assert values(name, printed(name, [titles[at] for at in order], moved, rights)) == plain


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_order_and_unknown_properties_of_a_list_change_no_value(data: st.DataObject) -> None:
    names = [
        name
        for name, text in sorted(outputs().items())
        if b"InterfaceGuid" in text or b"SettingName" in text or b"TargetNodeAddress" in text
    ]
    name = data.draw(st.sampled_from(names))
    text = re.sub(r"^PS .*$", "", outputs()[name].decode(), flags=re.MULTILINE)
    records = [record.split("\n") for record in re.split(r"\n\s*\n", text.strip())]
    if any(not re.match(r"^\w+\s*:", line) for record in records for line in record):
        return
    moved = [data.draw(st.permutations([*record, "Later : x"])) for record in records]
    assert values(name, "\n\n".join("\n".join(record) for record in moved).encode()) == values(name, text.encode())
