"""Checks a Plumbline evidence bundle. Needs Python 3.9 or newer and nothing else: no network, no database, no other file.

    python3 verify_bundle.py BUNDLE.zip [--key KEY_ID] [--json]

It checks, in this order:

1. the container: the file is exactly the zip archive of its members, with no byte more or less;
2. the signature over `index.json` (Ed25519, RFC 8032), and the SHA-256 of every member and record that the index names;
3. every finding, from the configurations, rules, waivers, attestations and peer values in the bundle; each host's score and figures;
4. plans and approvals: the digest of each plan, and the signature of each approval;
5. the audit log: each entry's hash over the entry before it, and the signed heads of the chain.

What does not hold is printed with the name of the record. Exit status: 0 everything holds, 1 something does not, 2 the file cannot be read.

A signature proves who signed only if the key is theirs: compare the key id that is printed with the one on Plumbline's Reports page, or
pass it as `--key`.

How the rules are evaluated is part of what can be checked, so it is written out below: three-valued logic over a closed list of operators
("Rules"), then weights, caps and the score ("Score"). Plumbline's own tests hold this file equal to the product.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

FORMAT = "plumbline-evidence-1"
INDEX, SIGNATURE = "index.json", "signature.json"
# Bytes of each record's SHA-256 that the index keeps: enough to tell which record was changed. What proves is the file's whole SHA-256.
RECORD_BYTES = 12
MOST_BYTES = 2**31
MOST_NAMED = 20

Record = dict[str, Any]
Subject = tuple[str, str]
Identity = tuple[str, Subject]


class NotABundle(Exception):
    """The file cannot be read as an evidence bundle at all."""


# --- Ed25519 (RFC 8032, section 5.1) -------------------------------------------------------------------------------------------------

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

Point = tuple[int, int, int, int]  # extended homogeneous coordinates X, Y, Z, T


def _add(first: Point, second: Point) -> Point:
    x1, y1, z1, t1 = first
    x2, y2, z2, t2 = second
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * t1 * t2 * _D % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(scalar: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _x_of(y: int, sign: int) -> int | None:
    """The x coordinate with this lowest bit; None where no point of the curve has this y."""
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    if square == 0:
        return None if sign else 0
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P:
        return None
    return _P - x if (x & 1) != sign else x


def _decoded(encoded: bytes) -> Point | None:
    number = int.from_bytes(encoded, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    x = _x_of(y, sign)
    return None if x is None else (x, y, 1, x * y % _P)


_BASE_Y = 4 * pow(5, _P - 2, _P) % _P
_BASE_X = _x_of(_BASE_Y, 0)
assert _BASE_X is not None
_BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature over the message was made with this key. A number past the group's order is refused (malleability)."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, commitment = _decoded(public_key), _decoded(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % _ORDER
    left, right = _times(scalar, _BASE), _add(commitment, _times(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0


def key_id(public_key: bytes) -> str:
    """The name of a key: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(public_key).hexdigest()[:16]


# --- The container -------------------------------------------------------------------------------------------------------------------

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_DATE = (1980 - 1980) << 9 | 1 << 5 | 1  # 1 January 1980, as every member has it


class Member(NamedTuple):
    """One member of the archive: its content, and its bytes as they are packed."""

    name: str
    content: bytes
    packed: bytes


def read_members(data: bytes) -> tuple[dict[str, Member], list[str]]:
    """The members in their order, and what is wrong with the container. Raises `NotABundle`."""
    members: dict[str, Member] = {}
    problems: list[str] = []
    position, central = 0, b""
    while data[position : position + 4] == b"PK\x03\x04":
        try:
            fields = _LOCAL.unpack_from(data, position)
        except struct.error:
            raise NotABundle("the file ends in the middle of a member") from None
        _, _, _, method, _, _, checksum, packed_size, size, name_size, extra_size = fields
        start = position + _LOCAL.size + name_size + extra_size
        name = data[position + _LOCAL.size : position + _LOCAL.size + name_size].decode("utf-8", "replace")
        packed = data[start : start + packed_size]
        if size > MOST_BYTES or len(packed) != packed_size:
            raise NotABundle(f"member {name!r} is cut off, or larger than a bundle's members are")
        content = packed
        if method == 8:
            try:
                inflater = zlib.decompressobj(-15)
                content = inflater.decompress(packed, size + 1)
                if not inflater.eof or inflater.unused_data:
                    problems.append(f"{name}: its packed bytes do not end where they should")
            except zlib.error:
                problems.append(f"{name}: it cannot be unpacked")
                content = b""
        if name in members:
            problems.append(f"{name}: it is in the archive twice")
        members[name] = Member(name, content, packed)
        # What the headers of this member have to be, byte for byte.
        encoded, plain_crc = name.encode(), zlib.crc32(content)
        right = (20, 0, method, 0, _DATE, plain_crc, len(packed), len(content))
        local = _LOCAL.pack(b"PK\x03\x04", *right, len(encoded), 0) + encoded
        if checksum != plain_crc or data[position:start] != local:
            problems.append(f"{name}: the archive's header of this member was changed")
        central += _CENTRAL.pack(b"PK\x01\x02", 20 | 3 << 8, *right, len(encoded), 0, 0, 0, 0, 0o600 << 16, position) + encoded
        position = start + packed_size
    if not members:
        raise NotABundle("this is not a zip archive")
    end = _END.pack(b"PK\x05\x06", 0, 0, len(members), len(members), len(central), position, 0)
    if data[position:] != central + end:
        problems.append("the archive's list of members was changed, or there is something after it")
    return members, problems


def _json(content: bytes, name: str) -> Any:
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError:
        raise NotABundle(f"{name} is not JSON") from None


