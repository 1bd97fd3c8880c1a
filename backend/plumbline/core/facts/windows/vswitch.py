"""Section `vswitch`: Hyper-V switches, Switch Embedded Teaming, and the host's own virtual interfaces."""

from plumbline.core.facts.configuration import Facts, NotOffered, Subject, Unknown
from plumbline.core.facts.windows.reads import Body, Row, as_bool, as_text, guid_in, is_cut, on_off, texts

SWITCH = "Get-VMSwitch"
TEAM = "Get-VMSwitchTeam"
HOST_INTERFACE = "Get-VMNetworkAdapter"
MAPPING = "Get-VMNetworkAdapterTeamMapping"
# What the singular property holds of a switch with an embedded team.
_PLACEHOLDER = "Teamed-Interface"


def parse(body: Body) -> Facts:
    """Switches as subjects; uplinks by interface description and vnics by GUID are joined later."""
    teams = {(as_text(row.get("Name")) or ""): row for row in body.rows(TEAM)}
    uplinks: dict[str, str] = {}
    switches = {as_text(row.get("Name")) for row in body.rows(SWITCH)}
    for row in body.rows(SWITCH):
        name = as_text(row.get("Name"))
        if not name:
            body.facts.problems.append(f"{SWITCH}: a switch without a name")
            continue
        switch = Subject("vswitch", name)
        # Server 2012 and 2012 R2 name a single uplink only, in the property of the same name without `s`.
        field = "NetAdapterInterfaceDescriptions" if row.get("NetAdapterInterfaceDescriptions") else "NetAdapterInterfaceDescription"
        _uplinks(body, switch, SWITCH, row, field, teams.get(name), uplinks)
        body.set_from_row(
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
                body.facts.set(switch, key, body.reading(TEAM, team, property_name, as_text))
            else:
                # A release that has Get-VMSwitch alone has no embedded teams.
                reason = "" if body.read(TEAM).is_unavailable else body.read(TEAM).reason
                source = body.source(TEAM, property_name)
                body.facts.set(switch, key, Unknown(reason, source) if reason else NotOffered("the switch has no embedded team", source))
    for name, team in teams.items():
        if name and name not in switches:
            # Only in folders of captured text: the team makes its switch known.
            _team_alone(body, name, team, uplinks)
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
    # The host's virtual adapter (`ParentAdapter`) -> the card that it is pinned to.
    body.facts.observations["mappings"] = {
        (as_text(row.get("ParentAdapter")) or "").lower(): as_text(row.get("NetAdapterName")) or "" for row in body.rows(MAPPING)
    }
    return body.facts


def _uplinks(body: Body, switch: Subject, command: str, row: Row, field: str, team: Row | None, uplinks: dict[str, str]) -> None:
    """The cards below a switch. A view shows one uplink only, and of an embedded team a placeholder."""
    if as_text(row.get(field)) == _PLACEHOLDER and team is not None:
        command, row, field = TEAM, team, "NetAdapterInterfaceDescription"
    raw = row.get(field)
    source = body.source(command, field, raw)
    if is_cut(raw) or as_text(raw) == _PLACEHOLDER:
        body.facts.set(switch, "uplinks", Unknown("the copied output does not show all of them", source))
        return
    described = list(texts(raw))
    for description in described:
        uplinks[description] = switch.id
    body.facts.set_value(switch, "uplinks", tuple(sorted(described)), source)


def _team_alone(body: Body, name: str, team: Row, uplinks: dict[str, str]) -> None:
    switch = Subject("vswitch", name)
    _uplinks(body, switch, TEAM, team, "NetAdapterInterfaceDescription", None, uplinks)
    body.facts.set_value(switch, "embedded_teaming", True, body.source(TEAM, "Name", name))
    for key, field in (("teaming_mode", "TeamingMode"), ("load_balancing", "LoadBalancingAlgorithm")):
        body.facts.set(switch, key, body.reading(TEAM, team, field, as_text))


def _lower(raw: object) -> str | None:
    text = as_text(raw)
    return None if text is None else text.lower()
