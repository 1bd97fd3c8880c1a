"""The key that signs plans: Ed25519, the private half is a file of the API alone, the public halves are next to it for verification.

`approval-signing.key` holds 32 raw bytes; each `approval-<key id>.pub` a public key, raw as hex. A key id is the first 16 hex digits of the
SHA-256 of the public key. Workers need the public files only; a plan whose key they do not know does not run.
"""

import hashlib
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from plumbline.infra.durable_files import replace, write_new
from plumbline.infra.errors import PlumblineError, Unavailable
from plumbline.infra.settings import get_settings

_PRIVATE = "approval-signing.key"


class SignatureInvalid(PlumblineError):
    """A plan or standing approval has no valid signature of this installation: it is never executed."""

    status = 409
    code = "signature_invalid"


def _folder() -> Path:
    return get_settings().keys


def signing_key() -> Ed25519PrivateKey:
    """The private key of this installation, made when the API starts; two processes that start together agree on one.

    Raises `Unavailable` where the folder cannot be written.
    """
    path = _folder() / _PRIVATE
    try:
        return Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    except FileNotFoundError:
        pass
    key = Ed25519PrivateKey.generate()
    try:
        is_new = write_new(path, key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption()))
    except OSError as error:
        raise Unavailable(f"the key that signs plans can't be created: {error}") from error
    return key if is_new else signing_key()


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def ensure_pair() -> tuple[Ed25519PrivateKey, str]:
    """The private key and its id; the public half is written next to it, for the workers. Raises `Unavailable`."""
    private = signing_key()
    public = _raw(private.public_key())
    key_id = hashlib.sha256(public).hexdigest()[:16]
    shown = _folder() / f"approval-{key_id}.pub"
    # Also where the file is damaged: without it no worker accepts what is signed here.
    try:
        if not shown.exists() or shown.read_bytes() != public.hex().encode():
            replace(shown, public.hex().encode(), mode=0o644)
    except OSError as error:
        raise Unavailable(f"the public key of approvals can't be written: {error}") from error
    return private, key_id


def sign(purpose: str, payload: str) -> tuple[bytes, str]:
    """The signature over a payload for one purpose (`plan`, `standing`), and the key's id. Raises `Unavailable`."""
    private, key_id = ensure_pair()
    return private.sign(_signed(purpose, payload)), key_id


def check(purpose: str, payload: str, signature: bytes, key_id: str) -> None:
    """Raises `SignatureInvalid` unless the payload was signed by a key of this installation, for this purpose."""
    if not key_id.isalnum():
        raise SignatureInvalid("the key's id is none")
    try:
        public = bytes.fromhex((_folder() / f"approval-{key_id}.pub").read_text().strip())
    except (OSError, ValueError) as error:
        raise SignatureInvalid(f"the public key {key_id} is not here: copy it from the API's folder of keys") from error
    if hashlib.sha256(public).hexdigest()[:16] != key_id:
        raise SignatureInvalid(f"the file of key {key_id} holds another key")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _signed(purpose, payload))
    except (InvalidSignature, ValueError) as error:
        raise SignatureInvalid("The signature does not match this text: it was altered or signed by someone else.") from error


def _signed(purpose: str, payload: str) -> bytes:
    return b"plumbline-" + purpose.encode() + b"-1\0" + payload.encode()
