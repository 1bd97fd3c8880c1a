"""The envelope of a secret: anyone with the vault's public key can seal, only its private key opens.

An ephemeral X25519 key and the vault's give the data key (HKDF-SHA256); AES-256-GCM seals under it. The associated data is the secret's
id, version and purpose, so that one row cannot be used in place of another. On disk: `vault-<n>.key` (private, read by the executor only)
and `vault-<n>.pub`, as hex; secrets are sealed under the highest number, and older keys still open what was sealed under them. A pair with
another name is for another reader: `notices-<n>.key` is the background worker's. The process that opens secrets creates the pair, so a
process that only seals never has a private key.
"""

import re
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plumbline.infra.durable_files import replace, write_new

VAULT = "vault"
NOTICES = "notices"
_INFO = b"plumbline-vault-1"
_KEY_BYTES = 32
_NONCE_BYTES = 12


class SealBroken(Exception):
    """The sealed bytes do not belong to this id, version, purpose and key, or were altered."""


def _numbered(folder: Path, name: str, ending: str) -> dict[str, Path]:
    file_name = re.compile(rf"{re.escape(name)}-(\d{{1,9}})\.{ending}")
    return {match[1]: file for file in folder.glob(f"{name}-*.{ending}") if (match := file_name.fullmatch(file.name))}


def make_keys(folder: Path, name: str = VAULT) -> str:
    """Creates a pair of keys and returns its id. Two processes that start together agree on the first."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    number = max(map(int, _numbered(folder, name, "key")), default=0) + 1
    private = X25519PrivateKey.generate()
    # The private key is on disk before anything can be sealed for it.
    if write_new(folder / f"{name}-{number}.key", private.private_bytes_raw().hex().encode()):
        replace(folder / f"{name}-{number}.pub", private.public_key().public_bytes_raw().hex().encode(), mode=0o644)
    return str(number)


def ensure_keys(folder: Path, name: str = VAULT) -> None:
    """Creates the first pair where there is none yet. For processes that open secrets."""
    if newest_public(folder, name) is None:
        make_keys(folder, name)


def newest_public(folder: Path, name: str = VAULT) -> tuple[str, bytes] | None:
    """Id and bytes of the newest public key; None where there is none."""
    files = _numbered(folder, name, "pub")
    if not files:
        return None
    newest = max(files, key=int)
    return newest, bytes.fromhex(files[newest].read_text().strip())


def private_key(folder: Path, key_id: str, name: str = VAULT) -> bytes | None:
    """The private key of an id; None where this process may not read it."""
    with suppress(FileNotFoundError, PermissionError):
        return bytes.fromhex((folder / f"{name}-{int(key_id)}.key").read_text().strip())
    return None


def associated_data(secret_id: int, version: int, purpose: str) -> bytes:
    """The identity that a sealed secret is bound to."""
    return f"plumbline-vault-1\0{secret_id}\0{version}\0{purpose}".encode()


def seal(plain: bytes, *, public: bytes, data: bytes) -> bytes:
    """Ephemeral public key (32 bytes), nonce (12), ciphertext with tag."""
    ephemeral = X25519PrivateKey.generate()
    ephemeral_public = ephemeral.public_key().public_bytes_raw()
    key = _data_key(ephemeral.exchange(X25519PublicKey.from_public_bytes(public)), ephemeral_public, public)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return ephemeral_public + nonce + AESGCM(key).encrypt(nonce, plain, data)


def unseal(sealed: bytes, *, private: bytes, data: bytes) -> bytes:
    """The inverse of `seal`. Raises SealBroken."""
    if len(sealed) < _KEY_BYTES + _NONCE_BYTES + 16:
        raise SealBroken("too short")
    own = X25519PrivateKey.from_private_bytes(private)
    ephemeral_public, nonce = sealed[:_KEY_BYTES], sealed[_KEY_BYTES : _KEY_BYTES + _NONCE_BYTES]
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(ephemeral_public))
        key = _data_key(shared, ephemeral_public, own.public_key().public_bytes_raw())
        return AESGCM(key).decrypt(nonce, sealed[_KEY_BYTES + _NONCE_BYTES :], data)
    except (InvalidTag, ValueError) as error:
        raise SealBroken("the seal does not match") from error


def _data_key(shared: bytes, ephemeral: bytes, public: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=ephemeral + public, info=_INFO).derive(shared)
