"""API schemas of set-up, sessions, people and grants."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, Name, RowId, Schema

Role = Literal["viewer", "operator", "approver", "admin"]
Login = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$")]
# No composition rules: length and the list of common passwords decide (`auth/passwords.py`).
Password = Annotated[str, Field(min_length=1, max_length=256)]


class SetupState(Schema):
    """Whether the first admin still has to be created."""

    needs_setup: bool
    is_demo: bool
    # The name of the identity provider where people can sign in at one.
    provider: str | None
    # The browser sent a session cookie, which may have ended. Without one the interface need not ask who is signed in.
    has_cookie: bool


class DemoLogin(Schema):
    """A demo person of the lab."""

    login: str
    role: str
    password: str


class SetupCreate(Input):
    """The first admin, with the one-time code from the console."""

    code: Annotated[str, Field(min_length=1, max_length=64)]
    login: Login
    display_name: Name
    password: Password


class SignIn(Input):
    """A sign-in."""

    login: Annotated[str, Field(min_length=1, max_length=64)]
    password: Password


class PasswordChange(Input):
    """The present password and the new one."""

    password: Password
    new_password: Password


class OwnSession(Schema):
    """One of the person's sessions, as their own page lists it."""

    # Names the session in its address; not the id with which a browser proves that it has it.
    key: str
    is_this: bool
    started_at: datetime
    last_used_at: datetime
    address: str
    agent: str
    is_by_provider: bool


class SessionUpdate(Input):
    """What a person sets about their own session: the time zone, as an IANA name."""

    time_zone: Annotated[str, Field(max_length=64)]


class SessionPerson(Schema):
    """Who is signed in."""

    id: int
    login: str
    display_name: str
    time_zone: str


class SessionRole(Schema):
    """One grant of the person."""

    role: Role
    group_id: int
    group_name: str


class SessionCan(Schema):
    """What the interface may offer; each act is checked again for its object."""

    export: bool
    make_reports: bool
    export_evidence: bool
    see_system_health: bool
    remove_lab: bool
    enrol: bool
    add_hosts: bool
    approve_hosts: bool
    manage_groups: bool
    manage_people: bool
    manage_sign_in: bool
    manage_notices: bool
    see_audit: bool
    check_now: bool
    draft_plans: bool
    import_benchmarks: bool
    make_proofs: bool
    manage_collection: bool
    activate_packs: bool
    publish_packs: bool
    preview_packs: bool
    propose_decisions: bool
    decide_conflicts: bool
    request_waivers: bool
    decide_waivers: bool
    attest: bool
    stop_everything: bool
    release_stop: bool
    release_restore: bool
    sign_standing: bool
    manage_windows: bool
    manage_budgets: bool
    hold_hosts: bool
    send_tickets: bool
    undo_jobs: bool
    manage_hosts: bool


class SessionOut(Schema):
    """The session of this browser."""

    person: SessionPerson
    roles: list[SessionRole]
    can: SessionCan
    is_demo: bool
    site_name: str
    # The identity provider where the session began, and where the person confirms their identity. None for a local account.
    provider: str | None
    # An admin set the password or changed the rights: the person sets their own password before they decide on others' requests.
    must_set_password: bool
    # The kinds of second factors that the person has.
    second_factors: list[Literal["authenticator", "passkey"]]
    # Second factors are required of people who approve, this person may approve something, and the session began without one.
    must_add_second_factor: bool
    # When the person last proved who they are, by password or at the provider.
    authenticated_at: datetime
    # When the person last confirmed their identity by a second factor in this session.
    confirmed_at: datetime | None


class PersonGrant(Schema):
    """A grant as the people page shows it."""

    id: int
    role: Role
    group_id: int
    group_name: str


class PersonRow(Schema):
    """One person."""

    id: int
    login: str
    display_name: str
    is_disabled: bool
    created_at: datetime
    last_signed_in_at: datetime | None
    grants: list[PersonGrant]
    # Signs in at the identity provider, which sent these groups the last time.
    is_of_provider: bool
    oidc_groups: list[str]
    # None where the reader may not know.
    has_second_factor: bool | None


class RoleOn(Input):
    """A role on a group and its subgroups."""

    role: Role
    group_id: RowId


class PersonCreate(Input):
    """A new local account."""

    login: Login
    display_name: Name
    password: Password
    roles: Annotated[list[RoleOn], Field(max_length=50, default_factory=list)]


class PersonUpdate(Input):
    """Only the fields that are sent are changed. A new password or a disabled account ends the person's sessions and tokens."""

    display_name: Name | None = None
    is_disabled: bool | None = None
    password: Password | None = None


class GrantCreate(Input):
    """Gives a person a role on a group."""

    person_id: RowId
    role: Role
    group_id: RowId