def canonical(value: Any) -> bytes:
    """The one form in which records are written and signed."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()


class Bundle:
    """A bundle's records by file, and everything found wrong with it."""

    def __init__(self, data: bytes) -> None:
        self.members, self.problems = read_members(data)
        self._records: dict[str, list[Record]] = {}
        self.key = b""
        self.signed_by = ""
        for name in (INDEX, SIGNATURE):
            if name not in self.members:
                raise NotABundle(f"it has no {name}: this is not an evidence bundle")
        self._check_signature()
        self._check_members()

    def report(self, problem: str) -> None:
        """Notes something that does not hold."""
        self.problems.append(problem)

    def of(self, name: str) -> list[Record]:
        """The records of one file; none where the bundle has no such file."""
        if name not in self._records:
            member = self.members.get(name)
            self._records[name] = [] if member is None else list(self._read_records(name, member.content))
        return self._records[name]

    def _check_signature(self) -> None:
        content = self.members[SIGNATURE].content
        try:
            signature = json.loads(content)
            self.key = bytes.fromhex(signature["key"])
            signed = bytes.fromhex(signature["signature"])
            expected = {
                "algorithm": "Ed25519", "format": FORMAT, "key": self.key.hex(), "key_id": key_id(self.key), "signature": signed.hex(),
                "signs": INDEX,
            }  # fmt: skip
        except (ValueError, KeyError, TypeError):
            self.report(f"{SIGNATURE}: it was changed; it cannot be read")
            return
        if content != canonical(expected) + b"\n":
            self.report(f"{SIGNATURE}: it was changed; it does not have the form of a signature")
        if not is_signed(self.key, FORMAT.encode() + b"\0" + self.members[INDEX].content, signed):
            self.report(f"{INDEX}: the signature is not over this index; the index, the signature or the key was changed")
            return
        self.signed_by = key_id(self.key)

    def _check_members(self) -> None:
        index = _json(self.members[INDEX].content, INDEX)
        try:
            listed = {str(entry["name"]): entry for entry in index["files"]}
            names = [str(entry["name"]) for entry in index["files"]]
        except (KeyError, TypeError):
            raise NotABundle(f"{INDEX} does not list the files of a bundle") from None
        if list(self.members) != [*names, INDEX, SIGNATURE]:
            for name in sorted(set(names) - set(self.members)):
                self.report(f"{name}: it was removed")
            for name in sorted(set(self.members) - set(names) - {INDEX, SIGNATURE}):
                self.report(f"{name}: it was added")
            if not (set(names) ^ (set(self.members) - {INDEX, SIGNATURE})):
                self.report("the files are not in the order of the index")
        for name, entry in listed.items():
            member = self.members.get(name)
            if member is None:
                continue
            is_whole = hashlib.sha256(member.content).hexdigest() == entry.get("sha256")
            if not is_whole:
                self._name_changed(name, member.content, str(entry.get("records", "")))
            elif hashlib.sha256(member.packed).hexdigest() != entry.get("packed_sha256"):
                self.report(f"{name}: its packed bytes were changed, without a change of what they say")

    def _read_records(self, name: str, content: bytes) -> Iterator[Record]:
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            try:
                record = json.loads(line.decode("utf-8"))
            except ValueError:
                self.report(f"{name}, line {number}: it is not JSON")
                continue
            if isinstance(record, dict):
                yield record

    def _name_changed(self, name: str, content: bytes, packed_hashes: str) -> None:
        """Says which records of a file are not the signed ones."""
        lines = content.split(b"\n")
        if not packed_hashes or not content.endswith(b"\n"):
            self.report(f"{name}: it was changed")
            if not packed_hashes:
                return
        try:
            joined = base64.b64decode(packed_hashes, validate=True)
        except ValueError:
            joined = b""
        wanted = [joined[at : at + RECORD_BYTES] for at in range(0, len(joined), RECORD_BYTES)]
        have = [hashlib.sha256(line).digest()[:RECORD_BYTES] for line in lines[:-1]]
        known, there = set(wanted), set(have)
        named = 0
        for number, (line, digest) in enumerate(zip(lines, have), 1):
            if digest in known:
                continue
            named += 1
            if named <= MOST_NAMED:
                is_replaced = number <= len(wanted) and wanted[number - 1] not in there
                self.report(f"{name}, record {number} ({_title(line)}): it was {'changed' if is_replaced else 'added'}")
        missing = [
            number
            for number, digest in enumerate(wanted, 1)
            # Where another record stands in its place, that one was named as changed.
            if digest not in there and (number > len(have) or have[number - 1] in known)
        ]
        for number in missing[:MOST_NAMED]:
            self.report(f"{name}, record {number}: it was removed")
        if not named and not missing:
            self.report(f"{name}: its records were put in another order, or repeated")


def _title(line: bytes) -> str:
    """What a record calls itself, also where it can no longer be read as JSON."""
    try:
        return str(json.loads(line)["record"])
    except (ValueError, KeyError, TypeError):
        found = re.search(rb'"record":"([^"]{1,200})"', line)
        return found[1].decode("ascii", "replace") if found else "unreadable"


# --- Rules: three-valued logic over a closed list of operators -------------------------------------------------------------------------

HOST: Subject = ("host", "")
NOT_COLLECTED = ("u", "not collected")
HARDWARE_INITIATORS = "hardware initiator"
WEIGHTLESS = {"capability", "informational", "advisory", "attestation"}
Reading = tuple[str, Any]  # ("v", value), ("n", reason: not offered) or ("u", reason: unknown)


