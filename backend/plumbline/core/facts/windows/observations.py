"""What was observed on a Windows host, and what the join derives from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Subject
from plumbline.core.facts.windows.adapters import Interface
from plumbline.core.facts.windows.iscsi import Session
from plumbline.core.facts.windows.roles import Role


@dataclass(slots=True)
class Observations:
    """The interfaces and sessions of one host; the join fills in the rest, in the order of the fields."""

    # What the inventory lists, in its order.
    interfaces: list[Interface]
    # The connected sessions, with their source addresses as far as they are known.
    sessions: list[Session]
    # Lower-case name -> GUID, for the interfaces of a copied inventory that does not show it.
    guid_by_name: Mapping[str, str] = field(default_factory=dict)
    # Hardware initiator -> its adapter's id.
    adapters_of_initiators: dict[str, str] = field(default_factory=dict)
    # Adapters that iSOE has taken out of Windows' networking.
    hidden: frozenset[Subject] = frozenset()
    # Of every interface, and of the hidden adapters.
    roles: dict[Subject, Role] = field(default_factory=dict)

    def guid_of(self, interface: Interface) -> str:
        """The GUID of an interface; where a copied inventory does not show it, the one that another command gives to its name alone."""
        return interface.guid or self.guid_by_name.get(interface.name.lower(), "")
