"""A7: check-ins sent again byte for byte, and with one byte altered. Neither may change anything."""

import random
import re
import time
from dataclasses import dataclass

import httpx
import psycopg

from faults.agents import Outcome, enrolled
from faults.checkin_process import ServedApi
from faults.sending import PATH, compact

# What a host and its judgement are made of; `check_in` too, since a second row would be a second check-in.
_TABLES = (
    "host",
    "host_section",
    "section_body",
    "section_body_alias",
    "setting_change",
    "finding",
    "finding_log",
    "check_in",
    "audit_entry",
)
REMEMBERED = 32


@dataclass(frozen=True)
class Captured:
    """One accepted request as it went over the wire, and its receipt."""

    host: int
    seq: int
    headers: dict[str, str]
    wire: bytes
    receipt: str


def replayed(api: ServedApi, token: str, database_url: str, *, check_ins: int, hosts: int = 20, until: float = float("inf")) -> Outcome:
    """Captures `check_ins` accepted requests, then sends each again and each once more with a byte changed.

    Notes name what went wrong: another answer than the same receipt for the last 32 of a host and 409 for older ones, an altered request
    that was taken, a table that changed. `until` (monotonic) ends the capture early; what was captured is replayed in full.
    """
    outcome = Outcome()
    rng = random.Random(7)
    captured: list[Captured] = []
    with httpx.Client(base_url=api.url, timeout=30) as client:
        senders = [enrolled(client, token, f"replayed-{number}") for number in range(hosts)]
        while len(captured) < check_ins and time.monotonic() < until:
            for number, sender in enumerate(senders):
                named = {"status": "ok", "rows": [{"Name": f"name-{sender.seq // 8}"}]}
                # Every eighth check-in of a host changes a setting; those between are heartbeats.
                sender.sections["system"] = compact({"Win32_ComputerSystem": named})
                sender.seq += 1
                headers, wire = sender.request(sender.body())
                answer = client.post(PATH, content=wire, headers=headers)
                if answer.status_code != 200:
                    outcome.notes.append(f"capturing: {answer.status_code} {answer.text[:200]}")
                    return outcome
                sender.known = sender.digests()
                captured.append(Captured(number, sender.seq, headers, wire, answer.json()["receipt"]))
        before = _state(database_url)
        for each in captured:
            answer = client.post(PATH, content=each.wire, headers=each.headers)
            outcome.count(answer.status_code)
            outcome.valid_sent += 1
            is_remembered = each.seq > senders[each.host].seq - REMEMBERED
            is_same = answer.status_code == 200 and answer.json()["receipt"] == each.receipt
            if is_same if is_remembered else answer.status_code == 409 and "seq_used" in answer.json():
                outcome.valid_taken += 1
            elif len(outcome.notes) < 10:
                outcome.notes.append(f"check-in {each.seq} of {senders[each.host].seq}: {answer.status_code} {answer.text[:120]}")
        for each in captured:
            headers, wire = _altered(rng, each)
            answer = client.post(PATH, content=wire, headers=_raw(headers))
            outcome.altered[answer.status_code] = outcome.altered.get(answer.status_code, 0) + 1
            if not 400 <= answer.status_code < 500:
                outcome.notes.append(f"altered by one byte and answered {answer.status_code}")
        after = _state(database_url)
    outcome.notes += [f"table {name} changed" for name in before if before[name] != after[name]]
    return outcome


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


def _altered(rng: random.Random, each: Captured) -> tuple[dict[str, str], bytes]:
    """One byte of the body or of a signed header is another one."""
    signed = [name for name in each.headers if re.fullmatch(r"Plumbline-(?!Sent-At).+", name)]
    if rng.random() < 0.5:
        at = rng.randrange(len(each.wire))
        changed = bytearray(each.wire)
        changed[at] ^= 1 << rng.randrange(8)
        return each.headers, bytes(changed)
    name = rng.choice([*signed, "Plumbline-Sent-At"])
    value = each.headers[name]
    at = rng.randrange(len(value))
    return each.headers | {name: value[:at] + rng.choice([c for c in "0123456789abcdef" if c != value[at]]) + value[at + 1 :]}, each.wire


def _state(database_url: str) -> dict[str, str]:
    """A digest of each table's rows, in any order."""
    with psycopg.connect(database_url.replace("+psycopg", "")) as connection:
        found = {}
        for table in _TABLES:
            row = connection.execute(
                f"SELECT coalesce(md5(string_agg(digest, '' ORDER BY digest)), '') FROM (SELECT md5(t::text) AS digest FROM {table} t) d"
            ).fetchone()
            found[table] = row[0] if row else ""
        return found