class Host:
    """One host as the bundle has it: its settings, and what else its findings rest on."""

    def __init__(self, record: Record, configuration: Record) -> None:
        self.id = str(record["id"])
        self.name = str(record["name"])
        self.platform = str(record["platform"])
        self.unread: dict[str, str] = {**record["unlisted"], **record["unread"]}
        self.attested: dict[str, Any] = record["attested"]
        cluster, fabric = record["peers"]["cluster"], record["peers"]["fabric"]
        self.cluster: dict[str, Any] | None = cluster
        self.fabric = None if fabric is None else {(name, adapter): values for name, adapter, values in fabric}
        self._readings: dict[Subject, dict[str, Reading]] = {}
        for kind, identity, key, state, value, *_ in configuration["settings"]:
            self._readings.setdefault((kind, identity), {})[key] = (state, value)
        for kind, identity in configuration["subjects"]:
            self._readings.setdefault((kind, identity), {})

    def read(self, subject: Subject, key: str) -> Reading:
        """The reading of one setting; one that was never collected is unknown."""
        return self._readings.get(subject, {}).get(key, NOT_COLLECTED)

    def value(self, subject: Subject, key: str) -> Any:
        """The value, or None where it is not known or not offered."""
        state, value = self.read(subject, key)
        return value if state == "v" else None

    def subjects(self, kind: str) -> list[Subject]:
        """All subjects of a kind, by id."""
        return sorted(subject for subject in self._readings if subject[0] == kind)


def same(left: Any, right: Any) -> bool:
    """Equal and of the same type: true is not 1."""
    return type(left) is type(right) and left == right


def _version(text: str) -> list[int] | None:
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", text)
    if found is None:
        return None
    parts = [int(part) for part in found[0].split(".")]
    while parts and not parts[-1]:
        parts.pop()
    return parts


def _is_at_least(seen: Any, wanted: str) -> bool | None:
    """Versions by their parts. Empty, so nothing is installed: no. None where it begins with no number."""
    if not isinstance(seen, str):
        return None
    if not seen:
        return False
    own, other = _version(seen), _version(wanted)
    return None if own is None or other is None else own >= other


def _meets(test: str, operands: Sequence[Any], seen: Any) -> bool | None:
    if test == "one_of":
        return any(same(seen, operand) for operand in operands)
    if test == "none_of":
        return not any(same(seen, operand) for operand in operands)
    if test == "contains":
        return any(same(member, operands[0]) for member in seen) if isinstance(seen, list) else None
    if type(seen) is not int:
        return None
    bound = int(operands[0])
    return seen >= bound if test == "at_least" else seen <= bound


def _condition(host: Host, subject: Subject, condition: Record, of: Subject = HOST) -> bool | None:
    """True, false, or None: not known. `of` is the subject that `contains_value_of` refers to."""
    state, seen = host.read(subject, condition["key"].split(".", 1)[1])
    if condition["test"] == "contains_value_of":
        wanted_state, wanted = host.read(of, str(condition["values"][0]).split(".", 1)[1])
        if "n" in (state, wanted_state):
            return False
        if "u" in (state, wanted_state) or not isinstance(seen, list):
            return None
        return any(same(member, wanted) for member in seen)
    if state == "u":
        return None
    if state == "n":
        return bool(condition["test"] == "none_of")
    return _meets(condition["test"], condition["values"], seen)


def _all(truths: Iterable[bool | None]) -> bool | None:
    """False where one is false, else None where one is not known."""
    found = list(truths)
    return False if False in found else None if None in found else True


def _initiator_mode(host: Host, adapter: Subject, modes: Sequence[str]) -> bool | None:
    """Whether the initiators on an adapter have one of these modes; an adapter that none names has a software initiator."""
    seen: list[str] = []
    doubt = False
    for initiator in host.subjects("initiator"):
        if host.value(initiator, "adapter") != adapter[1]:
            continue
        state, mode = host.read(initiator, "mode")
        if state == "v":
            seen.append(str(mode))
        elif state == "u":
            doubt = True
    family = host.read(adapter, "family")
    if not seen and not doubt and HARDWARE_INITIATORS in host.unread and (family[0] != "v" or family[1] == "bcm57810"):
        doubt = True
    if any(mode not in modes for mode in seen):
        return False
    if doubt:
        return None
    return bool(seen) or "software" in modes


def _some(host: Host, clause: Record, of: Subject) -> bool | None:
    """Whether some subject of the kind meets every condition. An item that was not listed may meet them."""
    is_doubtful = clause["kind"] in host.unread
    for candidate in host.subjects(clause["kind"]):
        if clause.get("id_contains", "") not in candidate[1]:
            continue
        holds = _all(_condition(host, candidate, condition, of) for condition in clause["where"])
        if holds is not False and clause.get("modes"):
            mode = _initiator_mode(host, candidate, clause["modes"])
            holds = False if mode is False else None if mode is None else holds
        if holds:
            return True
        is_doubtful = is_doubtful or holds is None
    return None if is_doubtful else False


def _host_clause(host: Host, clause: Record) -> bool | None:
    return _condition(host, HOST, clause) if clause["is"] == "condition" else _some(host, clause, HOST)


def _subject_clause(host: Host, subject: Subject, clause: Record) -> bool | None:
    if clause["is"] == "condition":
        return _condition(host, subject, clause)
    return _initiator_mode(host, subject, clause["modes"])


def _compared_subjects(host: Host, rule: Record) -> list[tuple[Subject, bool]]:
    """The subjects whose own clauses are not proven false, and whether all of them are known to hold."""
    applies = [
        (subject, _all(_subject_clause(host, subject, clause) for clause in rule["subject"]))
        for subject in host.subjects(rule["subject_kind"])
    ]
    return [(subject, holds is True) for subject, holds in applies if holds is not False]


