"""API schemas that plans, jobs, controls and access share."""

from typing import Annotated, Literal

from pydantic import Field

from plumbline.infra.schemas import Input, Words

Impact = Literal["none", "new_sessions", "adapter_restart", "path_loss", "maintenance", "reboot"]


Password = Annotated[str, Field(max_length=1000)]


class Reason(Input):
    """Why."""

    reason: Annotated[Words, Field(min_length=1)]


class Confirmed(Input):
    """An act for which the person signs in once more. The password is left out by people who signed in again at
    their identity provider, or confirmed by a second factor (`/session/reauthenticate`), within the last five minutes."""

    password: Password = ""


class ConfirmedReason(Confirmed):
    """The same, with a reason."""

    reason: Annotated[Words, Field(min_length=1)]


class Resolve(Input):
    """How a person settled a job that needed one."""

    words: Annotated[Words, Field(min_length=10)]
