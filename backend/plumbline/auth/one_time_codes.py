"""Codes of authenticator apps (TOTP, RFC 6238): six digits that change every 30 seconds. The algorithm is pyotp's, the QR code segno's."""

import hmac
from datetime import datetime

import pyotp
import segno

STEP_SECONDS = 30
# A code of the step before is accepted too, since typing takes time (RFC 6238, section 5.2 asks for no more); one of a step to come is not.
_STEPS_BACK = 1


def new_secret() -> str:
    """A random secret of 160 bits, as base32, which apps and people read."""
    return pyotp.random_base32(32)


def setup_address(secret: str, *, login: str, site: str) -> str:
    """The `otpauth://` address from which an app takes secret, account and site."""
    # A colon separates site and account in the address.
    return pyotp.TOTP(secret, interval=STEP_SECONDS).provisioning_uri(name=login, issuer_name=site.replace(":", " "))


def qr_code(address: str) -> str:
    """The address as a QR code: an SVG image in a `data:` address. It is dark on white on every background, so that cameras read it."""
    uri = segno.make(address, error="m", micro=False).svg_data_uri(scale=5, border=3, dark="#000", light="#fff", omitsize=True)
    return str(uri)


def step_of(secret: str, code: str, *, now: datetime, after: int) -> int | None:
    """The 30-second step to which the code belongs, if it is right and its step is later than `after`: a code works once."""
    totp = pyotp.TOTP(secret, interval=STEP_SECONDS)
    present = int(now.timestamp()) // STEP_SECONDS
    found = None
    for step in range(present - _STEPS_BACK, present + 1):
        # Every step is compared, so that the time does not show which one it was.
        if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode()) and step > after:
            found = step
    return found
