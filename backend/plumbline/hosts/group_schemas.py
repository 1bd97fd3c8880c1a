"""API schemas of groups."""

from plumbline.hosts.schemas import Mode
from plumbline.infra.schemas import Input, Name, RowId, Schema


class Group(Schema):
    """One group of the tree. `mode` None inherits; `mode_effective` is what holds. `hosts` counts the group and all below it.

    `is_ticket_required`: plans and waivers here and below need a ticket; `is_ticket_required_effective` counts the groups above too.
    """

    id: int
    parent_id: int | None
    name: str
    path: str
    mode: Mode | None
    mode_effective: Mode
    is_ticket_required: bool
    is_ticket_required_effective: bool
    hosts: int


class GroupCreate(Input):
    """A new group below another."""

    parent_id: RowId
    name: Name


class GroupUpdate(Input):
    """Only the fields that are sent are changed; `mode` null makes the group inherit."""

    name: Name | None = None
    mode: Mode | None = None
    is_ticket_required: bool | None = None
    parent_id: RowId | None = None