def _outcome(met: bool | None) -> str:
    return "unknown" if met is None else "pass" if met else "fail"


def _expectation(host: Host, rule: Record, subject: Subject, node: Record) -> str:
    """The outcome of an expectation on one subject."""
    if node["is"] == "check":
        return _check(host, rule, subject, node)
    if node["is"] == "exists":
        holds = _some(host, node, subject)
        return "unknown" if holds is None else "pass" if holds is node["wanted"] else "fail"
    if node["is"] == "attested":
        return _outcome(host.attested.get(rule["address"]))
    outcomes = [_expectation(host, rule, subject, part) for part in node["parts"]]
    if node["is"] == "all_of":
        order = ("not_applicable", "fail", "unknown", "pass")
    else:
        outcomes = [outcome for outcome in outcomes if outcome != "not_applicable"] or ["not_applicable"]
        order = ("pass", "unknown", "fail", "not_applicable")
    return next(outcome for outcome in order if outcome in outcomes)


def _check(host: Host, rule: Record, subject: Subject, check: Record) -> str:
    operator, values = check["operator"], check["values"]
    if operator in ("distinct", "sum_at_most"):
        return _over_subjects(host, check)
    kind, key = check["key"].split(".", 1)
    state, seen = host.read(HOST if kind == "host" else subject, key)
    if state == "u":
        return "unknown"
    if state == "n":
        return "not_applicable"
    if operator == "same_across":
        return _same_across(host, rule, subject, check, seen)
    if operator == "equals" and check["type"] == "list":
        return _outcome(isinstance(seen, list) and set(seen) == set(values))
    if operator == "one_of" and check["type"] == "list":
        return _outcome(isinstance(seen, list) and all(any(same(member, each) for each in values) for member in seen))
    if operator in ("equals", "one_of"):
        return _outcome(any(same(seen, each) for each in values))
    if operator == "at_least" and check["type"] == "version":
        return _outcome(_is_at_least(seen, str(values[0])))
    if operator in ("at_least", "at_most"):
        return _outcome(_meets(operator, values, seen))
    if operator == "between":
        return _outcome(int(values[0]) <= seen <= int(values[1]) if type(seen) is int else None)
    if operator == "present":
        return _outcome(seen not in ("", []))
    if operator == "absent":
        return _outcome(seen in ("", []))
    if operator == "proves":
        return "unknown" if seen in ("silent", "not_run") else _outcome(same(seen, values[0]))
    if operator == "driver_maximum":
        if type(seen) is not int:
            return "unknown"
        maximum = host.value(subject, key + "_maximum")
        if type(maximum) is int:
            return _outcome(seen >= maximum)
        return _outcome(seen >= int(values[0]) if values else None)
    raise ValueError(f"this file does not know the operator {operator!r}")


def _same_across(host: Host, rule: Record, subject: Subject, check: Record, seen: Any) -> str:
    key = check["key"].split(".", 1)[1]
    others: list[Any]
    known: Sequence[Any] | None
    if check["scope"] == "host":
        others = []
        for other, is_certain in _compared_subjects(host, rule):
            state, value = host.read(other, key)
            if other == subject or state == "n":
                continue
            # An item that the rule may not be about proves nothing by a value that differs.
            others.append(value if state == "v" and (is_certain or same(value, seen)) else None)
    else:
        name = f"{rule['address']}:{check['key']}"
        if check["scope"] == "cluster":
            known = None if host.cluster is None else host.cluster.get(name, ())
        else:
            known = None if host.fabric is None else host.fabric.get((name, subject[1]), ())
        if known is None:
            return "unknown"
        others = [each[1] for each in known]
        if not others:
            return "not_applicable"
    if any(other is not None and not same(other, seen) for other in others):
        return "fail"
    if any(other is None for other in others) or (check["scope"] == "host" and rule["subject_kind"] in host.unread):
        return "unknown"
    return "pass"


def _over_subjects(host: Host, check: Record) -> str:
    """`distinct` and `sum_at_most` read all subjects of the setting's kind that meet `where`."""
    kind, key = check["key"].split(".", 1)
    is_doubtful = kind in host.unread
    seen_any = is_doubtful
    values: list[Any] = []
    for candidate in host.subjects(kind):
        match = _all(_condition(host, candidate, condition) for condition in check["where"])
        if match is False:
            continue
        state, value = host.read(candidate, key)
        if state == "n":
            continue
        seen_any = True
        if match is None or state == "u":
            is_doubtful = True
        else:
            values.append(value)
    if not seen_any:
        return "not_applicable"
    if check["operator"] == "distinct":
        members = [member for value in values for member in (value if isinstance(value, list) else [value])]
        is_broken = any(same(member, other) for at, member in enumerate(members) for other in members[:at])
    else:
        if any(type(value) is not int for value in values):
            return "unknown"
        is_broken = sum(values) > int(check["values"][0])
    return "fail" if is_broken else "unknown" if is_doubtful else "pass"


def evaluate_rule(rule: Record, host: Host) -> list[tuple[Subject, str]]:
    """The outcome of one rule on each of its subjects. A rule that cannot be evaluated is unknown on the host."""
    try:
        return _evaluate_rule(rule, host)
    except Exception:
        return [(HOST, "unknown")]


