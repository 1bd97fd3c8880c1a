"""An authenticator in software: makes passkeys and signs with them as a browser's answer (WebAuthn level 2, ES256, attestation "none")."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

ORIGIN = "http://localhost:8080"
_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


def encoded(raw: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class SoftPasskey:
    """One passkey. `count` is its counter, which rises with each use."""

    origin: str = ORIGIN
    is_verified: bool = True
    count: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.create`."""
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + public
        data = self._data(options["rp"]["id"], _HAS_KEY) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._answer({"clientDataJSON": encoded(client), "attestationObject": encoded(attestation), "transports": ["usb"]})

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to `navigator.credentials.get`."""
        self.count += 1
        data, client = self._data(options["rpId"]), self._client("webauthn.get", options)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        signed = {"authenticatorData": encoded(data), "signature": encoded(signature), "userHandle": None}
        return self._answer({"clientDataJSON": encoded(client), **signed})

    def _data(self, host: str, more: int = 0) -> bytes:
        flags = _PRESENT | (_VERIFIED if self.is_verified else 0) | more
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, response: dict[str, Any]) -> dict[str, Any]:
        return {"id": encoded(self.id), "rawId": encoded(self.id), "type": "public-key", "response": response, "clientExtensionResults": {}}
