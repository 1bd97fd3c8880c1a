"""`plumbline check-in send`: sends a check-in file under the identity of an enrolled host, as an agent would.

The check-in's number is stored in the identity file before anything is sent. An attempt whose answer was lost is therefore repeated under
its number and gets the same receipt, and no number is used for two contents.
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

# What a refusal means for the person at the keyboard; the server's own message follows.
_MEANING = {
    401: "The signature is not accepted: the identity is not (or no longer) the one that the server knows for this host.",
    403: "The host is retired or quarantined: an administrator decides about it.",
    409: "The check-in number was already used, or the host was re-enrolled. Enrol again, unless the host's own agent runs.",
    413: "The check-in is too large.",
    422: "The server could not read the check-in; the place is named.",
}


def send_file(path: Path, *, server: str, identity_path: Path, ca: Path | None = None) -> str:
    """Sends one file and returns a sentence about the outcome. `ca`: PEM file that the server's certificate is checked against.

    Raises `BadInput` for a file or an identity that cannot be used, `CheckInRefused` with what the refusal means, `Unavailable` where the
    same file can be sent again later.
    """
    line, bodies = _read_check_in(path)
    stored = _read_identity(identity_path)
    digest = hashlib.sha256(line).hexdigest()
    if stored.get("sending") != digest:
        stored["seq"] = int(stored.get("seq", 0)) + 1
        stored["sending"] = digest
        _write_identity(identity_path, stored)
    identity = Identity(stored["host_id"], stored["epoch"], stored["generation"], stored["secret"])
    verify: ssl.SSLContext | bool = ssl.create_default_context(cafile=str(ca)) if ca else True
    with httpx.Client(base_url=server, timeout=60, verify=verify) as client:
        try:
            posted = post(client, identity, seq=stored["seq"], line=line, bodies=bodies)
        except CheckInRefused as error:
            # Refused for good: the next attempt is another check-in and takes the next number.
            _write_identity(identity_path, stored | {"sending": ""})
            meaning = _MEANING.get(int(str(error.details.get("answered", 0))), "")
            raise CheckInRefused(f"{meaning} ({error.message})".strip(), **error.details) from error
    stored["sending"] = ""
    if posted.rotated is not None:
        stored["secret"], stored["generation"] = posted.rotated
    _write_identity(identity_path, stored)
    rotated = " A new secret was handed over and is kept in the identity file." if posted.rotated else ""
    return (
        f"Taken: check-in {stored['seq']} of host {stored['host_id']}, receipt {posted.receipt}. "
        f"It is stored and evaluated; the server expects the next in {posted.next_seconds} s.{rotated}"
    )


def _read_check_in(path: Path) -> tuple[bytes, list[bytes]]:
    """Line 1 and the section bodies. Raises `BadInput`."""
    try:
        line, *bodies = path.read_bytes().rstrip(b"\n").split(b"\n")
        listed = json.loads(line)["sections"]
        digests = {section["sha256"] for section in listed.values() if "sha256" in section}
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
        stored = json.loads(path.read_text())
        is_whole = (
            isinstance(stored, dict)
            and re.fullmatch(r"[0-9a-f]{32}", str(stored["host_id"]))
            and re.fullmatch(r"[0-9a-f]{64}", str(stored["secret"]))
            and all(isinstance(stored[name], int) and stored[name] > 0 for name in ("epoch", "generation"))
        )
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError):
        is_whole = False
    if not is_whole:
        raise BadInput(f"{path} is not an identity: it must be JSON with host_id, secret (64 hex digits), epoch and generation")
    return dict(stored)


def _write_identity(path: Path, stored: dict[str, Any]) -> None:
    """Replaces the identity file, synced to disk before this returns; only its owner can read it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(stored, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
