"""Posts a collected check-in to the check-in endpoint, with the same headers and answers as for any agent."""

import gzip
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from plumbline.infra.clock import iso, utc_now
from plumbline.infra.errors import PlumblineError, Unavailable

PATH = "/agent/v1/check-in"
_TYPE = "application/vnd.plumbline.check-in+ndjson"


class CheckInRefused(PlumblineError):
    """The check-in endpoint refuses the check-in; the message is its own."""

    status = 502
    code = "check_in_refused"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a check-in is from. `secret` is 64 hex digits."""

    host_id: str
    epoch: int
    generation: int
    secret: str


@dataclass(frozen=True, slots=True)
class Posted:
    """The receipt of a check-in, with the new secret where the server rotates it."""

    receipt: str
    next_seconds: int
    # Secret and generation for the next check-ins, where the server rotates them.
    rotated: tuple[str, int] | None


def post(client: httpx.Client, identity: Identity, *, seq: int, line: bytes, bodies: Sequence[bytes]) -> Posted:
    """Sends line 1 alone, and then again with the bodies that the server wants. Raises CheckInRefused, Unavailable."""
    listed: dict[str, Any] = json.loads(line)["sections"]
    by_digest = {hashlib.sha256(body).hexdigest(): body for body in bodies}
    sent: list[bytes] = []
    for _ in range(2):
        answer = _send(client, identity, seq, b"\n".join([line, *sent]) + b"\n")
        if answer.status_code == 200:
            receipt = answer.json()
            return Posted(str(receipt["receipt"]), int(receipt.get("next_seconds") or 0), _rotated(receipt.get("secret")))
        wanted = _wanted(answer)
        if wanted is None or sent:
            break
        sent = [by_digest[listed[name]["sha256"]] for name in wanted if listed.get(name, {}).get("sha256") in by_digest]
    if answer.status_code in (429, 503):
        raise Unavailable(f"the check-in endpoint is busy ({answer.status_code})")
    raise CheckInRefused(f"the check-in endpoint returned {answer.status_code}: {answer.text[:300]}", answered=answer.status_code)


def _wanted(answer: httpx.Response) -> list[str] | None:
    if answer.status_code != 409:
        return None
    wanted = answer.json().get("want")
    return list(wanted) if isinstance(wanted, list) else None


def _rotated(secret: object) -> tuple[str, int] | None:
    return (str(secret["secret"]), int(secret["generation"])) if isinstance(secret, dict) else None


def _send(client: httpx.Client, identity: Identity, seq: int, body: bytes) -> httpx.Response:
    number, sent_at, packed = secrets.token_hex(16), iso(utc_now()), gzip.compress(body, compresslevel=6)
    order = (identity.host_id, identity.epoch, seq, number, identity.generation, sent_at, "gzip", hashlib.sha256(packed).hexdigest())
    signed = f"plumbline-1\nPOST\n{PATH}\n" + "".join(f"{part}\n" for part in order)
    headers = {
        "Plumbline-Host": identity.host_id,
        "Plumbline-Epoch": str(identity.epoch),
        "Plumbline-Seq": str(seq),
        "Plumbline-Id": number,
        "Plumbline-Generation": str(identity.generation),
        "Plumbline-Sent-At": sent_at,
        "Plumbline-Signature": hmac.new(bytes.fromhex(identity.secret), signed.encode(), hashlib.sha256).hexdigest(),
        "Content-Type": _TYPE,
        "Content-Encoding": "gzip",
    }
    try:
        return client.post(PATH, content=packed, headers=headers)
    except httpx.HTTPError as error:
        raise Unavailable(f"the check-in endpoint isn't responding: {error or type(error).__name__}") from error
