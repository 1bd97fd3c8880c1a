"""The provider's client secret at rest, bound to the provider's row and version (`sign_in_key`)."""

from plumbline.auth import sign_in_key


def seal(plain: str, *, issuer: str, version: int) -> tuple[bytes, str]:
    """The sealed secret and the id of the key."""
    return sign_in_key.seal(plain.encode(), bound_to=_bound_to(issuer, version))


def unseal(sealed: bytes, *, key_id: str, issuer: str, version: int) -> str:
    """The secret. Raises `SecretClosed`."""
    bound_to = _bound_to(issuer, version)
    return sign_in_key.unseal(sealed, key_id=key_id, bound_to=bound_to, name="the client secret", advice="enter it again").decode()


def _bound_to(issuer: str, version: int) -> bytes:
    return f"plumbline-sign-in-1\0{version}\0{issuer}".encode()
