"""API schemas of second factors, recovery codes and second steps."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from plumbline.auth.schemas import Password
from plumbline.infra.schemas import Input, Name, Schema

FactorKind = Literal["authenticator", "passkey"]
StepId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")]
# Six digits of an app, or a recovery code; spaces and case do not matter.
Code = Annotated[str, Field(min_length=1, max_length=64)]
Bytes = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]*=*$", max_length=20_000)]


class _OfBrowser(BaseModel):
    """Part of a browser's answer, with the names of WebAuthn. Fields that Plumbline does not need are left out."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class PasskeyResponse(_OfBrowser):
    """What the authenticator signed."""

    client_data: Bytes = Field(alias="clientDataJSON")
    attestation: Bytes | None = Field(alias="attestationObject", default=None)
    authenticator_data: Bytes | None = Field(alias="authenticatorData", default=None)
    signature: Bytes | None = None
    user_handle: Bytes | None = Field(alias="userHandle", default=None)


class PasskeyAnswer(_OfBrowser):
    """A browser's answer about a passkey: `PublicKeyCredential.toJSON()`."""

    id: Bytes
    raw_id: Bytes = Field(alias="rawId")
    type: Literal["public-key"]
    response: PasskeyResponse

    def as_sent(self) -> dict[str, Any]:
        """With the names of WebAuthn, for the library that checks it."""
        return self.model_dump(by_alias=True, exclude_none=True)


class SecondStepOut(Schema):
    """The password was right, and the sign-in needs a second step: `POST /session/second-step` with `step` and one of `methods`."""

    step: str
    expires_at: datetime
    methods: list[Literal["authenticator", "passkey", "recovery_code"]]
    # For `navigator.credentials.get`, as JSON; None without a passkey.
    passkey: dict[str, Any] | None


class ProofIn(Input):
    """A code or a passkey's answer, one of both."""

    code: Code | None = None
    passkey: PasskeyAnswer | None = None

    @model_validator(mode="after")
    def _is_one(self) -> "ProofIn":
        if (self.code is None) == (self.passkey is None):
            raise ValueError("send either code or passkey")
        return self


class SecondStepIn(ProofIn):
    """The second step of a sign-in."""

    step: StepId


class Confirmation(Input):
    """Who it is, before an act that requires it again: the password, a code of the app, or a passkey's answer with its step."""

    password: Password | None = None
    code: Code | None = None
    passkey: PasskeyAnswer | None = None
    step: StepId | None = None

    @model_validator(mode="after")
    def _is_one(self) -> "Confirmation":
        if sum(each is not None for each in (self.password, self.code, self.passkey)) != 1:
            raise ValueError("send one of password, code and passkey")
        if (self.passkey is None) != (self.step is None):
            raise ValueError("a passkey's answer comes with the step that it answers")
        return self


class FactorRow(Schema):
    """One second factor of the person."""

    id: int
    kind: FactorKind
    name: str
    created_at: datetime
    last_used_at: datetime | None


class SecondFactors(Schema):
    """The person's second factors."""

    factors: list[FactorRow]
    recovery_codes_left: int
    # Some that still work are of an earlier kind that is easier to guess from a copy of the database.
    are_recovery_codes_short: bool
    # Why no passkey can be added here; empty where one can. `passkey_host` is the host name under which passkeys work.
    passkeys_problem: str
    passkey_host: str


class FactorBegin(Input):
    """Begins to add a second factor. The password is asked for, so that an open browser is not enough."""

    kind: FactorKind
    password: Password


class AuthenticatorSetup(Schema):
    """What an authenticator app needs. Shown once."""

    secret: str
    address: str
    # An SVG image as a `data:` address.
    qr_code: str


class FactorBegun(Schema):
    """What is needed to complete the new factor: the secret for an app, or options for `navigator.credentials.create` as JSON."""

    step: str
    expires_at: datetime
    authenticator: AuthenticatorSetup | None
    passkey: dict[str, Any] | None


class FactorCreate(ProofIn):
    """Completes a new factor by its first code, or by the browser's answer."""

    step: StepId
    name: Name


class RecoveryCodes(Schema):
    """Ten codes, each of which takes the place of the second factor once. Shown once; older ones no longer work."""

    codes: list[str]


class FactorCreated(Schema):
    """The new factor. With the first one there are recovery codes."""

    factor: FactorRow
    recovery_codes: list[str]


class OwnPassword(Input):
    """The person's password, before an act that requires it again."""

    password: Password


class SignInPolicy(Schema):
    """Rules for signing in to the whole installation."""

    # Local accounts decide on others' requests only in a session that began with a second factor.
    is_second_factor_required: bool


class SignInPolicySet(Input):
    """Changes the rules for signing in."""

    is_second_factor_required: bool
