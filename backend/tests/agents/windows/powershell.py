"""A static reading of our PowerShell files against what Windows PowerShell 3.0 on Server 2012 knows.

A real grammar (tree-sitter) parses the text; the rules below walk its tree. They are a closed world: a cmdlet or parameter that is not on
the list is a fault, so nothing newer slips in unseen. Sources: "What's new" of PowerShell 4.0 to 7.0 and the cmdlet pages' "Applies to".
"""

import re
from collections.abc import Iterable, Iterator

import tree_sitter_powershell
from tree_sitter import Language, Node, Parser

_PARSER = Parser(Language(tree_sitter_powershell.language()))

_COMMON = frozenset({"erroraction"})
# cmdlet -> parameters we use, all known to 3.0 and to the modules of Server 2012.
CMDLETS: dict[str, set[str]] = {
    "add-type": {"typedefinition"},
    "convertfrom-json": {"inputobject"},
    "foreach-object": set(),
    "get-childitem": {"path"},
    "get-ciminstance": {"namespace", "classname", "operationtimeoutsec"},
    "get-cluster": set(),
    "get-clusternode": set(),
    "get-disk": {"iscsisession"},
    "get-initiatorport": set(),
    "get-iscsiconnection": {"iscsisession"},
    "get-iscsisession": set(),
    "get-iscsitarget": set(),
    "get-iscsitargetportal": set(),
    "get-mpiosetting": set(),
    "get-msdsmautomaticclaimsettings": set(),
    "get-msdsmglobaldefaultloadbalancepolicy": set(),
    "get-netadapter": {"name", "includehidden"},
    "get-netadapteradvancedproperty": {"name", "allproperties"},
    "get-netadapterbinding": {"name"},
    "get-netadapterchecksumoffload": {"name"},
    "get-netadapterhardwareinfo": {"name"},
    "get-netadapterlso": {"name"},
    "get-netadapterqos": {"name"},
    "get-netadapterrdma": {"name"},
    "get-netadapterrsc": {"name"},
    "get-netadapterrss": {"name"},
    "get-netadapterstatistics": {"name"},
    "get-netipaddress": set(),
    "get-netipinterface": set(),
    "get-netlbfoteam": set(),
    "get-netlbfoteammember": set(),
    "get-netoffloadglobalsetting": set(),
    "get-netqosdcbxsetting": set(),
    "get-netqosflowcontrol": set(),
    "get-netqospolicy": {"policystore"},
    "get-netqostrafficclass": set(),
    "get-netroute": set(),
    "get-nettcpconnection": {"remoteport", "state"},
    "get-nettcpsetting": set(),
    "get-nettransportfilter": set(),
    "get-service": {"name"},
    "get-smbmultichannelconnection": set(),
    "get-storagejob": set(),
    "get-virtualdisk": set(),
    "get-vmnetworkadapter": {"managementos"},
    "get-vmswitch": set(),
    "get-windowsfeature": {"name"},
    "new-object": {"argumentlist"},
    "register-scheduledtask": {"taskname", "xml", "force"},
    "select-object": {"first"},
    "set-strictmode": {"version"},
    "start-scheduledtask": {"taskname"},
    "start-sleep": {"milliseconds"},
    "unregister-scheduledtask": {"taskname", "confirm"},
    "where-object": set(),
}
# What changes a host, and what only the runner reads: never in the agent.
CHANGING: dict[str, set[str]] = {
    "get-netadapterstatistics": {"name"},
    "invoke-cimmethod": {"inputobject", "methodname", "arguments"},
    "new-netqospolicy": {"name", "netdirectportmatchcondition", "priorityvalue"},
    "new-netqostrafficclass": {"name", "algorithm", "bandwidthpercentage", "priority"},
    "new-nettransportfilter": {
        "settingname", "protocol", "localportstart", "localportend", "remoteportstart", "remoteportend", "destinationprefix",
    },
    "remove-netqospolicy": {"name", "confirm"},
    "remove-netqostrafficclass": {"name", "confirm"},
    "remove-nettransportfilter": {"inputobject", "confirm"},
    # The one row that was compared, never a name: `*` in a name or keyword is a wildcard, and two adapters may swap names.
    "enable-netadapter": {"inputobject"},
    "restart-netadapter": {"inputobject"},
    "set-msdsmglobaldefaultloadbalancepolicy": {"policy"},
    "set-netadapteradvancedproperty": {"inputobject", "registryvalue", "norestart"},
    "set-netadapterbinding": {"inputobject", "enabled"},
    "set-netoffloadglobalsetting": {
        "receivesidescaling", "receivesegmentcoalescing", "taskoffload", "networkdirect", "chimney",
    },
    "set-netqosdcbxsetting": {"willing", "confirm"},
    "set-netqospolicy": {"name", "netdirectportmatchcondition", "priorityvalue"},
    # 2012 has no DelayedAckFrequency: `not_on` of runner-settings.yaml keeps it from being asked for there.
    "set-nettcpsetting": {"settingname", "autotuninglevellocal", "delayedackfrequency"},
}  # fmt: skip
CMDLETS |= CHANGING
CMDLETS["get-nettcpsetting"] = {"settingname"}
# Newer than Server 2012: only inside a read (a function `Get-...Read`), whose absence is an answer.
GUARDED: dict[str, set[str]] = {
    "get-clusterstoragespacesdirect": set(),
    "get-vmswitchteam": set(),
    "get-vmnetworkadapterteammapping": {"managementos"},
}
# These cannot fail in a way that an error preference would hide, or take their objects from a pipeline whose source has it.
NO_ERROR_ACTION = frozenset({"foreach-object", "where-object", "select-object", "new-object", "start-sleep", "set-strictmode"})
NEWER_METHODS = frozenset(
    {
        "where", "foreach", "new", "hashdata", "fixedtimeequals", "tohexstring", "fromhexstring", "tounixtimeseconds",
        "tounixtimemilliseconds", "empty", "getvalueordefault",
    }
)  # fmt: skip
NEWER_VARIABLES = frozenset({"$iswindows", "$islinux", "$ismacos", "$iscoreclr"})
NEWER_NODES = {
    "class_statement": "class is 5.0",
    "enum_statement": "enum is 5.0",
    "using_statement": "using is 5.0",
    "pipeline_chain_tail": "&& and || are 7.0",
    "ternary_expression": "the ternary operator is 7.0",
}
PESTER = frozenset({"describe", "context", "it", "should", "mock", "beforeall", "beforeeach", "beforediscovery", "afterall", "aftereach"})


