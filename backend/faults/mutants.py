"""Malformed check-ins made from good ones: bytes flipped, cut, doubled; JSON bent; streams broken; headers odd."""

import gzip
import random
import secrets

import zstandard

from faults.sending import Sender, signature

_TOKENS = [
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0", b"1" * 40, b'"\\ud800"', b'"\\u0000"', b"\x00", b"\xff\xfe", b"[" * 100, b"{" * 100,
    b'{"a":1,"a":2}', b"null", b"true", b'""', b"\n", b"\r\n", b"\\", b'"', b",", b":", b"}", b"]", b"\xc3\x28", b"\xed\xa0\x80",
    b"9223372036854775808",
]  # fmt: skip


def mutate(rng: random.Random, body: bytes) -> bytes:
    """One to four wounds."""
    hurt = bytearray(body)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(hurt) + 1)
        kind = rng.randrange(7)
        if kind == 0 and hurt:
            hurt[at % len(hurt)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del hurt[at : at + rng.randint(1, 60)]
        elif kind == 2:
            hurt[at:at] = rng.choice(_TOKENS)
        elif kind == 3:
            hurt[at:at] = hurt[at : at + rng.randint(1, 200)]
        elif kind == 4:
            hurt[at : at + rng.randint(1, 20)] = rng.choice(_TOKENS)
        elif kind == 5:
            lines = bytes(hurt).split(b"\n")
            rng.shuffle(lines)
            hurt = bytearray(b"\n".join(lines))
        else:
            hurt = hurt[:at]
    return bytes(hurt)


def request(rng: random.Random, sender: Sender, body: bytes, *, is_stranger: bool) -> tuple[dict[str, str], bytes]:
    """A request around a wounded body, signed well by an enrolled host or badly by a stranger; the stream or a header may be odd too."""
    encoding = rng.choice(["identity", "gzip", "zstd"])
    headers, wire = sender.request(
        mutate(rng, body), seq=rng.choice([sender.seq + 1, sender.seq + 1, sender.seq, 2**62]), encoding=encoding
    )
    if rng.random() < 0.2:
        wire = mutate(rng, wire) if wire else wire
    if rng.random() < 0.02:
        wire = {"gzip": gzip.compress(bytes(3_000_000)), "zstd": zstandard.compress(bytes(9_000_000))}.get(encoding, b"")
    if rng.random() < 0.05:
        headers[rng.choice(list(headers))] = rng.choice(["", "x" * 300, "-1", "0", "é".encode().decode("latin-1"), "9" * 30])
    if is_stranger:
        headers["Plumbline-Signature"] = secrets.token_hex(32)
    else:
        shown = headers.get("Content-Encoding", "identity")
        headers["Plumbline-Signature"] = signature(sender.secret, headers, wire, shown)
    return headers, wire
