"""Line 1 read fast keeps every rule that the strict walk knows: whatever the walk refuses is refused, at a place that is named."""

import contextlib
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict

from plumbline.checkin import strict_json
from plumbline.checkin.envelope import read_envelope, read_without_counters
from plumbline.checkin.errors import Refused

SHA = "0123456789abcdef" * 4
SAID = {
    "v": 1,
    "boot": "b1",
    "made_at": "2026-11-22T00:00:00Z",
    "agent": {"platform": "windows", "version": "1.0.0", "runner": "f" * 20, "took_ms": 7},
    "sections": {
        "nics": {"sha256": SHA, "status": "ok", "took_ms": 3},
        "mem": {"status": "failed", "error": "it said: no", "sha256": None},
    },
    "live": {"sessions": [{"id": "1", "rtt": 0.5}, None], "free": {"a": {"b": []}}},
    "counters": {
        "at": "2026-11-22T00:00:00Z",
        "uptime_s": 60,
        "series": [
            {"subject": "host", "name": "segments", "value": 7, "kind": "total"},
            {"subject": "volume/naa.60060160000000000000000000000000", "name": "reads", "value": "18446744073709551615", "kind": "total"},
            {"subject": "host", "name": "load", "value": None, "kind": "gauge"},
        ],
    },
    "runner_before": {"op_id": "o", "gen": 3},
    "runner_after": {"op_id": "o", "gen": 3},
    "rejected": 0,
    "thinned": 0,
}
COMPACT = json.dumps(SAID, separators=(",", ":")).encode()
SPACED = json.dumps(SAID).encode()
PIECES = [
    b'"', b",", b":", b"{", b"}", b"[[", b"]", b"\\u0000", b"\\ud800", b"\\", b'\\"', b"\xff", b" ", b"\t", b"1e400", b"1e30", b"NaN",
    b"18446744073709551615", b"18446744073709551616", b"-18446744073709551616", b"[" * 40 + b"]" * 40, b'"v":1,', b'"boot":"a",',
    b'"took_ms":3,', b'"value":4,', b'"status":"ok",', b'"a" :1,"a" :1,', b'"a":1,', b'"x":{"a":1,"a":2},', b'"id":"2",', b'"live":{},',
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([COMPACT, SPACED]), st.integers(0, len(SPACED)), st.sampled_from(PIECES), st.integers(0, 3))
@example(COMPACT, COMPACT.index(b'"value":7') + 8, b"18446744073709551616", 1)
@example(COMPACT, COMPACT.index(b'"rtt":0.5') + 6, b"1e400", 3)
@example(COMPACT, COMPACT.index(b'"rtt":0.5'), b'"id":"2",', 0)
@example(COMPACT, COMPACT.index(b'"sections"'), b'"live":{},', 0)
def test_what_the_strict_walk_refuses_is_refused(line: bytes, at: int, piece: bytes, cut: int) -> None:
    mutated = line[:at] + piece + line[at + cut :]
    try:
        strict_json.check(mutated, "line 1")
    except Refused:
        with pytest.raises(Refused) as found:
            read_envelope(mutated)
        assert found.value.status == 422
        assert found.value.place


@pytest.mark.parametrize("line", [COMPACT, SPACED])
def test_a_line_as_agents_write_it_needs_no_strict_walk(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "check", lambda *_: pytest.fail("walked"))
    envelope, counters = read_envelope(line)
    assert set(envelope.sections) == {"nics", "mem"}
    assert json.loads(counters.values) == [7, "18446744073709551615", None]
    light = read_without_counters(line)
    assert light is not None
    assert light[1] == counters


def test_keys_that_nobody_knows_yet_are_let_through() -> None:
    envelope, _ = read_envelope(json.dumps(SAID | {"later": {"a": 1}}).encode())
    assert envelope.boot == "b1"


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([COMPACT, SPACED]), st.integers(0, len(SPACED)), st.sampled_from(PIECES), st.integers(0, 3))
@example(COMPACT, COMPACT.index(b'"value":7') + 8, b"8", 1)
@example(COMPACT, COMPACT.index(b'"value":7') + 8, b"18446744073709551616", 1)
@example(COMPACT, COMPACT.index(b'"value":7') + 8, b"1e400", 1)
@example(COMPACT, COMPACT.index(b'"value":7'), b'"value":4,', 0)
@example(COMPACT, COMPACT.index(b'"series"'), b'"series":[],', 0)
@example(COMPACT, COMPACT.index(b'"segments"') + 9, b'"value":4', 0)
@example(COMPACT, COMPACT.index(b'"uptime_s":60'), b'"uptime_s":61,', 14)
def test_counters_with_a_known_mark_are_what_reading_them_finds(line: bytes, at: int, piece: bytes, cut: int) -> None:
    """What a heartbeat stores without reading its counters, because their mark is that of the row, is right."""
    mutated = line[:at] + piece + line[at + cut :]
    known = read_envelope(line)[1].mark
    with contextlib.suppress(Refused):
        light = read_without_counters(mutated)
        if light is None or light[1].mark != known:
            return
        envelope, counters = read_envelope(mutated)
        assert light[1] == counters
        said, full = asdict(light[0]), asdict(envelope)
        compared = [name for name in said if name not in ("counters", "live")]
        assert [said[name] for name in compared] == [full[name] for name in compared]
        return
    # Refused without its counters read, and with them.
    with pytest.raises(Refused) as light_refusal:
        read_without_counters(mutated)
    with pytest.raises(Refused) as refusal:
        read_envelope(mutated)
    assert light_refusal.value.body() == refusal.value.body()


def test_the_mark_of_counters_follows_what_is_counted_and_not_its_values() -> None:
    def mark(series: object) -> bytes:
        return read_envelope(json.dumps(SAID | {"counters": {"series": series}}, separators=(",", ":")).encode())[1].mark

    def one(value: object, name: str = "reads") -> dict[str, object]:
        return {"subject": "host", "name": name, "value": value, "kind": "total"}

    plain = [mark([one(value), one(1, "writes")]) for value in (0, 7, 2**53, -1, 0.5, 1e-7, 1.5e30, None, "18446744073709551615")]
    assert len(set(plain)) == 1
    assert len(plain[0]) == 32
    # An integer past 64 bits is refused, one of 64 bits has to be looked at.
    assert mark([one(2**64 - 1)]) == mark([one(2**63)]) != mark([one(7)])
    assert mark([one(1, "writes"), one(1)]) not in plain
    assert mark([]) == b""
