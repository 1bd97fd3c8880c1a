"""The signatures of RFC 8032 hold, those of the product's library hold, and nothing else does."""

import os

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from plumbline.evidence.verify_bundle import is_signed

# RFC 8032, section 7.1: public key, message, signature.
VECTORS = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
)
ORDER = 2**252 + 27742317777372353535851937790883648493


@pytest.mark.parametrize(("key", "message", "signature"), VECTORS)
def test_the_vectors_of_the_rfc_hold(key: str, message: str, signature: str) -> None:
    assert is_signed(bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature))


def test_signatures_of_the_product_hold_and_no_bit_of_one_can_be_changed() -> None:
    private = Ed25519PrivateKey.generate()
    key = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    message = os.urandom(100)
    signature = private.sign(message)
    assert is_signed(key, message, signature)
    for at in range(64):
        changed = bytearray(signature)
        changed[at] ^= 1 << (at % 8)
        assert not is_signed(key, message, bytes(changed)), at
    assert not is_signed(key, message + b"x", signature)


def test_the_second_form_of_a_signature_is_refused() -> None:
    """The same number plus the group's order gives the same point: one text would have two signatures."""
    key, message, signature = (bytes.fromhex(part) for part in VECTORS[1])
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    assert not is_signed(key, message, signature[:32] + scalar.to_bytes(32, "little"))


@pytest.mark.parametrize("key", [b"", bytes(31), b"\xff" * 32, (2**255 - 19).to_bytes(32, "little")])
def test_what_is_no_key_signs_nothing(key: bytes) -> None:
    assert not is_signed(key, b"", bytes.fromhex(VECTORS[0][2]))
