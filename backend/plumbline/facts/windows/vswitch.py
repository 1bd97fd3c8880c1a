"""Section `vswitch`: Hyper-V switches, Switch Embedded Teaming, and the host's own virtual interfaces."""

from plumbline.facts.configuration import Facts, NotOffered, Subject, Unknown
from plumbline.facts.windows.reads import Body, as_bool, as_text, guid_in, on_off, texts

SWITCH = "Get-VMSwitch"
TEAM = "Get-VMSwitchTeam"
HOST_INTERFACE = "Get-VMNetworkAdapter"
MAPPING = "Get-VMNetworkAdapterTeamMapping"


def parse(body: Body) -> Facts:
    """Switches as subjects; uplinks by interface description and vnics by GUID are joined later."""
    teams = {(as_text(row.get("Name")) or ""): row for row in body.rows(TEAM)}
    uplinks: dict[str, str] = {}
    for row in body.rows(SWITCH):
        name = as_text(row.get("Name"))
        if not name:
            body.facts.problems.append(f"{SWITCH}: a switch without a name")
            continue
        switch = Subject("vswitch", name)
        # Server 2012 and 2012 R2 name a single uplink only, in the property of the same name without `s`.
        field = "NetAdapterInterfaceDescriptions" if row.get("NetAdapterInterfaceDescriptions") else "NetAdapterInterfaceDescription"
        described = list(texts(row.get(field)))
        for description in described:
            uplinks[description] = name
        body.facts.say(switch, "uplinks", tuple(sorted(described)), body.source(SWITCH, field, row.get(field)))
        body.tell(
            switch,
            {
                "type": ("SwitchType", _lower),
                "embedded_teaming": ("EmbeddedTeamingEnabled", as_bool),
                "allow_management": ("AllowManagementOS", as_bool),
                "software_rsc": ("SoftwareRscEnabled", on_off),
            },
            SWITCH,
            row,
        )
        team = teams.get(name)
        for key, property_name in (("teaming_mode", "TeamingMode"), ("load_balancing", "LoadBalancingAlgorithm")):
            if team is not None:
                body.facts.put(switch, key, body.reading(TEAM, team, property_name, as_text))
            else:
                reason = body.read(TEAM).reason
                source = body.source(TEAM, property_name)
                body.facts.put(switch, key, Unknown(reason, source) if reason else NotOffered("the switch has no embedded team", source))
    body.facts.observations["uplinks"] = uplinks
    body.facts.observations["host_interfaces"] = [
        {
            "name": as_text(row.get("Name")) or "",
            "switch": as_text(row.get("SwitchName")) or "",
            "guid": guid_in(row.get("DeviceId")),
            "mac": as_text(row.get("MacAddress")) or "",
        }
        for row in body.rows(HOST_INTERFACE)
        if as_bool(row.get("IsManagementOs")) is not False
    ]
    body.facts.observations["mappings"] = {
        (as_text(row.get("NetAdapterName")) or "").lower(): as_text(row.get("ParentAdapter")) or "" for row in body.rows(MAPPING)
    }
    return body.facts


def _lower(raw: object) -> str | None:
    text = as_text(raw)
    return None if text is None else text.lower()
