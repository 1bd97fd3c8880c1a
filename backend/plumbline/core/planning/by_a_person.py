"""The checklist of a fix that would interrupt more than storage: why Plumbline leaves it, and how a person makes it safely."""

from collections.abc import Sequence

from plumbline.core.facts.configuration import Subject
from plumbline.core.planning import commands
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.inputs import HostFacts
from plumbline.core.planning.other_traffic import OtherTraffic
from plumbline.core.planning.refusals import ManualOnly

_CONSOLE = {
    "windows": "Open the server's own console (out-of-band controller); on a cluster node, drain it first: Suspend-ClusterNode -Drain.",
    "esxi": "Put the host into maintenance mode, and open its own console (out-of-band controller).",
}
_PATHS = {"windows": "mpclaim -s -d", "esxi": "esxcli storage core path list"}


def by_a_person(host: HostFacts, drafts: Sequence[Draft], subject: Subject, other: OtherTraffic) -> ManualOnly:
    """The checklist for the drafts of one finding, of which that of `subject` would interrupt the other traffic too."""
    platform = host.configuration.platform
    name = host.name_of(subject)
    what = f"the virtual switch {name}" if subject.kind == "vswitch" else name
    typed = [command.text for draft in drafts for command in draft.do]
    if any(draft.setting.restart != "none" for draft in drafts):
        typed.append(commands.restart_command(name).text)
    return ManualOnly(
        f"changing {what} would interrupt {other.words} too: Plumbline interrupts only what carries storage alone",
        (
            "Give storage uplinks of its own and plan again, or make the change yourself:",
            _CONSOLE[platform],
            *dict.fromkeys(typed),
            f"See that the host answers over its network and that every path is back: {_PATHS[platform]}",
        ),
    )
