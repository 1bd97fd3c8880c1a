"""A bundle that was changed in every way: the record is named, also where it was signed again."""

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from plumbline.audit.chain import signing_key
from plumbline.evidence.container import BundleWriter
from plumbline.evidence.verify_bundle import Bundle, NotABundle, canonical, read_members, verify
from tests.evidence.conftest import records


def _places(content: bytes) -> dict[str, list[int]]:
    """Where bytes of each kind are: the whole header of the first member and the whole list at the end, and some bytes of all others."""
    draw = random.Random(7)
    places: dict[str, list[int]] = {}
    position = 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    for info in members:
        start = info.header_offset + 30 + len(info.filename)
        header = range(info.header_offset, start)
        places[f"header of {info.filename}"] = sorted(draw.sample(header, 8) if places else header)
        packed = range(start, start + info.compress_size)
        places[info.filename] = sorted({*draw.sample(packed, min(12, len(packed))), packed[0], packed[-1]})
        position = start + info.compress_size
    places["list of members"] = list(range(position, len(content)))
    return places


def test_no_byte_can_be_changed(content: bytes) -> None:
    """One bit of each. What was changed is named."""
    survived = []
    draw = random.Random(3)
    places = _places(content)
    assert len(places) == 2 * len(read_members(content)[0]) + 1
    for kind, positions in places.items():
        for position in positions:
            changed = bytearray(content)
            changed[position] ^= 1 << draw.randrange(8)
            try:
                problems = quickly(bytes(changed))
                # A changed name, size or magic makes the file another one; everything else is named.
                is_found = bool(problems) and (" of " in kind or any(problem.startswith(kind) for problem in problems))
            except NotABundle:
                is_found = True
            if not is_found:
                survived.append((kind, position))
    assert survived == []


def quickly(content: bytes) -> list[str]:
    """What is wrong with the file and its signature, without evaluating the rules again."""
    return Bundle(content).problems


@pytest.mark.parametrize("cut", [1, 22, 1000])
def test_a_cut_file_does_not_hold(content: bytes, cut: int) -> None:
    for part in (content[:-cut], content + b"x" * cut):
        try:
            problems = quickly(part)
        except NotABundle as error:
            problems = [str(error)]
        assert problems


def rewritten(content: bytes, name: str, change: Any) -> bytes:
    """The bundle with one file's lines changed, in a proper archive, under the old index and signature."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == name:
                lines = data.split(b"\n")[:-1]
                change(lines)
                data = b"".join(line + b"\n" for line in lines)
            again = zipfile.ZipInfo(info.filename, (1980, 1, 1, 0, 0, 0))
            again.compress_type, again.external_attr = info.compress_type, info.external_attr
            new.writestr(again, data)
    return out.getvalue()


FILES = (
    "packs.jsonl", "rules-in-force.jsonl", "hosts.jsonl", "configurations.jsonl", "findings.jsonl", "waivers.jsonl", "audit.jsonl",
    "audit-heads.jsonl",
)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_the_changed_record_is_named(content: bytes, name: str) -> None:
    here = records(content, name)
    at = len(here) // 2

    def change(lines: list[bytes]) -> None:
        record = json.loads(lines[at])
        record["reason"] = "nothing to see here"
        lines[at] = canonical(record)

    problems = verify(rewritten(content, name, change))["problems"]
    assert problems == [f"{name}, record {at + 1} ({here[at]['record']}): it was changed"]


def test_removed_added_and_swapped_records_are_named(content: bytes) -> None:
    def removed(lines: list[bytes]) -> None:
        del lines[3]

    def added(lines: list[bytes]) -> None:
        lines.insert(3, lines[3].replace(b'"pass"', b'"fail"') + b" ")

    def swapped(lines: list[bytes]) -> None:
        lines[3], lines[4] = lines[4], lines[3]

    assert verify(rewritten(content, "findings.jsonl", removed))["problems"] == ["findings.jsonl, record 4: it was removed"]
    (problem,) = verify(rewritten(content, "findings.jsonl", added))["problems"]
    assert problem.startswith("findings.jsonl, record 4 (finding ")
    assert problem.endswith("it was added")
    assert verify(rewritten(content, "findings.jsonl", swapped))["problems"] == [
        "findings.jsonl: its records were put in another order, or repeated"
    ]


def signed_again(content: bytes, tmp_path: Path, changes: dict[str, Any]) -> bytes:
    """The bundle with changed records and a signature by the installation's own key, as whoever holds the key could make it."""
    key = signing_key()
    path = tmp_path / "again.zip"
    members, _ = read_members(content)
    with BundleWriter(path) as writer:
        for member in members.values():
            if member.name in ("index.json", "signature.json"):
                continue
            if not member.name.endswith(".jsonl"):
                writer.add_file(member.name, member.content)
                continue
            rows = [json.loads(line) for line in member.content.splitlines()]
            changes.get(member.name, lambda rows: None)(rows)
            writer.add_records(member.name, rows)
        public = key.public_key().public_bytes_raw()
        writer.sign(public, key.sign)
    return path.read_bytes()


def test_what_is_untrue_is_found_even_where_it_is_signed(content: bytes, tmp_path: Path) -> None:
    assert verify(signed_again(content, tmp_path, {}))["problems"] == []
    fail = next(index for index, finding in enumerate(records(content, "findings.jsonl")) if finding["status"] == "fail")

    def greener(rows: list[dict[str, Any]]) -> None:
        rows[fail]["outcome"] = "pass"

    def better(rows: list[dict[str, Any]]) -> None:
        next(row for row in rows if row["name"] == "sql-01")["figures"]["score"] = 100

    def own_waiver(rows: list[dict[str, Any]]) -> None:
        rows[0]["approved_by_id"] = rows[0]["requested_by_id"]

    def other_act(rows: list[dict[str, Any]]) -> None:
        next(row for row in rows if "action" in row)["actor"] = "person:1 mallory"

    def other_head(rows: list[dict[str, Any]]) -> None:
        rows[0]["hash"] = "00" * 32

    def easier(rows: list[dict[str, Any]]) -> None:
        rows[0]["document"]["title"] = "Another"

    for name, change, words in (
        ("findings.jsonl", greener, "outcome is stated as 'pass'; recomputed: 'fail'"),
        ("hosts.jsonl", better, "host sql-01: score is stated as 100; recomputed: "),
        ("waivers.jsonl", own_waiver, "it was approved by the person who requested it"),
        ("audit.jsonl", other_act, "it does not match its hash"),
        ("audit-heads.jsonl", other_head, "the audit log does not lead to this signed head"),
        ("packs.jsonl", easier, "its document does not have the hash"),
    ):
        problems = verify(signed_again(content, tmp_path, {name: change}))["problems"]
        assert problems, name
        assert any(words in problem for problem in problems), (name, problems)
