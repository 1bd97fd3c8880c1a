"""Check-ins and enrolments that are too large or cannot be read: 413 and 422, with the place of the fault."""

import json
import secrets

import pytest

from faults.sending import Sender, compact, signature
from tests.checkin.conftest import Served, host_of


@pytest.mark.parametrize("size", ["announced", "streamed", "inflated", "ratio"])
def test_413(served: Served, sender: Sender, size: str) -> None:
    sender.seq = 1
    if size in ("announced", "streamed"):
        headers, wire = sender.request(b"x" * (2 * 1024 * 1024 + 1), encoding="identity")
        content = wire if size == "announced" else iter([wire])
    elif size == "inflated":
        headers, content = sender.request(secrets.token_bytes(1_800_000).hex().encode() * 3, encoding="zstd")
    else:
        headers, content = sender.request(b"0" * 1_500_000)
    assert served.client.post("/agent/v1/check-in", content=content, headers=headers).status_code == 413


BAD_ENVELOPES = {
    "not json": b"{",
    "empty": b"",
    "a list": b"[]",
    "a key twice": b'{"v":1,"v":1,',
    "NaN": b'{"rejected":NaN,',
    "Infinity": b'{"rejected":Infinity,',
    "1e999": b'{"rejected":1e999,',
    "a long integer": b'{"live":{"a":123456789012345678901234567890},',
    "a key twice in live": b'{"live":{"a":1,"a":2},',
    "depth": b'{"live":{"a":' + b"[" * 40 + b"]" * 40 + b"},",
    "depth a million": b'{"live":{"a":' + b"[" * 300_000 + b"]" * 300_000 + b"},",
    "NUL": b'{"live":{"a":"\\u0000"},',
    "a lone surrogate": b'{"live":{"a":"\\ud800"},',
    "two low surrogates": b'{"live":{"a":"\\udc00\\udc00"},',
    "not UTF-8": b'{"live":{"a":"\xff"},',
    "UTF-16": b"\xff\xfe{\x00",
    "a wrong type": b'{"rejected":"x",',
    "a section's name": b'{"sections":{"Bad Name":{"status":"ok"}},',
}


@pytest.mark.parametrize("name", BAD_ENVELOPES)
def test_422_names_the_place(served: Served, sender: Sender, name: str) -> None:
    bad = BAD_ENVELOPES[name]
    line = bad + sender.envelope()[1:] if bad.endswith(b",") else bad
    answer = sender.send(served.client, line + b"\n")
    assert answer.status_code == 422, answer.text
    assert answer.json()["place"]
    assert host_of(sender).last_seq == 0


@pytest.mark.parametrize("escape", ['"\\ud83d\\ude00"', '"\\\\u0000"', '"plain \\" : {[ ]}"', '"\\u00e9"', '":"'])
def test_odd_but_right_text_is_taken(served: Served, sender: Sender, escape: str) -> None:
    line = b'{"live":{"a":' + escape.encode() + b"}," + sender.envelope()[1:]
    body = b"\n".join([line, *(sender.sections[name] for name in sorted(sender.sections))])
    answer = sender.send(served.client, body)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("line", [b'{"other":1}', b"nonsense", b""])
def test_422_for_a_body_that_line_1_does_not_name(served: Served, sender: Sender, line: bytes) -> None:
    answer = sender.send(served.client, sender.body() + line + b"\n")
    assert answer.status_code == 422
    assert answer.json()["place"].startswith("line 4")


@pytest.mark.parametrize(
    "section", [b'{"a":"\\u0000"}', b'{"a":"\\uD800x"}', b"[1]", b'{"a":NaN}', b'{"a":"\xff"}', b'{"a":' + b"[" * 100_000]
)
def test_422_for_a_section_that_cannot_be_read(served: Served, sender: Sender, section: bytes) -> None:
    sender.sections["system"] = section
    answer = sender.send(served.client)
    assert answer.status_code == 422, answer.text
    assert "system" in answer.json()["place"]


@pytest.mark.parametrize(
    "header", ["Plumbline-Seq", "Plumbline-Epoch", "Plumbline-Id", "Plumbline-Host", "Plumbline-Sent-At", "Content-Type"]
)
@pytest.mark.parametrize("value", ["", "-1", "1; drop", "9" * 40])
def test_422_for_headers(served: Served, sender: Sender, header: str, value: str) -> None:
    headers, wire = sender.request(sender.body(), seq=1)
    headers[header] = value
    answer = served.client.post("/agent/v1/check-in", content=wire, headers=headers)
    if header in ("Plumbline-Id", "Plumbline-Sent-At") and value == "9" * 40:  # well formed: then it is the signature that is bad
        assert answer.status_code == 401
    else:
        assert answer.status_code == 422
        assert header.lower().split("-")[-1] in answer.json()["place"].lower()


def test_broken_streams_are_422(served: Served, sender: Sender) -> None:
    body = sender.body()
    for encoding, spoil in (("gzip", -5), ("zstd", -3), ("gzip", 0), ("zstd", 0)):
        headers, wire = sender.request(body, seq=1, encoding=encoding)
        wire = wire[:spoil] if spoil else wire + b"more"
        headers["Plumbline-Signature"] = signature(sender.secret, headers, wire, encoding)
        assert served.client.post("/agent/v1/check-in", content=wire, headers=headers).status_code == 422


def test_enrol_refuses_what_it_cannot_read(served: Served, token: str) -> None:
    good = {"token": token, "nonce": "0" * 32, "name": "h", "platform": "windows", "agent_version": "1"}
    for bad in (b"", b"{", b"[]", b'{"token":1}', compact(good | {"platform": "plan9"}), compact(good)[:-1] + b',"name":"x"}'):
        assert served.client.post("/agent/v1/enrol", content=bad).status_code == 422
    assert served.client.post("/agent/v1/enrol", content=b"x" * 20_000).status_code == 413
    assert served.client.post("/agent/v1/enrol", json=good | {"name": "tab\there"}).status_code == 422
    assert json.loads(served.client.post("/agent/v1/enrol", json=good).content)["host_id"]