def parse(source: bytes) -> Node:
    """The tree of one file."""
    return _PARSER.parse(source).root_node


def walk(node: Node) -> Iterator[Node]:
    """The node and everything below it, in the order of the text."""
    yield node
    for child in node.children:
        yield from walk(child)


def text_of(node: Node) -> str:
    """The source text of a node."""
    return (node.text or b"").decode("ascii", "replace")


def _fault(node: Node, words: str) -> str:
    return f"line {node.start_point[0] + 1}: {words}"


def parse_faults(source: bytes) -> list[str]:
    """Where the grammar does not understand the text."""
    root = parse(source)
    faults = [_fault(node, f"not PowerShell: {text_of(node)[:60]!r}") for node in walk(root) if node.type == "ERROR" or node.is_missing]
    return faults or (["line 1: not PowerShell"] if root.has_error else [])


def text_faults(source: bytes) -> list[str]:
    """Bytes that do not belong: not ASCII, tabs, CRLF, blanks at a line's end, no line end at the end."""
    faults = []
    for number, line in enumerate(source.split(b"\n"), start=1):
        if any(byte > 126 for byte in line):
            faults.append(f"line {number}: not pure ASCII")
        if b"\t" in line or b"\r" in line or line != line.rstrip():
            faults.append(f"line {number}: a tab, a carriage return or a blank at the end")
        if len(line) > 140:
            faults.append(f"line {number}: longer than 140 characters")
    if not source.endswith(b"\n"):
        faults.append("no line end at the end")
    return faults


