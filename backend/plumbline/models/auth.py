"""Tables of people, their grants, sessions and tokens."""

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, Column, Index, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from plumbline.infra.database import time_column
from plumbline.models.columns import columns_of

ROLES = ("viewer", "operator", "approver", "admin")


class Person(SQLModel, table=True):
    """Someone who signs in: by a password, or at the identity provider that issuer and subject name."""

    __tablename__ = "person"
    __table_args__ = (
        # A person of the provider is identified by these two only: an address or a name may pass to another person.
        Index("ix_person_oidc", "oidc_issuer", "oidc_subject", unique=True, postgresql_where=text("oidc_issuer IS NOT NULL")),
    )

    id: int | None = Field(default=None, primary_key=True)
    login: str = Field(unique=True)
    display_name: str = ""
    password_hash: str | None = None
    oidc_issuer: str | None = None
    oidc_subject: str | None = None
    # The groups that the provider named at the last sign-in, and when; every session and token of the person goes by them.
    oidc_groups: list[str] = Field(default_factory=list, sa_column=Column(ARRAY(Text), nullable=False, server_default=text("'{}'")))
    oidc_groups_at: datetime | None = time_column(default=None, nullable=True)
    is_disabled: bool = False
    # An admin set the password or changed the rights since the person last set their own: they cannot decide as a second person before.
    must_set_password: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    # When an admin last set the password, changed the rights or enabled the account; for a day after, their decisions are notified.
    rights_changed_at: datetime | None = time_column(default=None, nullable=True)
    time_zone: str = "UTC"
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    last_signed_in_at: datetime | None = time_column(default=None, nullable=True)


class RoleGrant(SQLModel, table=True):
    """A role for a person, or for an OIDC group, on a group of hosts and all below it. Grants add up."""

    __tablename__ = "role_grant"
    __table_args__ = (CheckConstraint("(person_id IS NULL) <> (oidc_group IS NULL)", name="ck_role_grant_one_holder"),)

    id: int | None = Field(default=None, primary_key=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", index=True)
    oidc_group: str | None = Field(default=None, index=True)
    role: str
    group_id: int = Field(foreign_key="host_group.id")
    granted_by: int | None = None
    granted_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})


class WebSession(SQLModel, table=True):
    """A browser session. Only the hash of its id is kept."""

    __tablename__ = "web_session"

    id_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    person_id: int = Field(foreign_key="person.id", index=True)
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    last_used_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    authenticated_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    expires_at: datetime = time_column()
    ended_at: datetime | None = time_column(default=None, nullable=True)
    address: str = ""
    agent: str = ""
    # Started at the identity provider: `authenticated_at` is then the time at which, by the provider, the person last authenticated.
    is_by_provider: bool = False
    # The sign-in took a second step, or the second factor was added in this session.
    has_second_factor: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    # When the person last confirmed their identity in this session by a second factor, in place of the password.
    confirmed_at: datetime | None = time_column(default=None, nullable=True)


class SecondFactor(SQLModel, table=True):
    """An authenticator app or a passkey of a local account: what a sign-in asks for after the password."""

    __tablename__ = "second_factor"
    __table_args__ = (
        CheckConstraint(
            "(kind = 'authenticator' AND sealed IS NOT NULL AND credential_id IS NULL)"
            " OR (kind = 'passkey' AND credential_id IS NOT NULL AND public_key IS NOT NULL AND sealed IS NULL)",
            name="ck_second_factor_kind",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", index=True)
    kind: str  # authenticator, passkey
    name: str
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    last_used_at: datetime | None = time_column(default=None, nullable=True)
    # Authenticator app: the shared secret, sealed under `sign-in.key`, and the last 30-second step whose code was used.
    sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    sealed_key_id: str = ""
    last_step: int = Field(default=0, sa_column=Column(BigInteger, nullable=False, server_default=text("0")))
    # Passkey: as the browser named and made it. A counter that does not rise shows a copy.
    credential_id: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True, unique=True))
    public_key: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    sign_count: int = Field(default=0, sa_column=Column(BigInteger, nullable=False, server_default=text("0")))


class RecoveryCode(SQLModel, table=True):
    """A code that takes the place of a lost second factor, once. Only its hash is kept."""

    __tablename__ = "recovery_code"

    code_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    person_id: int = Field(foreign_key="person.id", index=True)
    used_at: datetime | None = time_column(default=None, nullable=True)
    # Of 79 bits, as codes once were; those made today have 138.
    is_short: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})


