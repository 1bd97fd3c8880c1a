"""Passkeys (WebAuthn) as a second factor. The protocol is py_webauthn's; none of its exceptions leaves this module.

A passkey belongs to a host name: that of `PLUMBLINE_PUBLIC_URL`. Browsers refuse an IP address for it, except that an installation on
loopback is used as `localhost`. With another name in the settings, passkeys made before no longer work.
"""

import hashlib
import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import structlog
import webauthn
from webauthn.helpers import base64url_to_bytes, options_to_json_dict
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from plumbline.infra.errors import Conflict, NotSignedIn
from plumbline.infra.settings import get_settings

log = structlog.get_logger()

_SITE_NAME = "Plumbline"
_DEFAULT_PORTS = {"https": 443, "http": 80}


class PasskeysNotPossible(Conflict):
    """Browsers allow no passkey at this installation's address."""

    code = "passkeys_not_possible"


class PasskeyRefused(NotSignedIn):
    """The passkey's answer is not what was asked for, or not this person's."""

    code = "second_step_refused"


@dataclass(frozen=True, slots=True)
class Place:
    """Where passkeys work: the host name that they belong to, and the page's origin."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class NewPasskey:
    """What is stored of a passkey."""

    credential_id: bytes
    public_key: bytes
    sign_count: int


def place() -> Place:
    """Where passkeys of this installation work. Raises `PasskeysNotPossible`."""
    public = urlsplit(get_settings().public_url)
    host = public.hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        address = None
    if address is not None and address.is_loopback:
        host = "localhost"
    elif address is not None or not host:
        raise PasskeysNotPossible(
            f"passkeys need a host name, and this installation is reached at {host or 'no address'}: set PLUMBLINE_PUBLIC_URL to a name"
        )
    if public.scheme != "https" and host != "localhost":
        raise PasskeysNotPossible("browsers allow passkeys over https only")
    port = "" if public.port in (None, _DEFAULT_PORTS.get(public.scheme)) else f":{public.port}"
    return Place(host=host, origin=f"{public.scheme}://{host}{port}")


def creation_options(*, challenge: bytes, person_id: int, login: str, display_name: str, present: Sequence[bytes]) -> dict[str, Any]:
    """What the browser needs to make a passkey. `present` are the person's passkeys, which are not made again."""
    options = webauthn.generate_registration_options(
        rp_id=place().host,
        rp_name=_SITE_NAME,
        user_id=hashlib.sha256(f"plumbline-person\0{person_id}".encode()).digest(),
        user_name=login,
        user_display_name=display_name or login,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            # It is asked for after the login, so the key itself need not keep it.
            resident_key=ResidentKeyRequirement.DISCOURAGED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in present],
    )
    return options_to_json_dict(options)


def request_options(*, challenge: bytes, present: Sequence[bytes], is_alone: bool) -> dict[str, Any]:
    """What the browser needs to use one of the passkeys in `present`. `is_alone`: it takes the place of the password."""
    options = webauthn.generate_authentication_options(
        rp_id=place().host,
        challenge=challenge,
        allow_credentials=[PublicKeyCredentialDescriptor(id=each) for each in present],
        user_verification=UserVerificationRequirement.REQUIRED if is_alone else UserVerificationRequirement.DISCOURAGED,
    )
    return options_to_json_dict(options)


def id_of(answer: Mapping[str, Any]) -> bytes:
    """The id of the passkey that a browser's answer names. Raises `PasskeyRefused`."""
    try:
        return base64url_to_bytes(str(answer.get("id", "")))
    except ValueError as error:
        raise PasskeyRefused("the passkey was not accepted") from error


def check_new(answer: Mapping[str, Any], *, challenge: bytes) -> NewPasskey:
    """The passkey that the browser made. Raises `PasskeyRefused`."""
    here = place()
    try:
        made = webauthn.verify_registration_response(
            credential=dict(answer), expected_challenge=challenge, expected_rp_id=here.host, expected_origin=here.origin
        )
    except Exception as error:
        raise _refused(error, "The browser created no usable passkey. Try again.") from error
    return NewPasskey(credential_id=made.credential_id, public_key=made.credential_public_key, sign_count=made.sign_count)


def check_use(answer: Mapping[str, Any], *, challenge: bytes, public_key: bytes, sign_count: int, is_alone: bool) -> int:
    """The passkey's new counter. Raises `PasskeyRefused`, also where its counter did not rise: then it is a copy.

    `is_alone`: it takes the place of the password, so the device has to have asked for a PIN, finger or face.
    """
    here = place()
    try:
        used = webauthn.verify_authentication_response(
            credential=dict(answer),
            expected_challenge=challenge,
            expected_rp_id=here.host,
            expected_origin=here.origin,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=is_alone,
        )
    except Exception as error:
        raise _refused(error, "the passkey was not accepted") from error
    return used.new_sign_count


def _refused(error: Exception, message: str) -> PasskeyRefused:
    """Whatever the library says about bytes that a stranger may have made: its parsers raise more than its own exceptions."""
    log.warning("passkey refused", why=str(error)[:300], kind=type(error).__name__)
    return PasskeyRefused(message)
