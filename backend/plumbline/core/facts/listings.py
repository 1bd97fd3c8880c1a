"""Which reads list the subjects of each kind, and which kinds a host's reads did not list whole.

Only a list that was read whole proves that something is not there: a rule is not applicable for want of a subject, and a subject is gone,
only where every listing of its kind was. Evaluation, vanished subjects and `plumbline evaluate` all use this one table.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.facts.configuration import NOT_COLLECTED, Facts, Platform

# Not a kind of subject: initiators that are cards of their own (iSOE). Whether an adapter is in iSOE mode rests on their list alone.
HARDWARE_INITIATORS = "hardware initiator"

# Name of the observation of each section: command without options -> why it did not list everything; empty where it did.
OBSERVATION = "listings"
# Name of the observation of each section: commands that the host does not have.
MISSING = "missing_commands"


@dataclass(frozen=True, slots=True)
class Listing:
    """One list of subjects: that of whichever of `commands` was read whole. None: the section has no list, and is one itself, unless one
    of the lists of other sections that it `rests_on` failed.

    `is_optional`: a host without the feature does not have the command, and then nothing of what it lists. `not_if` names an observation
    of the section that shows, when true, that there is nothing to list. `is_rare`: what it lists is rare, and another command would show
    a sign of it (`_has_sign`); where it was never asked, as among outputs that a person copied, it is missed only where there is a sign.
    """

    section: str
    commands: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    is_optional: bool = False
    not_if: str = ""
    is_rare: bool = False


_CARDS = Listing("adapters", ("Get-NetAdapter",))
# A card in iSOE mode leaves Get-NetAdapter and shows here.
_OFFLOAD_ENGINES = Listing("adapters", ("Win32_SCSIController",), is_rare=True)
# With the initiator's service stopped these fail, and nothing leaves over iSCSI.
_WINDOWS_ISCSI = {
    command: Listing("iscsi", (command,), not_if="is_stopped") for command in ("Get-InitiatorPort", "Get-IscsiSession", "Get-IscsiTarget")
}
_OLD_SWITCHES = "esxcfg-vswitch -l"

# All listings of a kind are needed: each may show subjects that the others do not.
LISTINGS: dict[Platform, dict[str, tuple[Listing, ...]]] = {
    "windows": {
        "adapter": (_CARDS, _OFFLOAD_ENGINES),
        # Get-NetAdapter shows virtual interfaces too; Get-VMNetworkAdapter only shows which switch they are on.
        "vnic": (_CARDS,),
        "team": (Listing("adapters", ("Get-NetLbfoTeam",), is_optional=True),),
        "initiator": (_WINDOWS_ISCSI["Get-InitiatorPort"], _WINDOWS_ISCSI["Get-IscsiSession"], _OFFLOAD_ENGINES),
        HARDWARE_INITIATORS: (_OFFLOAD_ENGINES,),
        "target": (_WINDOWS_ISCSI["Get-IscsiSession"], _WINDOWS_ISCSI["Get-IscsiTarget"]),
        # MPIO's own lists name paths, and disks that are not of the SAN: only Get-Disk shows which disks come over iSCSI.
        "volume": (Listing("storage", ("Get-Disk",)),),
        "vswitch": (Listing("vswitch", ("Get-VMSwitch",), is_optional=True),),
        "tcp_template": (Listing("tcp", ("Get-NetTCPSetting",), is_optional=True),),
        "transport_filter": (Listing("tcp", ("Get-NetTransportFilter",), is_optional=True),),
        "qos_class": (Listing("qos", ("Get-NetQosTrafficClass",), is_optional=True),),
        "qos_policy": (Listing("qos", ("Get-NetQosPolicy",), is_optional=True),),
    },
    "esxi": {
        "adapter": (Listing("nics", ("esxcli network nic list", "esxcfg-nics -l")),),
        "vnic": (Listing("vmkernel", ("esxcli network ip interface list", "esxcfg-vmknic -l")),),
        "initiator": (Listing("iscsi", ("esxcli iscsi adapter list",)),),
        HARDWARE_INITIATORS: (Listing("iscsi", ("esxcli iscsi adapter list",)),),
        "target": (
            Listing("iscsi", ("esxcli iscsi adapter target portal list",)),
            # Sessions that paths show are to targets that the list of portals has.
            Listing("iscsi", ("esxcli iscsi session list",), not_if="sessions_by_paths"),
        ),
        # The only list that shows which devices come over iSCSI.
        "volume": (Listing("paths", ("esxcli storage core path list",)),),
        "vswitch": (
            Listing("vswitch", ("esxcli network vswitch standard list", _OLD_SWITCHES)),
            Listing("vswitch", ("esxcli network vswitch dvs vmware list", _OLD_SWITCHES), is_optional=True),
        ),
        "portgroup": (Listing("vswitch", ("esxcli network vswitch standard portgroup list", _OLD_SWITCHES)),),
        "module": (Listing("modules", rests_on=("esxcli network nic list", "esxcli iscsi adapter list")),),
    },
}


def not_listed(
    platform: Platform, facts: Mapping[str, Facts], unread: Mapping[str, str], unavailable: frozenset[str] = frozenset()
) -> dict[str, str]:
    """The kinds of subject that were not listed whole, each with the reason in words.

    `facts`: those of the sections that were read; `unread`: why the others gave nothing; `unavailable`: those of them that the host does
    not have. A section in neither was not collected.
    """
    found: dict[str, str] = {}
    for kind, listings in LISTINGS[platform].items():
        asked = [listing for listing in listings if not listing.is_rare or _is_asked(listing, facts) or _has_sign(facts)]
        reasons = [_why_not(listing, facts.get(listing.section), unread, unavailable) for listing in asked]
        if any(reasons):
            found[kind] = "; ".join(dict.fromkeys(reason for reason in reasons if reason))
    return found


def _is_asked(listing: Listing, facts: Mapping[str, Facts]) -> bool:
    """Whether a section that was read holds an answer to one of the commands; a section that was not read leaves that open."""
    if listing.section not in facts:
        return True
    seen = facts[listing.section].observations.get(OBSERVATION)
    return isinstance(seen, dict) and not seen.keys().isdisjoint(listing.commands)


def _has_sign(facts: Mapping[str, Facts]) -> bool:
    """Whether the initiators of a Windows host show one that is not Windows' own, and so a card that may be hidden."""
    readings = facts["iscsi"].readings if "iscsi" in facts else {}
    return any(subject.kind == "initiator" and "driver" not in keys for subject, keys in readings.items())


def _why_not(listing: Listing, facts: Facts | None, unread: Mapping[str, str], unavailable: frozenset[str]) -> str:
    """Why a listing was not read whole; empty where it was, or where the host has nothing to list."""
    if facts is None:
        if listing.is_optional and listing.section in unavailable:
            return ""
        reason = unread.get(listing.section)
        return f"section {listing.section} not collected" if reason in (None, NOT_COLLECTED.reason) else str(reason)
    seen, missing = facts.observations.get(OBSERVATION), facts.observations.get(MISSING)
    if isinstance(seen, dict) and not listing.commands:
        return next((str(seen[command]) for command in listing.rests_on if seen.get(command)), "")
    if not isinstance(seen, dict) or (listing.not_if and facts.observations.get(listing.not_if) is True):
        return ""
    reasons = {command: str(seen.get(command, f"{command} was not read")) for command in listing.commands}
    if not all(reasons.values()):
        return ""
    if listing.is_optional and isinstance(missing, frozenset) and not missing.isdisjoint(listing.commands):
        return ""
    # The reason of a command that was run is more exact than that of one that was not.
    return next((reason for command, reason in reasons.items() if command in seen), next(iter(reasons.values())))
