"""The provider's client secret at rest: AES-256-GCM under a key file of the API, bound to the provider's row and version.

It is not in the vault, because the API, which has to send this secret to the provider, cannot open the vault. `sign-in.key` is in the
API's folder of keys (32 bytes as hex), is created when the API starts, and has to be the same for every API process.
"""

import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from plumbline.infra.errors import Unavailable
from plumbline.infra.key_files import write_once
from plumbline.infra.settings import get_settings

_KEY = "sign-in.key"
_NONCE_BYTES = 12


class SecretClosed(Unavailable):
    """The key of this process does not open the client secret."""

    code = "secret_closed"


def ensure_key() -> None:
    """Creates the key where there is none. Raises `SecretClosed`."""
    _key(make=True)


def seal(plain: str, *, issuer: str, version: int) -> tuple[bytes, str]:
    """The sealed secret and the id of the key."""
    key = _key(make=True)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain.encode(), _bound_to(issuer, version)), _id(key)


def unseal(sealed: bytes, *, key_id: str, issuer: str, version: int) -> str:
    """The secret. Raises `SecretClosed`."""
    key = _key(make=False)
    if _id(key) != key_id:
        raise SecretClosed(f"the client secret was sealed with another {_KEY} than this process has: enter it again, or bring the key back")
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _bound_to(issuer, version)).decode()
    except (InvalidTag, ValueError) as error:
        raise SecretClosed("the sealed client secret was altered: enter it again") from error


def _bound_to(issuer: str, version: int) -> bytes:
    return f"plumbline-sign-in-1\0{version}\0{issuer}".encode()


def _id(key: bytes) -> str:
    return hashlib.sha256(b"plumbline-sign-in-key\0" + key).hexdigest()[:16]


def _key(*, make: bool) -> bytes:
    path = get_settings().keys / _KEY
    try:
        if make and not path.exists():
            write_once(path)
        key = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError) as error:
        raise SecretClosed(f"{_KEY} cannot be read in this process' folder of keys") from error
    if len(key) != 32:
        raise SecretClosed(f"{_KEY} does not hold 32 bytes as hex")
    return key
