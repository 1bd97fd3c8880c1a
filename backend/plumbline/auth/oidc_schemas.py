"""API schemas of the identity provider and of the roles that its groups have."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from plumbline.auth.schemas import Role
from plumbline.infra.schemas import Input, Name, RowId, Schema, not_blank, plain

Claim = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[\x21-\x7e]+$")]
# Compared with the provider's name character by character, so spaces are kept.
GroupName = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(plain), AfterValidator(not_blank)]


class ProviderOut(Schema):
    """The identity provider as it is set up. The secret is never part of an answer."""

    name: str
    issuer: str
    client_id: str
    scopes: str
    groups_claim: str
    login_claim: str
    ca_certificate: str
    is_enabled: bool
    secret: Literal["none", "kept", "file"]
    redirect_uri: str
    changed_at: datetime | None
    changed_by: str


class ProviderSet(Input):
    """How the identity provider is set up. Without `client_secret` the stored one stays; an empty one removes it."""

    name: Name
    issuer: Annotated[str, Field(min_length=8, max_length=500, pattern=r"^https?://[\x21-\x7e]+$")]
    client_id: Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[\x20-\x7e]+$")]
    client_secret: Annotated[str, Field(max_length=1000)] | None = None
    scopes: Annotated[str, Field(max_length=300, pattern=r"^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$")] = (
        "openid profile email"
    )
    groups_claim: Claim = "groups"
    login_claim: Claim = "preferred_username"
    ca_certificate: Annotated[str, Field(max_length=20_000)] = ""
    is_enabled: bool


class ProviderFound(Schema):
    """One thing that was checked, as a sentence."""

    is_good: bool
    words: str


class ProviderTrial(Schema):
    """What the provider answers now. No one is signed in by it."""

    is_usable: bool
    found: list[ProviderFound]


class GroupGrant(Schema):
    """A role that everybody in a group of the provider has, on a group of hosts and its subgroups."""

    id: int
    oidc_group: str
    role: Role
    group_id: int
    group_name: str
    # How many people were in that group at their last sign-in.
    people: int


class GroupGrantCreate(Input):
    """Gives a role to a group of the provider, by the name that it sends."""

    oidc_group: GroupName
    role: Role
    group_id: RowId
