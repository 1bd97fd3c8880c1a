"""QoS and virtual switches of a Windows lab host."""

from lab import identity
from lab.host import LabHost
from lab.windows.common import Reads, description_of, guid_of, has, ok, unavailable, visible


def qos(host: LabHost) -> Reads:
    """DCB of the adapters, policies, classes, flow control."""
    if not has(host, "Data-Center-Bridging"):
        gone = unavailable("the feature Data-Center-Bridging is not installed")
        return {
            "Get-NetAdapterQos": ok([]),
            "Get-NetQosPolicy": ok([]),
            "Get-NetQosTrafficClass": gone,
            "Get-NetQosFlowControl": gone,
            "Get-NetQosDcbxSetting": gone,
        }
    classes, policies = host.state["qos_class"], host.state["qos_policy"]
    default = 100 - sum(item["bandwidth_percent"] for item in classes.values())
    adapters = []
    for role, port in host.ports("s2d"):
        on = port["qos"] == "enabled"
        operational = [
            {"Bandwidth": default, "Priorities": "0-4,6-7", "TC": 0, "TSA": "ETS"},
            *(
                {
                    "Bandwidth": item["bandwidth_percent"],
                    "Priorities": ",".join(str(p) for p in item["priorities"]),
                    "TC": at,
                    "TSA": item["algorithm"],
                }
                for at, item in enumerate(classes.values(), start=1)
            ),
        ]
        adapters.append(
            {
                "Name": port["label"],
                "InstanceID": guid_of(host, role),
                "Enabled": on,
                "Capabilities": {"DcbxSupport": "None", "MacSecBypass": "NotSupported", "NumTCsETS": 8, "NumTCsMax": 8, "NumTCsPFC": 8},
                "OperationalTrafficClasses": operational if on else [],
                "OperationalFlowControl": "All Priorities Disabled",
                "OperationalClassifications": [
                    {"PortOrType": item["net_direct_port"], "Priority": item["priority"], "Protocol": "NetDirect"}
                    for item in policies.values()
                ]
                if on
                else [],
            }
        )
    return {
        "Get-NetAdapterQos": ok(adapters),
        "Get-NetQosPolicy": ok(
            [
                {
                    "Name": name,
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
                    "Bandwidth": default,
                    "Priority": ["0", "1", "2", "3", "4", "6", "7"],
                    "PolicySet": "Global",
                },
                *(
                    {
                        "Name": name,
                        "Algorithm": item["algorithm"],
                        "Bandwidth": item["bandwidth_percent"],
                        "Priority": [str(p) for p in item["priorities"]],
                        "PolicySet": "Global",
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


def vswitch(host: LabHost) -> Reads:
    """Virtual switches."""
    if not has(host, "Hyper-V"):
        gone = unavailable("the feature Hyper-V is not installed")
        return dict.fromkeys(("Get-VMSwitch", "Get-VMSwitchTeam", "Get-VMNetworkAdapter", "Get-VMNetworkAdapterTeamMapping"), gone)
    role = next(role for role, port in visible(host) if port["use"] == "lan")
    return {
        "Get-VMSwitch": ok(
            [
                {
                    "Name": "vm-lan",
                    "Id": identity.guid(host.spec.name, "vm-lan")[1:-1].lower(),
                    "SwitchType": "External",
                    "EmbeddedTeamingEnabled": False,
                    "AllowManagementOS": True,
                    "NetAdapterInterfaceDescriptions": [description_of(host, role)],
                    "BandwidthReservationMode": "Absolute",
                    "IovEnabled": False,
                }
            ]
        ),
        "Get-VMSwitchTeam": ok([]),
        "Get-VMNetworkAdapter": ok([]),
        "Get-VMNetworkAdapterTeamMapping": ok([]),
    }
