"""What else runs over an adapter, interface or switch that a step would interrupt.

Plumbline interrupts what carries storage and nothing else. Management, vMotion, cluster traffic or a virtual machine's network on the same
uplink is a person's decision, since Plumbline would cut the connection over which it changes and watches the host. What is not known to
carry storage alone is not interrupted.

Networks of virtual machines are not looked for: no read shows whether one is in use.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.core.facts.configuration import NOT_COLLECTED, Configuration, Subject, Unknown, Value
from plumbline.core.facts.storage_adapters import STORAGE_ROLES

# TCP/IP stacks of ESXi that one service has for itself.
_STACKS = {"vmotion": "vMotion", "vSphereProvisioning": "provisioning"}


@dataclass(frozen=True, slots=True)
class OtherTraffic:
    """What runs over an item besides storage, in words, or why that is not known: the setting, the reason and the command to look at it."""

    words: str = ""
    unknown: str = ""
    about: str = ""
    command: str = ""

    @property
    def is_none(self) -> bool:
        """It is known that nothing but storage runs over it."""
        return not self.words and not self.unknown


def other_traffic(held: Configuration, subject: Subject, reached_at: str = "") -> OtherTraffic:
    """What runs over an adapter, interface or virtual switch besides storage.

    `reached_at`: the address under which Plumbline signs in to the host; empty or a name where none is known.
    """
    found = list(_found(held, subject, reached_at))
    words = " and ".join(dict.fromkeys(each.words for each in found if each.words))
    if words:
        return OtherTraffic(words)
    return next((each for each in found if each.unknown), OtherTraffic())


def _found(held: Configuration, subject: Subject, reached_at: str) -> Iterator[OtherTraffic]:
    if subject.kind in ("adapter", "vnic"):
        yield from _of_item(held, subject, reached_at)
    if subject.kind == "vnic":
        return
    if "vnic" in held.unlisted:
        yield OtherTraffic(unknown=f"its interfaces were not all listed: {held.unlisted['vnic']}", about=subject.address("vswitch"))
    if held.platform == "esxi":
        yield from _of_esxi(held, subject, reached_at)
    elif subject.kind == "adapter":
        yield from _of_windows_switch(held, subject, reached_at)
        yield from _of_windows_team(held, subject, reached_at)


def _of_item(held: Configuration, subject: Subject, reached_at: str) -> Iterator[OtherTraffic]:
    """What an adapter or interface carries itself, whatever is above it."""
    name = _name(held, subject)
    role = held.read(subject, "role")
    if not isinstance(role, Value):
        yield _not_known(f"what {name} is used for", subject, "role", held)
    elif role.value not in STORAGE_ROLES:
        yield OtherTraffic(f"{name} ({_use(held, subject, str(role.value))})")
    addresses = held.value(subject, "addresses")
    if reached_at and isinstance(addresses, tuple) and reached_at in {str(each).partition("/")[0] for each in addresses}:
        yield OtherTraffic(f"the connection over which Plumbline reaches the host ({reached_at})")
    if (isinstance(role, Value) and role.value not in STORAGE_ROLES) or (subject.kind == "adapter" and held.platform == "esxi"):
        # Named above already. An adapter of ESXi has no route of its own: its VMkernel ports have.
        return
    management = held.read(subject, "management")
    if not isinstance(management, Value):
        yield _not_known(f"whether the default route leaves over {name}", subject, "management", held)
    elif management.value is True:
        yield OtherTraffic(f"the management traffic of {name}")


def _of_esxi(held: Configuration, subject: Subject, reached_at: str) -> Iterator[OtherTraffic]:
    """VMkernel ports that may use this uplink, or any uplink of this switch."""
    switch: object = subject.id
    if subject.kind == "adapter":
        reading = held.read(subject, "vswitch")
        if not isinstance(reading, Value):
            yield _not_known(f"which virtual switch {_name(held, subject)} belongs to", subject, "vswitch", held)
            return
        switch = reading.value
        if not switch:
            # The port of a hardware initiator.
            return
    for port in held.subjects("vnic"):
        on = held.read(port, "vswitch")
        if isinstance(on, Value) and on.value != switch:
            continue
        if subject.kind == "vswitch" or _may_use(held, port, str(held.value(subject, "name") or "")):
            yield from _of_item(held, port, reached_at)


def _may_use(held: Configuration, port: Subject, uplink: str) -> bool:
    """Whether a VMkernel port may use an uplink of its switch: all of them, unless its port group names those that it uses."""
    group = held.value(port, "portgroup")
    if not isinstance(group, str):
        return True
    used = [held.value(Subject("portgroup", group), key) for key in ("active_uplinks", "standby_uplinks")]
    return not all(isinstance(each, tuple) for each in used) or any(uplink in each for each in used if isinstance(each, tuple))


def _of_windows_switch(held: Configuration, subject: Subject, reached_at: str) -> Iterator[OtherTraffic]:
    """The host's own interfaces on the virtual switch above an adapter."""
    switch = held.read(subject, "vswitch")
    if isinstance(switch, Unknown):
        yield _not_known(f"whether {_name(held, subject)} is below a virtual switch", subject, "vswitch", held)
    elif isinstance(switch, Value) and switch.value:
        on = {one: held.read(one, "vswitch") for one in held.subjects("vnic")}
        # One whose switch could not be read may be on this one; an interface of no virtual switch has no such setting at all.
        above = [
            one
            for one, reading in on.items()
            if (isinstance(reading, Value) and reading.value == switch.value)
            or (isinstance(reading, Unknown) and reading.reason != NOT_COLLECTED.reason)
        ]
        yield from _above(held, subject, above, f"virtual switch {switch.value}", reached_at)


