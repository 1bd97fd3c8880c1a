"""What is signed stays the same bytes: a plan approved by one version must be valid under the next."""

import hashlib
from datetime import UTC, datetime

from plumbline.core.planning.plan import canonical, digest, document
from plumbline.models.plans import Plan
from plumbline.remediation.signed_payload import Signing, payload_of, payload_text
from tests.core.planning.builders import a_plan

DOCUMENT_SHA256 = "68e3e90d66c88733b4f0eec6cf0b7d239b8812c6e84e4e3e306e4890a00f4f39"
PAYLOAD_SHA256 = "f4322f076c9e9d75b814c1c46486d829f8b918d047c41e7968e38ce8832aa32d"


def a_row() -> Plan:
    plain = document(a_plan(hosts=2))
    return Plan(
        id=7,
        group_id=3,
        title="flow control",
        reason="as the paper says",
        ticket="CHG-1",
        author_id=11,
        author="person:11 olga",
        document=canonical(plain).decode("ascii"),
        digest=digest(plain),
        not_before=datetime(2030, 1, 1, 2, 0, tzinfo=UTC),
        not_after=datetime(2030, 1, 1, 6, 0, tzinfo=UTC),
    )


def a_signing() -> Signing:
    return Signing(
        kind="break_glass",
        approver=(12, "person:12 anton"),
        second=(13, "person:13 berta"),
        standing=None,
        host_groups={"a" * 32: "1/3/"},
        window={"id": 5, "name": "night", "weekdays": [1, 2]},
        runners={"esxi": "e" * 64, "windows": "f" * 64},
        signed_at=datetime(2030, 1, 1, 1, 0, tzinfo=UTC),
    )


def test_a_plan_keeps_its_canonical_bytes() -> None:
    assert hashlib.sha256(a_row().document.encode()).hexdigest() == DOCUMENT_SHA256


def test_an_approval_keeps_its_canonical_bytes() -> None:
    text = payload_text(payload_of(a_row(), a_signing()))
    assert hashlib.sha256(text.encode()).hexdigest() == PAYLOAD_SHA256
