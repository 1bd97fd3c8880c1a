"""Receipts: what an agent holds to know that its check-in is stored. Nothing is kept for one; it can be computed again at any time."""

import hashlib
import hmac


def make_receipt(key: bytes, *, host_id: str, epoch: int, seq: int, digest: bytes) -> str:
    """`HMAC(receipt key, host, epoch, seq, digest)` as lower-case hex; `digest` is the SHA-256 of line 1."""
    message = f"plumbline-receipt-1\0{host_id}\0{epoch}\0{seq}\0".encode() + digest
    return hmac.digest(key, message, hashlib.sha256).hex()