def _evaluate_rule(rule: Record, host: Host) -> list[tuple[Subject, str]]:
    if rule["retired"]:
        return []
    if rule["platform"] not in (None, host.platform):
        return [(HOST, "not_applicable")]
    on_host = [_host_clause(host, clause) for clause in rule["host"]]
    if rule["subject_kind"] == "host":
        return [(HOST, _applied(host, rule, HOST, on_host))]
    results: list[tuple[Subject, str]] = []
    for subject in host.subjects(rule["subject_kind"]):
        truths = [_subject_clause(host, subject, clause) for clause in rule["subject"]]
        if False not in truths:
            results.append((subject, _applied(host, rule, subject, [*on_host, *truths])))
    if rule["subject_kind"] in host.unread:
        # An item that was not seen may fail.
        if False not in on_host and {outcome for _, outcome in results} <= {"pass", "not_applicable"}:
            return [*results, (HOST, "unknown")]
        return results or [(HOST, _applied(host, rule, HOST, on_host))]
    return results or [(HOST, "not_applicable")]


def _applied(host: Host, rule: Record, subject: Subject, truths: Sequence[bool | None]) -> str:
    applies = _all(truths)
    if applies is None:
        return "unknown"
    return _expectation(host, rule, subject, rule["expect"]) if applies else "not_applicable"


# --- Score -----------------------------------------------------------------------------------------------------------------------------

BAND = {"instability": 10, "effect_25_or_more": 8, "effect_10_to_25": 5, "retransmit": 3, "stated": 2}
STRENGTH_TENTHS = {"measured": 10, "chart": 8, "stated": 6, "own_judgement": 4}
CAP = 59
ENOUGH_PATHS = 2
PATHS_RULE = "plumbline-core/core.paths.two_healthy"


class Rules:
    """The rules in force for a group: rules by address, which of them count once, and what else decides about their findings."""

    def __init__(self, record: Record, packs: dict[str, Record]) -> None:
        chosen = [packs[name] for name in record["packs"]]
        self.rules: dict[str, Record] = {rule["address"]: rule for pack in chosen for rule in pack["rules"]}
        self.papers = {(pack["pack"], paper["id"]): paper for pack in chosen for paper in pack["papers"]}
        self.grace: set[str] = set(record["grace"])
        self.decisions: dict[str, str] = record["decisions"]
        self.contradictions: list[Record] = record["contradictions"]
        self.linked = _linked([rule for rule in self.rules.values() if rule["kind"] not in WEIGHTLESS])


def _linked(rules: Sequence[Record]) -> dict[str, str]:
    """For each rule that weighs the name of its group: rules joined by `same_as` count once."""
    root = {rule["address"]: rule["address"] for rule in rules}

    def find(address: str) -> str:
        while root[address] != address:
            address = root[address]
        return address

    for rule in rules:
        for other in rule["same_as"]:
            if other in root:
                first, second = sorted((find(rule["address"]), find(other)))
                root[second] = first
    return {address: find(address) for address in root}


class Traits:
    """What of a host decides how well a paper's test bed fits it, and the volumes that cap its score."""

    def __init__(self, host: Host) -> None:
        self.platform = host.platform
        self.families: dict[str, str] = {}
        self.san: set[str] = set()
        self.adapter_of: dict[str, str] = {}
        for adapter in host.subjects("adapter"):
            family = host.value(adapter, "family")
            if isinstance(family, str):
                self.families[adapter[1]] = family
                if host.value(adapter, "role") in ("san_iscsi", "s2d_storage"):
                    self.san.add(family)
        for initiator in host.subjects("initiator"):
            adapter_id = host.value(initiator, "adapter")
            if isinstance(adapter_id, str) and adapter_id:
                self.adapter_of[initiator[1]] = adapter_id
                if adapter_id in self.families:
                    self.san.add(self.families[adapter_id])
        healthy = ((volume, host.value(volume, "paths_healthy")) for volume in host.subjects("volume"))
        self.thin = [volume for volume, count in healthy if type(count) is int and count < ENOUGH_PATHS]
        release = host.value(HOST, "os_release")
        self.release = release if isinstance(release, str) else ""

    def families_of(self, rule: Record, subjects: Iterable[Subject]) -> set[str]:
        """The adapter families that a rule's subjects are or belong to; else those of the host's SAN adapters."""
        if rule["subject_kind"] == "adapter":
            return {self.families[subject[1]] for subject in subjects if subject[1] in self.families}
        if rule["subject_kind"] == "initiator":
            adapters = [self.adapter_of[subject[1]] for subject in subjects if subject[1] in self.adapter_of]
            found = {self.families[adapter] for adapter in adapters if adapter in self.families}
            if found:
                return found
        return self.san


def _weight(rules: Rules, rule: Record, families: set[str], traits: Traits) -> int:
    """In hundredths: the largest band x strength x fit of the rule's evidence; 1 without evidence."""
    best = None
    for evidence in rule["evidence"]:
        fit = 5
        for bed in rules.papers[rule["pack"], evidence["paper"]]["beds"]:
            if bed["platform"] != traits.platform or not families & set(evidence["families"] or bed["families"]):
                continue
            fit = max(fit, 10 if traits.release in (evidence["os_releases"] or bed["os_releases"]) else 8)
        weight = BAND[evidence["band"]] * STRENGTH_TENTHS[evidence["strength"]] * fit
        best = weight if best is None else max(best, weight)
    return 100 if best is None else best


def _caps(rule: Record) -> bool:
    evidence = rule["evidence"]
    return rule["kind"] == "guard_rail" and not (evidence and all(each["strength"] == "chart" for each in evidence))


class Tally(NamedTuple):
    """What one rule, or several linked ones, count: subjects by status, and their weight."""

    weight: int
    passing: int
    failing: int
    unknown: int
    waived: int
    excluded: int


Verdicts = dict[Identity, str]


