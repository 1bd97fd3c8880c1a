"""QoS and virtual switches of a Windows lab host."""

from lab import identity
from lab.host import LabHost
from lab.initial_state import State
from lab.windows.common import Reads, Row, at_least, carrier_of, description_of, guid_of, has, mac_of, missing, ok, visible

_TSA = {"STRICT": 0, "ETS": 2}
_OFFERED = {
    "CeeDcbxSupported": False,
    "IeeeDcbxSupported": False,
    "MacSecBypassSupported": False,
    "NumberOfEtsCapableTrafficClasses": 8,
    "NumberOfPfcEnabledTrafficClasses": 8,
    "NumberOfTrafficClasses": 8,
}


def qos(host: LabHost) -> Reads:
    """DCB of the adapters, policies, classes, flow control."""
    if not has(host, "Data-Center-Bridging"):
        gone = {command: missing(command) for command in ("Get-NetQosTrafficClass", "Get-NetQosFlowControl", "Get-NetQosDcbxSetting")}
        return {"Get-NetAdapterQos": ok([]), "Get-NetQosPolicy": ok([]), **gone}
    classes, policies = host.state["qos_class"], host.state["qos_policy"]
    default = 100 - sum(item["bandwidth_percent"] for item in classes.values())
    adapters = []
    for role, port in host.ports("s2d"):
        on = port["qos"] == "enabled"
        adapters.append(
            {
                "Name": port["label"],
                "InstanceID": guid_of(host, role),
                "Enabled": on,
                "HardwareCapabilities": _OFFERED,
                "CurrentCapabilities": _OFFERED,
                "OperationalSettings": _operational(classes, policies, default) if on else None,
                "RemoteSettings": host.spec.data.get("dcbx") if on else None,
            }
        )
    return {
        "Get-NetAdapterQos": ok(adapters),
        "Get-NetQosPolicy": ok(
            [
                {
                    # The active store has names in lower case.
                    "Name": name.lower(),
                    "Owner": "PowerShell / WMI",
                    "NetworkProfile": "All",
                    "Precedence": 127,
                    "Template": "None",
                    "NetDirectPortMatchCondition": item["net_direct_port"],
                    "PriorityValue8021Action": item["priority"],
                    "DSCPAction": -1,
                    "MinBandwidthWeightAction": 0,
                    "ThrottleRateAction": 0,
                    "IPPortMatchCondition": 0,
                    "IPProtocolMatchCondition": "None",
                    "AppPathNameMatchCondition": None,
                }
                for name, item in sorted(policies.items())
            ]
        ),
        "Get-NetQosTrafficClass": ok(
            [
                {
                    "Name": "[Default]",
                    "Algorithm": "ETS",
                    "BandwidthPercentage": default,
                    "Priority": [str(number) for number in range(8) if number not in _taken(classes)],
                    "PolicySet": "Global",
                    "IfAlias": None,
                },
                *(
                    {
                        "Name": name,
                        "Algorithm": item["algorithm"],
                        "BandwidthPercentage": item["bandwidth_percent"],
                        "Priority": [str(p) for p in item["priorities"]],
                        "PolicySet": "Global",
                        "IfAlias": None,
                    }
                    for name, item in sorted(classes.items())
                ),
            ]
        ),
        "Get-NetQosFlowControl": ok(
            [{"Priority": number, "Enabled": False, "PolicySet": "Global", "IfAlias": None} for number in range(8)]
        ),
        "Get-NetQosDcbxSetting": ok(
            [{"Willing": bool(host.state["host"].get("qos.dcbx_willing", False)), "PolicySet": "Global", "IfAlias": None}]
        ),
    }


def _taken(classes: State) -> set[int]:
    """The priorities of people's own classes; all others are the default class's."""
    return {int(priority) for item in classes.values() for priority in item["priorities"]}


def _operational(classes: State, policies: State, default: int) -> Row:
    """The tables that an adapter runs: class 0 is the default one, the others follow as they were made."""
    owners = {int(priority): at for at, item in enumerate(classes.values(), start=1) for priority in item["priorities"]}
    shares = [default, *(item["bandwidth_percent"] for item in classes.values())]
    algorithms = [_TSA["ETS"], *(_TSA.get(str(item["algorithm"]).upper(), 0) for item in classes.values())]
    table = [{"Priority": 0, "ProtocolSelector": 1, "ProtocolSpecificValue": 0}]
    for item in policies.values():
        table.append({"Priority": item["priority"], "ProtocolSelector": 6, "ProtocolSpecificValue": item["net_direct_port"]})
    return {
        "BandwidthAssignmentTable": [*shares, *[0] * 8][:8],
        "ClassificationEnabled": True,
        "ClassificationTable": table,
        "FlowControlEnabled": True,
        "NumberOfClassificationElements": len(table),
        "PriorityAssignmentTable": [owners.get(priority, 0) for priority in range(8)],
        "PriorityFlowControlEnableArray": [False] * 8,
        "TransmissionSelectionEnabled": True,
        "TsaAssignmentTable": [*algorithms, *[0] * 8][:8],
    }


def vswitch(host: LabHost) -> Reads:
    """Virtual switches."""
    if not has(host, "Hyper-V"):
        names = ("Get-VMSwitch", "Get-VMSwitchTeam", "Get-VMNetworkAdapter", "Get-VMNetworkAdapterTeamMapping")
        return {command: missing(command) for command in names}
    role = next(role for role, port in visible(host) if port["use"] == "lan")
    is_new = at_least(host, "2016")
    card = [description_of(host, role)]
    guid, _, _ = carrier_of(host, role)
    return {
        "Get-VMSwitch": ok(
            [
                {
                    "Name": "vm-lan",
                    "Id": identity.guid(host.spec.name, "vm-lan")[1:-1].lower(),
                    "SwitchType": "External",
                    **({"EmbeddedTeamingEnabled": False} if is_new else {}),
                    "AllowManagementOS": True,
                    # 2012 and 2012 R2 have the singular alone.
                    **({"NetAdapterInterfaceDescriptions": card} if is_new else {}),
                    "NetAdapterInterfaceDescription": card,
                    "BandwidthReservationMode": "Absolute",
                    "IovEnabled": False,
                }
            ]
        ),
        "Get-VMSwitchTeam": ok([]) if is_new else missing("Get-VMSwitchTeam"),
        "Get-VMNetworkAdapter": ok(
            [
                {
                    "Name": "vm-lan",
                    "SwitchName": "vm-lan",
                    "MacAddress": mac_of(host, role).upper(),
                    "DeviceId": guid,
                    "IsManagementOs": True,
                    "IovWeight": 0,
                    "VlanId": 0,
                }
            ]
        ),
        "Get-VMNetworkAdapterTeamMapping": ok([]) if is_new else missing("Get-VMNetworkAdapterTeamMapping"),
    }