def functions_of(source: bytes) -> dict[str, Node]:
    """Function name in lower case -> its node."""
    found = {}
    for node in walk(parse(source)):
        if node.type == "function_statement":
            name = next(child for child in node.children if child.type == "function_name")
            found[text_of(name).lower()] = node
    return found


def _commands(root: Node) -> Iterator[tuple[Node, str, list[tuple[str, str]]]]:
    """Every command with a plain name: node, name in lower case, and its parameters with what follows each."""
    for node in walk(root):
        if node.type != "command":
            continue
        name = next((child for child in node.children if child.type == "command_name"), None)
        if name is None:
            continue
        elements = next((child for child in node.children if child.type == "command_elements"), None)
        parts = [child for child in (elements.children if elements else []) if child.type != "command_argument_sep"]
        parameters = []
        for at, part in enumerate(parts):
            if part.type == "command_parameter":
                follower = text_of(parts[at + 1]) if at + 1 < len(parts) else ""
                parameters.append((text_of(part).lstrip("-").split(":")[0].lower(), follower))
        yield node, text_of(name).lower(), parameters


def _is_in_read(node: Node) -> bool:
    """In the script block of a read: a member of the dictionary that a function `Get-...Read` answers."""
    above, is_in_block = node.parent, False
    while above is not None:
        is_in_block = is_in_block or above.type == "script_block_expression"
        if above.type == "function_statement":
            name = next(child for child in above.children if child.type == "function_name")
            return is_in_block and re.fullmatch(r"get-\w+read", text_of(name).lower()) is not None
        above = above.parent
    return False


def syntax_faults(source: bytes, own_functions: Iterable[str]) -> list[str]:
    """What 3.0 does not know or the house does not want: aliases, cmdlets, parameters, methods, operators, variables."""
    root = parse(source)
    own = {name.lower() for name in own_functions}
    faults = []
    for node, name, parameters in _commands(root):
        if name in own:
            continue
        allowed = CMDLETS.get(name)
        if allowed is None and name in GUARDED:
            allowed = GUARDED[name]
            if not _is_in_read(node):
                faults.append(_fault(node, f"{name} is newer than Server 2012 and stands outside a read"))
        if allowed is None:
            faults.append(_fault(node, f"{name}: an alias, or a cmdlet that 3.0 or the house does not know"))
            continue
        faults += [_fault(node, f"{name} -{one}: a parameter not known to 3.0") for one, _ in parameters if one not in allowed | _COMMON]
        action = dict(parameters).get("erroraction")
        if name not in NO_ERROR_ACTION and action != "Stop":
            faults.append(_fault(node, f"{name} without -ErrorAction Stop"))
        if action is not None and action != "Stop":
            faults.append(_fault(node, f"{name} hides its errors"))
    for node in walk(root):
        if node.type in NEWER_NODES:
            faults.append(_fault(node, NEWER_NODES[node.type]))
        elif node.type == "invokation_expression":
            member = next((child for child in node.children if child.type == "member_name"), None)
            if member is not None and text_of(member).lower() in NEWER_METHODS:
                faults.append(_fault(node, f".{text_of(member)}() is newer than 3.0 or .NET 4.5"))
        elif node.type == "variable" and text_of(node).lower() in NEWER_VARIABLES:
            faults.append(_fault(node, f"{text_of(node)} is 6.0"))
        elif node.type == "expandable_string_literal" and re.search(r"`[ue]", text_of(node)):
            faults.append(_fault(node, "an escape that is 6.0"))
        elif node.type in ("merging_redirection_operator", "file_redirection_operator") and text_of(node).startswith("6"):
            faults.append(_fault(node, "stream 6 is 5.0"))
    return faults


def test_file_faults(source: bytes, own_functions: Iterable[str]) -> list[str]:
    """For Pester files, which run on PowerShell 7: no alias, and nothing that would end the run or hide."""
    own = {name.lower() for name in own_functions} | PESTER
    faults = []
    for node, name, _ in _commands(parse(source)):
        if name not in own and not re.fullmatch(r"[a-z]+-[a-z]+", name):
            faults.append(_fault(node, f"{name}: an alias"))
        if name in ("write-host", "invoke-expression"):
            faults.append(_fault(node, f"{name} is not wanted"))
    return faults