def _tallies(rules: Rules, verdicts: Verdicts, traits: Traits, waived: set[Identity], excluded: set[Identity]) -> list[Tally]:
    groups: dict[str, dict[Subject, list[tuple[str, str]]]] = {}
    for (address, subject), outcome in verdicts.items():
        if outcome != "not_applicable" and address in rules.linked:
            groups.setdefault(rules.linked[address], {}).setdefault(subject, []).append((address, outcome))
    found = []
    for subjects in groups.values():
        counts = {"pass": 0, "fail": 0, "unknown": 0, "waived": 0, "excluded": 0}
        by_rule: dict[str, list[Subject]] = {}
        for subject, members in subjects.items():
            for address, _ in members:
                by_rule.setdefault(address, []).append(subject)
            outcomes = [outcome for _, outcome in members]
            worst = next(outcome for outcome in ("fail", "unknown", "pass") if outcome in outcomes)
            deciding = [(address, subject) for address, outcome in members if outcome == worst]
            if worst != "unknown" and all(each in waived or each in excluded for each in deciding):
                counts["waived" if any(each in waived for each in deciding) else "excluded"] += 1
            else:
                counts[worst] += 1
        weight = max(
            _weight(rules, rules.rules[address], traits.families_of(rules.rules[address], of), traits) for address, of in by_rule.items()
        )
        found.append(Tally(weight, counts["pass"], counts["fail"], counts["unknown"], counts["waived"], counts["excluded"]))
    return found