def _of_windows_team(held: Configuration, subject: Subject, reached_at: str) -> Iterator[OtherTraffic]:
    """The interfaces of the LBFO team above an adapter: one called like the team, and one for each VLAN (`TEAM - VLAN 20`)."""
    team = held.read(subject, "team")
    if isinstance(team, Unknown):
        yield _not_known(f"whether {_name(held, subject)} is in a team", subject, "team", held)
    elif isinstance(team, Value) and team.value:
        names = {one: str(held.value(one, "name") or "") for one in held.subjects("vnic")}
        above = [one for one, name in names.items() if name == team.value or name.startswith(f"{team.value} - ")]
        yield from _above(held, subject, above, f"team {team.value}", reached_at)


def _above(held: Configuration, subject: Subject, above: list[Subject], what: str, reached_at: str) -> Iterator[OtherTraffic]:
    """Interfaces above an adapter. Those without an address carry nothing; where none carries anything, something else is above it."""
    carrying = [one for one in above if held.value(one, "addresses") != ()]
    if not carrying:
        unknown = f"what runs over {what}, which {_name(held, subject)} is a part of"
        yield OtherTraffic(unknown=unknown, about=subject.address("vswitch"), command="Get-NetIPAddress")
    for one in carrying:
        yield from _of_item(held, one, reached_at)


def _not_known(what: str, subject: Subject, key: str, held: Configuration) -> OtherTraffic:
    reading = held.read(subject, key)
    assert not isinstance(reading, Value)
    command = reading.source.command if reading.source is not None else ""
    return OtherTraffic(unknown=f"{what}: {reading.reason or 'not known'}", about=subject.address(key), command=command)


def _use(held: Configuration, subject: Subject, role: str) -> str:
    if role == "management":
        return "management"
    stack = str(held.value(subject, "netstack") or "")
    return _STACKS.get(stack, "not known to carry storage")


def _name(held: Configuration, subject: Subject) -> str:
    name = held.value(subject, "name")
    shown = str(name) if name else subject.id
    group = held.value(subject, "portgroup") if subject.kind == "vnic" else None
    return f"{shown} of port group {group}" if group else shown
