"""Secrets of the sign-in at rest: AES-256-GCM under a key file of the API, each bound to the row that holds it.

They are not in the vault, because the API, which needs them itself, cannot open the vault. `sign-in.key` is in the API's folder of keys
(32 bytes as hex), is created when the API starts, and has to be the same for every API process.
"""

import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plumbline.infra.errors import Unavailable
from plumbline.infra.key_files import write_once
from plumbline.infra.settings import get_settings

KEY_FILE = "sign-in.key"
_NONCE_BYTES = 12


class SecretClosed(Unavailable):
    """The key of this process does not open a secret."""

    code = "secret_closed"


def ensure_key() -> None:
    """Creates the key where there is none. Raises `SecretClosed`."""
    _key(make=True)


def seal(plain: bytes, *, bound_to: bytes) -> tuple[bytes, str]:
    """The sealed secret and the id of the key. Raises `SecretClosed` where the key file can't be read or made."""
    key = _key(make=True)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound_to), _id(key)


def unseal(sealed: bytes, *, key_id: str, bound_to: bytes, name: str, advice: str) -> bytes:
    """The secret. Raises `SecretClosed`; `name` and `advice` are for its message: which secret it is, and what to do instead."""
    key = _key(make=False)
    if _id(key) != key_id:
        raise SecretClosed(f"{name} was encrypted with another {KEY_FILE} than this process has: {advice}, or bring the key back")
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], bound_to)
    except (InvalidTag, ValueError) as error:
        raise SecretClosed(f"{name} was altered since it was encrypted: {advice}") from error


def _id(key: bytes) -> str:
    return hashlib.sha256(b"plumbline-sign-in-key\0" + key).hexdigest()[:16]


def _key(*, make: bool) -> bytes:
    path = get_settings().keys / KEY_FILE
    try:
        if make and not path.exists():
            write_once(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise SecretClosed(f"{KEY_FILE} can't be read in this process' folder of keys") from error
    if len(key) != 32:
        raise SecretClosed(f"{KEY_FILE} does not hold 32 bytes as hex")
    return key