def _over(common: int, by_divisor: dict[int, int]) -> int:
    return sum(points * (common // divisor) for divisor, points in by_divisor.items())


def _score(tallies: Sequence[Tally], is_capped: bool) -> int | None:
    gained: dict[int, int] = {}
    total = 0
    for tally in tallies:
        evaluated = tally.passing + tally.failing
        if evaluated:
            total += tally.weight
            gained[evaluated] = gained.get(evaluated, 0) + tally.weight * tally.passing
    if not total:
        return None
    common = lcm(*gained)
    whole = 100 * _over(common, gained) // (common * total)
    return min(whole, CAP) if is_capped else whole


def _coverage(tallies: Sequence[Tally]) -> float | None:
    known: dict[int, int] = {}
    applicable: dict[int, int] = {}
    for tally in tallies:
        seen = tally.passing + tally.failing + tally.waived
        applying = seen + tally.unknown + tally.excluded
        known[applying] = known.get(applying, 0) + tally.weight * seen
        applicable[applying] = applicable.get(applying, 0) + tally.weight * (seen + tally.unknown)
    common = lcm(*applicable) if applicable else 1
    whole = _over(common, applicable)
    return _over(common, known) / whole if whole else None


def _is_capped(rules: Rules, verdicts: Verdicts, traits: Traits, left_out: set[Identity]) -> bool:
    if any(outcome == "fail" and _caps(rules.rules[one[0]]) and one not in left_out for one, outcome in verdicts.items()):
        return True
    return any((PATHS_RULE, volume) not in left_out for volume in traits.thin)


def _not_applicable(rules: Rules, verdicts: Verdicts) -> int:
    applies: dict[str, set[Subject]] = {}
    applies_not: set[tuple[str, Subject]] = set()
    for (address, subject), outcome in verdicts.items():
        if address in rules.linked:
            if outcome == "not_applicable":
                applies_not.add((rules.linked[address], subject))
            else:
                applies.setdefault(rules.linked[address], set()).add(subject)
    return sum(1 for group, subject in applies_not if group not in applies or (subject != HOST and subject not in applies[group]))


def figures(rules: Rules, host: Host, verdicts: Verdicts, waived: set[Identity], excluded: set[Identity]) -> Record:
    """A host's score and counts."""
    traits = Traits(host)
    tallies = _tallies(rules, verdicts, traits, waived, excluded)
    bare = _tallies(rules, verdicts, traits, set(), excluded)
    is_capped = _is_capped(rules, verdicts, traits, waived | excluded)
    return {
        "score": _score(tallies, is_capped),
        "score_without_waivers": _score(bare, _is_capped(rules, verdicts, traits, excluded)),
        "is_capped": is_capped,
        "rule_coverage": _coverage(tallies),
        "pass": sum(tally.passing for tally in tallies),
        "fail": sum(tally.failing for tally in tallies),
        "unknown": sum(tally.unknown for tally in tallies),
        "waived": sum(tally.waived for tally in tallies),
        "excluded": sum(tally.excluded for tally in tallies),
        "not_applicable": _not_applicable(rules, verdicts),
    }


def waived_by(verdicts: Verdicts, waivers: Sequence[Record]) -> dict[Identity, int]:
    """The waiver of each failing finding that has one, the oldest of several. `waivers` are those in force on this host, by id."""
    found: dict[Identity, int] = {}
    for (address, subject), outcome in verdicts.items():
        for waiver in waivers if outcome == "fail" else ():
            if address in waiver["rules"] and (waiver["subject"] is None or tuple(waiver["subject"]) == subject):
                found[address, subject] = waiver["id"]
                break
    return found


def excluded_by(rules: Rules, verdicts: Verdicts) -> dict[Identity, str]:
    """Findings that do not count: both sides of an undecided conflict, the side not chosen, and failures of a pack in its grace period."""
    found: dict[Identity, str] = {}
    evaluated: dict[str, set[Subject]] = {}
    for (address, subject), outcome in verdicts.items():
        if outcome in ("pass", "fail"):
            evaluated.setdefault(address, set()).add(subject)
    for each in rules.contradictions:
        sides = (each["first"], each["second"])
        both = evaluated.get(sides[0]["rule"], set()) & evaluated.get(sides[1]["rule"], set())
        holds = rules.decisions.get(each["id"])
        for subject in both:
            for side in sides:
                if holds is None:
                    found[side["rule"], subject] = "conflict"
                elif side["demand"] != holds:
                    found.setdefault((side["rule"], subject), "decision")
    for (address, subject), outcome in verdicts.items():
        if outcome == "fail" and rules.rules[address]["pack"] in rules.grace:
            found.setdefault((address, subject), "grace")
    return found


# --- The parts of a bundle -----------------------------------------------------------------------------------------------------------


def check_findings(bundle: Bundle, score_mean: float | None) -> tuple[int, int]:
    """Evaluates every host again and compares. How many hosts and findings were compared."""
    packs = {f"{pack['pack']} {pack['version']}": pack for pack in bundle.of("packs.jsonl")}
    rules_by_id = {record["id"]: Rules(record, packs) for record in bundle.of("rules-in-force.jsonl")}
    configurations = {record["host"]: record for record in bundle.of("configurations.jsonl")}
    stored: dict[str, dict[Identity, Record]] = {}
    for each in bundle.of("findings.jsonl"):
        stored.setdefault(each["host"], {})[f"{each['pack']}/{each['rule']}", (each["subject"][0], each["subject"][1])] = each
    waivers = sorted(bundle.of("waivers.jsonl"), key=lambda waiver: int(waiver["id"]))
    hosts = findings = 0
    scores: list[int] = []
    for record in bundle.of("hosts.jsonl"):
        mine = stored.pop(record["id"], {})
        if record["absent"]:
            continue
        hosts, findings = hosts + 1, findings + len(mine)
        configuration, rules = configurations.get(record["id"]), rules_by_id.get(record["rules"])
        if configuration is None or rules is None:
            bundle.report(f"{record['record']}: its configuration or its rules are missing")
            continue
        host = Host(record, configuration)
        verdicts = {(address, subject): outcome for address, rule in rules.rules.items() for subject, outcome in evaluate_rule(rule, host)}
        waived = waived_by(verdicts, [waiver for waiver in waivers if record["id"] in waiver["hosts"]])
        excluded = excluded_by(rules, verdicts)
        for identity in sorted(verdicts.keys() | mine.keys()):
            finding: Record | None = mine.get(identity)
            if finding is None:
                bundle.report(f"{record['record']}: a finding of {identity[0]} on {_shown(identity[1])} is missing")
            elif identity not in verdicts:
                bundle.report(f"{finding['record']}: the rules do not give this finding")
            else:
                _compare_finding(bundle, finding, verdicts[identity], waived.get(identity), excluded.get(identity, ""))
        recomputed = figures(rules, host, verdicts, set(waived), set(excluded))
        if recomputed["score"] is not None:
            scores.append(recomputed["score"])
        for name, figure in recomputed.items():
            if record["figures"].get(name) != figure:
                bundle.report(f"{record['record']}: {name} is stated as {record['figures'].get(name)}; recomputed: {figure}")
    mean = sum(scores) / len(scores) if scores else None
    if mean != score_mean:
        bundle.report(f"bundle.json: the average score is stated as {score_mean}; recomputed: {mean}")
    for host_id in stored:
        bundle.report(f"findings.jsonl: findings of a host that is not in the bundle ({host_id})")
    return hosts, findings


def _shown(subject: Subject) -> str:
    return f"{subject[0]} {subject[1]}".rstrip()


def _compare_finding(bundle: Bundle, finding: Record, outcome: str, waiver: int | None, excluded: str) -> None:
    for name, stated, recomputed in (
        ("outcome", finding["outcome"], outcome), ("waiver", finding["waiver"], waiver), ("excluded", finding["excluded_by"], excluded),
    ):  # fmt: skip
        if stated != recomputed:
            bundle.report(f"{finding['record']}: {name} is stated as {stated!r}; recomputed: {recomputed!r}")


def check_packs(bundle: Bundle) -> None:
    """Each pack's published document has its hash."""
    for pack in bundle.of("packs.jsonl"):
        if hashlib.sha256(canonical(pack["document"])).hexdigest() != pack["content_hash"]:
            bundle.report(f"{pack['record']}: its document does not have the hash {pack['content_hash']}")


def check_waivers(bundle: Bundle, as_of: str) -> int:
    """A waiver that was in force had been approved by a second person, and had not ended."""
    waivers = bundle.of("waivers.jsonl")
    for waiver in waivers:
        if not waiver["hosts"]:
            continue
        if not waiver["approved_at"] or waiver["approved_at"] > as_of or waiver["expires_at"] <= as_of:
            bundle.report(f"{waiver['record']}: it was not active at {as_of}")
        if waiver["approved_by_id"] == waiver["requested_by_id"]:
            bundle.report(f"{waiver['record']}: it was approved by the person who requested it")
    return len(waivers)


def check_plans(bundle: Bundle, approval_keys: dict[str, str]) -> tuple[int, int]:
    """Plans are what their digest says; approvals are signed, and by somebody else than the plan's author."""
    plans = {plan["id"]: plan for plan in bundle.of("plans.jsonl")}
    for plan in plans.values():
        if plan["document"] and hashlib.sha256(plan["document"].encode()).hexdigest() != plan["digest"]:
            bundle.report(f"{plan['record']}: its document does not have the digest {plan['digest']}")
    approvals = bundle.of("approvals.jsonl")
    for approval in approvals:
        name = approval["record"]
        public = bytes.fromhex(approval_keys.get(approval["key_id"], ""))
        message = b"plumbline-plan-1\0" + approval["payload"].encode()
        if key_id(public) != approval["key_id"] or not is_signed(public, message, bytes.fromhex(approval["signature"])):
            bundle.report(f"{name}: it is not signed by the key {approval['key_id']} of the bundle")
            continue
        payload = json.loads(approval["payload"])
        signed_plan = plans.get(payload["plan_id"])
        digest = hashlib.sha256(canonical(payload["document"])).hexdigest()
        if signed_plan is None or {payload["digest"], digest} != {signed_plan["digest"]}:
            bundle.report(f"{name}: what was signed is not the plan in this bundle")
        if payload["approver"]["id"] == payload["author"]["id"] and payload["kind"] == "person":
            bundle.report(f"{name}: it was approved by its own author")
    for job in bundle.of("jobs.jsonl"):
        if job["plan"] not in plans and not job["is_plan_outside"]:
            bundle.report(f"{job['record']}: its plan is not in the bundle")
    return len(plans), len(approvals)


_AUDIT_FIELDS = ("number", "id", "at", "actor", "action", "object_kind", "object_id", "group_id", "before", "after", "reason", "request_id")


def check_audit(bundle: Bundle) -> int:
    """Each entry's hash is over the one before and the entry; an entry outside the scope is there by number and hash only."""
    entries = bundle.of("audit.jsonl")
    hashes: dict[int, str] = {}
    previous: Record | None = None
    whole = 0
    for entry in entries:
        if previous is not None and entry["number"] != previous["number"] + 1:
            bundle.report(f"{entry['record']}: the entry before it is missing")
        if "action" in entry:
            whole += 1
            if previous is not None:
                content = canonical({name: entry[name] for name in _AUDIT_FIELDS})
                if hashlib.sha256(bytes.fromhex(previous["hash"]) + content).hexdigest() != entry["hash"]:
                    bundle.report(f"{entry['record']}: it does not match its hash")
            else:
                bundle.report(f"{entry['record']}: the entry before it is missing, so that it cannot be checked")
        hashes[entry["number"]] = entry["hash"]
        previous = entry
    for head in bundle.of("audit-heads.jsonl"):
        message = b"plumbline-audit-head-1\0" + str(head["number"]).encode() + b"\0" + bytes.fromhex(head["hash"])
        if hashes.get(head["number"]) != head["hash"]:
            bundle.report(f"{head['record']}: the audit log does not lead to this signed head")
        if not is_signed(bundle.key, message, bytes.fromhex(head["signature"])):
            bundle.report(f"{head['record']}: it is not signed by the key of the bundle")
    return whole


def verify(data: bytes, expected_key: str = "") -> Record:
    """Checks a bundle. The answer has `holds`, `problems`, the key's id and what was compared. Raises `NotABundle`."""
    bundle = Bundle(data)
    about: Record = {}
    if "bundle.json" in bundle.members:
        about = _json(bundle.members["bundle.json"].content, "bundle.json")
    else:
        bundle.report("bundle.json: it is missing")
    if expected_key and bundle.signed_by and bundle.signed_by != expected_key.strip().lower():
        bundle.report(f"{SIGNATURE}: signed by the key {bundle.signed_by}, not by {expected_key.strip().lower()}")
    counts = {"hosts": 0, "findings": 0, "waivers": 0, "plans": 0, "approvals": 0, "audit_entries": 0}
    if not bundle.problems:
        try:
            check_packs(bundle)
            counts["hosts"], counts["findings"] = check_findings(bundle, about["score_mean"])
            counts["waivers"] = check_waivers(bundle, str(about["as_of"]))
            counts["plans"], counts["approvals"] = check_plans(bundle, about["approval_keys"])
            counts["audit_entries"] = check_audit(bundle)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            bundle.report(f"a record does not have the form of this version ({type(error).__name__}: {error})")
    return {
        "holds": not bundle.problems,
        "problems": bundle.problems,
        "key_id": bundle.signed_by,
        "scope": about.get("scope", ""),
        "as_of": about.get("as_of", ""),
        "made_at": about.get("made_at", ""),
        "site": about.get("site", ""),
        "recomputed": counts,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Prints what was checked and what does not hold."""
    parser = argparse.ArgumentParser(prog="verify_bundle.py", description="Checks a Plumbline evidence bundle offline.")
    parser.add_argument("file", help="the bundle, a .zip file")
    parser.add_argument("--key", default="", help="key id that must have signed it, as Plumbline's Reports page shows it")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    options = parser.parse_args(arguments)
    try:
        with open(options.file, "rb") as file:
            result = verify(file.read(), options.key)
    except (OSError, NotABundle, MemoryError) as error:
        print(f"{options.file}: cannot be read as an evidence bundle: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        _print(options.file, result, bool(options.key))
    return 0 if result["holds"] else 1


def _print(name: str, result: Record, is_key_given: bool) -> None:
    print(f"{name}: {result['scope']} of {result['site'] or 'Plumbline'} as of {result['as_of']}")
    for problem in result["problems"][:200]:
        print(f"  WRONG  {problem}")
    if len(result["problems"]) > 200:
        print(f"  WRONG  and {len(result['problems']) - 200} more")
    if not result["holds"]:
        print("The bundle does not hold: it was changed, or it is not complete.")
        return
    counts = result["recomputed"]
    print(f"  Signature holds. Key: {result['key_id']}{'' if is_key_given else ' (compare it with the key id on the Reports page)'}")
    print(f"  {counts['findings']} findings and the scores of {counts['hosts']} hosts were recomputed and are equal.")
    names = {"waivers": "waivers", "plans": "plans", "approvals": "approvals", "audit_entries": "audit entries"}
    print(f"  {', '.join(f'{counts[name]} {words}' for name, words in names.items())} were checked and hold.")
    print("The bundle holds.")


if __name__ == "__main__":
    # A report that is piped into `head` ends quietly.
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.exit(1)
