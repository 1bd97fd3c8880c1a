"""`plumbline check-in send`: a check-in file by hand, under the identity of an enrolled host, through the same door as any agent.

The number of the check-in is kept in the identity's own file and on the disk before anything is sent, so that a try whose answer was lost
is repeated under its number and answered as seen before, and no number is used for two contents.
"""

import hashlib
import json
import os
import re
import secrets
import ssl
from pathlib import Path
from typing import Any

import httpx

from plumbline.collection.post_check_in import CheckInRefused, Identity, post
from plumbline.infra.errors import BadInput

# What a refusal means for the person at the keyboard; the door's own words follow.
_MEANING = {
    401: "The signature is not accepted: the identity is not (or no longer) the one that the server knows for this host.",
    403: "The host is retired or quarantined: an administrator decides about it.",
    409: "The number was used before, or a newer enrolment is in force. Enrol again, unless the host's own agent runs.",
    413: "The check-in is too large.",
    422: "The server could not read the check-in; the place is named.",
}


def send_file(path: Path, *, server: str, identity_path: Path, ca: Path | None = None) -> str:
    """Sends one file and answers, in plain words, what became of it. `ca`: PEM file that the server's certificate is checked against.

    Raises `BadInput` for a file or an identity that cannot be used, `CheckInRefused` with what the refusal means, `Unavailable` where
    sending the same file again later is right.
    """
    line, bodies = _read_check_in(path)
    own = _read_identity(identity_path)
    digest = hashlib.sha256(line).hexdigest()
    if own.get("sending") != digest:
        own["seq"] = int(own.get("seq", 0)) + 1
        own["sending"] = digest
        _keep(identity_path, own)
    identity = Identity(own["host_id"], own["epoch"], own["generation"], own["secret"])
    verify: ssl.SSLContext | bool = ssl.create_default_context(cafile=str(ca)) if ca else True
    with httpx.Client(base_url=server, timeout=60, verify=verify) as client:
        try:
            posted = post(client, identity, seq=own["seq"], line=line, bodies=bodies)
        except CheckInRefused as error:
            # Refused for good: the next try is another check-in and takes the next number.
            _keep(identity_path, own | {"sending": ""})
            meaning = _MEANING.get(int(str(error.details.get("answered", 0))), "")
            raise CheckInRefused(f"{meaning} ({error.message})".strip(), **error.details) from error
    own["sending"] = ""
    if posted.rotated is not None:
        own["secret"], own["generation"] = posted.rotated
    _keep(identity_path, own)
    rotated = " A new secret was handed over and is kept in the identity file." if posted.rotated else ""
    return (
        f"Taken: check-in {own['seq']} of host {own['host_id']}, receipt {posted.receipt}. "
        f"It is stored and judged; the server expects the next in {posted.next_seconds} s.{rotated}"
    )


def _read_check_in(path: Path) -> tuple[bytes, list[bytes]]:
    """Line 1 and the section bodies. Raises `BadInput`."""
    try:
        line, *bodies = path.read_bytes().rstrip(b"\n").split(b"\n")
        listed = json.loads(line)["sections"]
        digests = {said["sha256"] for said in listed.values() if "sha256" in said}
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path} is not a check-in file: line 1 must be the envelope with its sections") from None
    for number, body in enumerate(bodies, start=2):
        if hashlib.sha256(body).hexdigest() not in digests:
            raise BadInput(f"{path}, line {number}: line 1 names no section with this content")
    return line, bodies


def _read_identity(path: Path) -> dict[str, Any]:
    """Raises `BadInput` where it is not the identity of an enrolled host."""
    try:
        own = json.loads(path.read_text())
        is_whole = (
            isinstance(own, dict)
            and re.fullmatch(r"[0-9a-f]{32}", str(own["host_id"]))
            and re.fullmatch(r"[0-9a-f]{64}", str(own["secret"]))
            and all(isinstance(own[name], int) and own[name] > 0 for name in ("epoch", "generation"))
        )
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError):
        is_whole = False
    if not is_whole:
        raise BadInput(f"{path} is not an identity: it must be JSON with host_id, secret (64 hex digits), epoch and generation")
    return dict(own)


def _keep(path: Path, own: dict[str, Any]) -> None:
    """Replaces the identity file, on the disk before this returns; only its owner can read it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(own, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
