"""esxcli on an ESXi host through its vCenter: the host's managed method executer, which VMware does not document.

pyVmomi knows neither the executer nor its types, so they are declared here, by the names that govmomi (`cli/esx/executor.go`) uses on the
wire. Only the commands of the fixed list are sent, and each of them only reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

from defusedxml import ElementTree
from pyVmomi import VmomiSupport

# What a storage engineer reads first on a host in lockdown mode: command, and its options.
COMMANDS: Mapping[str, Mapping[str, str]] = {
    "esxcli iscsi software get": {},
    "esxcli iscsi adapter list": {},
    "esxcli iscsi session list": {},
    "esxcli network nic list": {},
    "esxcli network ip interface list": {},
    "esxcli network vswitch standard list": {},
    "esxcli storage core path list": {},
}
_MOST_ROWS = 256
_LONGEST_VALUE = 200
_VERSION = "vim.version.version7"
_API = "urn:vim25/5.0"
_NAME = "vmodl.reflect.ManagedMethodExecuter"
_HANDLER = "ha-cli-handler-"


class Refused(Exception):
    """The host does not run the command; the message is its own."""


@dataclass(frozen=True, slots=True)
class Executer:
    """The executer of one host."""

    stub: Any
    reference: Any


def find_executer(host: Any) -> Executer:
    """Finds the executer of a host. Raises a MethodFault of pyVmomi where there is none, KeyError where its type is another one."""
    reference = host._stub.InvokeMethod(host, _declared()["retrieve"], [])
    if reference is None:
        raise KeyError("no executer")
    return Executer(host._stub, reference)


def run(executer: Executer, command: str) -> list[dict[str, str]]:
    """Runs a command of the list and returns its rows by esxcli's field names; a plain value is one row with the field "value".

    Raises `Refused`.
    """
    words = command.split()[1:]
    arguments = [
        _declared()["argument"](name=name, val=f'<{name} xmlns="urn:vim25">{value}</{name}>') for name, value in COMMANDS[command].items()
    ]
    result = executer.stub.InvokeMethod(
        executer.reference,
        _declared()["execute"],
        [_HANDLER + "-".join(words[:-1]), _API, "vim.EsxCLI." + ".".join(words), arguments],
    )
    if result is None:
        raise Refused("it answers nothing")
    if result.fault is not None:
        raise Refused(_fault(result.fault))
    return read_rows(result.response or "")


def read_rows(response: str) -> list[dict[str, str]]:
    """Rows out of the executer's XML. Raises `Refused` where it is not XML."""
    if not response:
        return []
    try:
        root = ElementTree.fromstring(response)
    except ElementTree.ParseError as error:
        raise Refused(f"its answer is no XML: {error}") from error
    objects = [element for element in root if _bare(element) == "DataObject"]
    if not objects and len(root) == 0:
        return [{"value": (root.text or "")[:_LONGEST_VALUE]}] if (root.text or "").strip() else []
    return [_row(element) for element in (objects or [root])[:_MOST_ROWS]]


def _row(element: Element) -> dict[str, str]:
    row: dict[str, list[str]] = {}
    for field in element:
        row.setdefault(_bare(field), []).append((field.text or "").strip())
    return {name: ", ".join(values)[:_LONGEST_VALUE] for name, values in row.items()}


def _bare(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _fault(fault: Any) -> str:
    """The message of a fault: esxcli's own where there is one."""
    try:
        detail = ElementTree.fromstring(fault.faultDetail or "")
        messages = [element.text for element in detail.iter() if _bare(element) == "errMsg" and element.text]
    except ElementTree.ParseError:
        messages = []
    return "; ".join(messages) or str(fault.faultMsg or "rejected without a reason")


@cache
def _declared() -> Mapping[str, Any]:
    """The executer's types, declared once."""
    optional, read = VmomiSupport.F_OPTIONAL, "System.Read"
    VmomiSupport.CreateDataType(
        f"{_NAME}.SoapArgument",
        "ReflectManagedMethodExecuterSoapArgument",
        "vmodl.DynamicData",
        _VERSION,
        [("name", "string", _VERSION, 0), ("val", "string", _VERSION, 0)],
    )
    VmomiSupport.CreateDataType(
        f"{_NAME}.SoapFault",
        "ReflectManagedMethodExecuterSoapFault",
        "vmodl.DynamicData",
        _VERSION,
        [("faultMsg", "string", _VERSION, 0), ("faultDetail", "string", _VERSION, optional)],
    )
    result = f"{_NAME}.SoapResult"
    VmomiSupport.CreateDataType(
        result,
        "ReflectManagedMethodExecuterSoapResult",
        "vmodl.DynamicData",
        _VERSION,
        [("response", "string", _VERSION, optional), ("fault", f"{_NAME}.SoapFault", _VERSION, optional)],
    )
    parameters = (
        *((name, "string", _VERSION, 0, None) for name in ("moid", "version", "method")),
        ("argument", f"{_NAME}.SoapArgument[]", _VERSION, optional, None),
    )
    execute = ("executeSoap", "ExecuteSoap", _VERSION, parameters, (0, result, result), read, None)
    VmomiSupport.CreateManagedType(_NAME, "ReflectManagedMethodExecuter", "vmodl.ManagedObject", _VERSION, None, [execute])
    # govmomi's simulator returns a reference of this type.
    VmomiSupport.CreateManagedType(f"{_NAME}Bare", "ManagedMethodExecuter", "vmodl.ManagedObject", _VERSION, None, None)
    retrieve = ("retrieve", "RetrieveManagedMethodExecuter", _VERSION, (), (0, _NAME, _NAME), read, None)
    VmomiSupport.CreateManagedType(f"{_NAME}Host", "PlumblineEsxcliHost", "vmodl.ManagedObject", _VERSION, None, [retrieve])
    return {
        "argument": VmomiSupport.GetVmodlType(f"{_NAME}.SoapArgument"),
        "execute": VmomiSupport.GetVmodlType(_NAME).ExecuteSoap.info,
        "retrieve": VmomiSupport.GetVmodlType(f"{_NAME}Host").RetrieveManagedMethodExecuter.info,
    }