class SecondStep(SQLModel, table=True):
    """What a person began and has to complete within minutes: a sign-in after the password, or adding or confirming by a second factor.

    Only the hash of its id is kept. `session_hash` is None for a sign-in, which has no session yet.
    """

    __tablename__ = "second_step"

    id_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    kind: str  # sign_in, add_authenticator, add_passkey, confirm
    person_id: int = Field(foreign_key="person.id", index=True)
    session_hash: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    # What a passkey signs; and of an authenticator app that is being added, its sealed secret.
    challenge: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    sealed: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    sealed_key_id: str = ""
    started_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")}, index=True)


class OidcProvider(SQLModel, table=True):
    """The site's OpenID Connect provider. One row at most; the client secret is sealed and never returned."""

    __tablename__ = "oidc_provider"
    __table_args__ = (CheckConstraint("id = 1", name="ck_oidc_provider_one"),)

    id: int = Field(default=1, primary_key=True)
    name: str
    issuer: str
    client_id: str
    client_secret: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    secret_key_id: str = ""
    secret_version: int = 0
    scopes: str = "openid profile email"
    groups_claim: str = "groups"
    login_claim: str = "preferred_username"
    # PEM of the authority that signed the provider's certificate, where it is the site's own.
    ca_certificate: str = ""
    is_enabled: bool = False
    changed_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    changed_by: str = ""


class OidcFlow(SQLModel, table=True):
    """One sign-in at the provider in progress, valid once and for ten minutes.

    Its key is the hash of a value that only the browser has; state, nonce and code verifier are derived from that value, so that the
    database holds nothing with which anyone else could complete the sign-in.
    """

    __tablename__ = "oidc_flow"

    id_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    kind: str  # sign_in, confirm
    next: str
    network: str = Field(index=True)
    # For `confirm`: the session that has to be the same person's still.
    session_hash: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    started_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")}, index=True)
    used_at: datetime | None = time_column(default=None, nullable=True)


class ApiToken(SQLModel, table=True):
    """A token for programs, shown once. It acts within its roles and group, and never beyond what its person may at that moment."""

    __tablename__ = "api_token"

    id: int | None = Field(default=None, primary_key=True)
    # Whose rights limit the token: the person it was made for, or the admin who made it for a service.
    person_id: int = Field(foreign_key="person.id", index=True)
    # Names the program where it acts for itself ("prometheus"); empty: it acts for its person.
    service: str = ""
    name: str
    token_hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False, unique=True))
    roles: list[str] = Field(sa_column=Column(ARRAY(Text), nullable=False))
    group_id: int = Field(foreign_key="host_group.id")
    created_at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")})
    expires_at: datetime = time_column()
    last_used_at: datetime | None = time_column(default=None, nullable=True)
    last_used_from: str = ""
    revoked_at: datetime | None = time_column(default=None, nullable=True)


class FailedSignIn(SQLModel, table=True):
    """Failed sign-ins, for the limits per account and per network. Purged after a day."""

    __tablename__ = "failed_sign_in"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = time_column(sa_column_kwargs={"server_default": text("now()")}, index=True)
    login: str = Field(index=True)
    network: str = Field(index=True)


class IdempotentResponse(SQLModel, table=True):
    """The response to an idempotent POST with its key (`auth/idempotency.py`), kept for a day.

    Neither the key nor the request is kept: `key_hash` identifies holder and key, `fingerprint` is computed from the request with the
    key, so that a reader of this table cannot test passwords against it. `body` None: the response contains a secret and is shown once.
    """

    __tablename__ = "idempotent_response"

    key_hash: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    fingerprint: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    # What the asking person might do then; who may less today is not shown what they did.
    rights: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    status: int
    media_type: str = ""
    body: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=True))
    made_at: datetime = time_column(sa_column_kwargs={"server_default": text("clock_timestamp()")}, index=True)


PERSON = columns_of(Person)
ROLE_GRANT = columns_of(RoleGrant)
WEB_SESSION = columns_of(WebSession)
SECOND_FACTOR = columns_of(SecondFactor)
RECOVERY_CODE = columns_of(RecoveryCode)
SECOND_STEP = columns_of(SecondStep)