def embedded_scripts(source: bytes) -> list[bytes]:
    """PowerShell inside here-strings: what begins with `param(`."""
    scripts = []
    for node in walk(parse(source)):
        if node.type == "verbatim_here_string_characters":
            inner = text_of(node).removeprefix("@'\n").removesuffix("\n'@")
            if inner.startswith("param("):
                scripts.append(inner.encode("ascii") + b"\n")
    return scripts


# Variables that PowerShell itself sets.
AUTOMATIC = frozenset(
    {"_", "args", "false", "null", "true", "input", "matches", "myinvocation", "psscriptroot", "psversiontable", "erroractionpreference"}
    | {"progresspreference", "pscmdlet", "this"}
)


def _variable_name(node: Node) -> str:
    """`$Name` in lower case without its sign; empty for one of another scope or drive (`$script:`, `$global:`, `$env:`)."""
    name = text_of(node).lstrip("$@").strip("{}").lower()
    return "" if ":" in name else name


def _assigned(function: Node) -> set[str]:
    """Every plain variable that a function sets: parameters, assignments, loop variables, [ref] targets."""
    names: set[str] = set()
    for node in walk(function):
        if node.type == "script_parameter":
            names.update(_variable_name(child) for child in node.children if child.type == "variable")
        elif node.type in ("left_assignment_expression", "foreach_statement"):
            first = next((child for child in walk(node) if child.type == "variable"), None)
            if first is not None:
                names.add(_variable_name(first))
    return names


def unset_variable_faults(source: bytes) -> list[str]:
    """Variables that a function reads and neither it nor a function inside it ever sets: strict mode would throw when it gets there."""
    faults = []
    for name, function in functions_of(source).items():
        known = _assigned(function) | AUTOMATIC | {""}
        for node in walk(function):
            if node.type == "variable" and _variable_name(node) not in known:
                faults.append(_fault(node, f"{name}: {text_of(node)} is never set"))
    return faults


def _parameters(function: Node) -> list[str]:
    """Names of a function's parameters, in order."""
    block = next((node for node in walk(function) if node.type == "param_block"), None)
    if block is None:
        return []
    found = []
    for node in walk(block):
        if node.type == "script_parameter":
            found.append(next(_variable_name(child) for child in node.children if child.type == "variable"))
    return found


def argument_faults(source: bytes, functions: dict[str, Node]) -> list[str]:
    """Calls of our own functions with more arguments, or other names, than they have parameters."""
    faults = []
    for node, name, parameters in _commands(parse(source)):
        if name not in functions:
            continue
        known = _parameters(functions[name])
        elements = next((child for child in node.children if child.type == "command_elements"), None)
        # What follows without a blank belongs to the argument before it: the grammar splits `$x.Method(1)` in two.
        parts = elements.children if elements else []
        given = [
            part
            for at, part in enumerate(parts)
            if part.type not in ("command_argument_sep", "redirection") and (at == 0 or parts[at - 1].type == "command_argument_sep")
        ]
        if len(given) > len(known) + len(parameters):
            faults.append(_fault(node, f"{name}: {len(given)} arguments for {len(known)} parameters"))
        faults += [_fault(node, f"{name} has no -{one}") for one, _ in parameters if one not in known]
    return faults


def wrapped_list_faults(source: bytes, functions: dict[str, Node]) -> list[str]:
    """`@(Name ...)` around a function that returns its list whole (`return , $list`): the list would become one item of a list."""
    whole = {name for name, function in functions.items() if re.search(r"(?m)^\s*return , ", text_of(function))} - {"get-value"}
    faults = []
    for node in walk(parse(source)):
        if node.type != "array_expression":
            continue
        first = re.match(r"@\(\s*([A-Za-z]+-[A-Za-z0-9]+)", text_of(node))
        if first and first.group(1).lower() in whole and "|" not in text_of(node):
            faults.append(_fault(node, f"@( ) around {first.group(1)}, which returns its list whole"))
    return faults
