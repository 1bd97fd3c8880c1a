"""Section `system`: what the machine and its Windows are."""

from plumbline.core.facts.configuration import HOST, Facts, NotOffered, Reading, Unknown, Value
from plumbline.core.facts.windows.reads import Body, as_bool, as_int, as_text, choice, on_off, registry_value, why_not_whole

# First build of each release that has a server edition in long-term servicing; builds between belong to the one before.
RELEASES: tuple[tuple[int, str, str], ...] = (
    (26100, "2025", "Windows Server 2025"),
    (20348, "2022", "Windows Server 2022"),
    (17763, "2019", "Windows Server 2019"),
    (14393, "2016", "Windows Server 2016"),
    (9600, "2012r2", "Windows Server 2012 R2"),
    (9200, "2012", "Windows Server 2012"),
)
# Locale ids of Windows' own list; only for showing the language on the host page.
_LANGUAGES = {
    1028: "zh-TW", 1029: "cs-CZ", 1031: "de-DE", 1033: "en-US", 1034: "es-ES", 1036: "fr-FR", 1038: "hu-HU", 1040: "it-IT", 1041: "ja-JP",
    1042: "ko-KR", 1043: "nl-NL", 1045: "pl-PL", 1046: "pt-BR", 1049: "ru-RU", 1053: "sv-SE", 1055: "tr-TR", 2052: "zh-CN", 2057: "en-GB",
    2070: "pt-PT", 3082: "es-ES",
}  # fmt: skip
_WORKSTATION = 1
_WITHOUT_S2D = ("2012", "2012r2")
# ClusterNodeState of the failover clustering module, by name and by number.
_NODE_STATE = choice(
    {"up": "up", "0": "up", "down": "down", "1": "down", "paused": "paused", "2": "paused", "joining": "joining", "3": "joining"}
)


def parse(body: Body) -> Facts:
    """Settings of the host itself."""
    facts = body.facts
    facts.set_value(HOST, "platform", "windows", body.source("Win32_OperatingSystem", "Caption", "Windows"))
    _release(body)
    body.set_from_row(
        HOST,
        {"name": ("Name", as_text), "domain": ("Domain", as_text), "manufacturer": ("Manufacturer", as_text), "model": ("Model", as_text)},
        "Win32_ComputerSystem",
    )
    _features(body)
    _cluster(body)
    _pending(body)
    _products(body)
    return facts


def _release(body: Body) -> None:
    system = "Win32_OperatingSystem"
    body.set_from_row(HOST, {"os_version": ("Version", as_text), "language": ("OSLanguage", _language)}, system)
    row = body.first(system) or {}
    command, field, raw = system, "BuildNumber", row.get("BuildNumber")
    if raw is None:
        command, field, raw = "registry:CurrentVersion", "CurrentBuild", (body.first("registry:CurrentVersion") or {}).get("CurrentBuild")
    build = as_int(registry_value(raw))
    if build is None:
        unknown = body.missing(command, field)
        for key in ("os_build", "os_release", "os_name"):
            body.facts.set(HOST, key, unknown)
        return
    source = body.source(command, field, raw)
    body.facts.set_value(HOST, "os_build", build, source)
    if as_int(row.get("ProductType")) == _WORKSTATION:
        body.facts.set(HOST, "os_release", Unknown("unsupported Windows client edition", source))
        body.facts.set_value(HOST, "os_name", "Windows (client edition)", source)
        return
    for first, release, name in RELEASES:
        if build >= first:
            body.facts.set_value(HOST, "os_release", release, source)
            body.facts.set_value(HOST, "os_name", name, source)
            return
    body.facts.set(HOST, "os_release", Unknown(f"build {build} is older than Windows Server 2012 (unsupported)", source))
    body.facts.set(HOST, "os_name", Unknown(f"build {build} is older than Windows Server 2012 (unsupported)", source))


def _language(raw: object) -> str | None:
    number = as_int(raw)
    return None if number is None else _LANGUAGES.get(number, f"LCID {number}")


def _features(body: Body) -> None:
    command = "Get-WindowsFeature"
    read = body.read(command)
    if read.reason and not read.rows:
        body.facts.set(HOST, "features", Unknown(read.reason, body.source(command, "InstallState")))
        return
    states = {(as_text(row.get("Name")) or "").lower(): as_text(row.get("InstallState")) or "" for row in read.rows}
    installed = sorted(
        as_text(row.get("Name")) or "" for row in read.rows if (as_text(row.get("InstallState")) or "").lower() == "installed"
    )
    source = body.source(command, "InstallState")
    why_not = why_not_whole(read)
    whole: Reading = Unknown(why_not, source) if why_not else Value(tuple(name for name in installed if name), source)
    body.facts.set(HOST, "features", whole)
    body.facts.observations["features"] = {name: state.lower() == "installed" for name, state in states.items() if name}
    if "multipath-io" in states:
        state = states["multipath-io"]
        body.facts.set_value(HOST, "mpio.installed", state.lower() == "installed", body.source(command, "InstallState", state))


def _cluster(body: Body) -> None:
    has_feature = _feature(body, "failover-clustering")
    read = body.read("Get-Cluster")
    source = body.source("Get-Cluster", "Name")
    cluster: Reading
    clustered: Reading
    if read.rows or not read.reason:
        name = (as_text(read.rows[0].get("Name")) or "") if read.rows else ""
        cluster, clustered = Value(name, source), Value(bool(name), source)
    elif has_feature is False:
        cluster, clustered = Value("", source), Value(False, source)
    else:
        cluster = clustered = Unknown(read.reason, source)
    body.facts.set(HOST, "cluster", cluster)
    body.facts.set(HOST, "is_clustered", clustered)
    _nodes(body, clustered)

    command = "Get-ClusterStorageSpacesDirect"
    direct = body.read(command)
    if direct.rows:
        body.facts.set(HOST, "s2d", body.reading(command, direct.rows[0], "State", on_off))
    elif not direct.reason or (direct.is_unavailable and isinstance(clustered, Value) and not clustered.value):
        body.facts.set_value(HOST, "s2d", "disabled", body.source(command, "State"))
    elif direct.is_unavailable and _release_of(body) in _WITHOUT_S2D:
        body.facts.set(HOST, "s2d", NotOffered("this release has no Storage Spaces Direct", body.source(command, "State")))
    else:
        # A cmdlet that is missing on a later release is a tool that was not installed, and proves nothing about the cluster.
        body.facts.set(HOST, "s2d", Unknown(direct.reason, body.source(command, "State")))


def _nodes(body: Body, clustered: Reading) -> None:
    """Whether this node is up or paused, and whether every other one is up. Names of nodes are NetBIOS names, so case does not count."""
    command = "Get-ClusterNode"
    source = body.source(command, "State")
    if isinstance(clustered, Value) and not clustered.value:
        alone = NotOffered("not in a cluster", source)
        body.facts.set(HOST, "cluster_node", alone)
        body.facts.set(HOST, "cluster_others_up", alone)
        return
    read = body.read(command)
    name = body.facts.readings.get(HOST, {}).get("name")
    states = {(as_text(row.get("Name")) or "").lower(): _NODE_STATE(row.get("State")) for row in read.rows}
    mine = str(name.value).lower() if isinstance(name, Value) else ""
    if mine not in states or None in states.values():
        why = read.reason or (f"{command} does not list this host" if mine not in states else "the state of a node is not understood")
        for key in ("cluster_node", "cluster_others_up"):
            body.facts.set(HOST, key, Unknown(why, source))
        return
    listed = body.source(command, "State", ", ".join(f"{node}: {state}" for node, state in states.items()))
    body.facts.set_value(HOST, "cluster_node", str(states.pop(mine)), listed)
    all_up = all(state == "up" for state in states.values())
    # One node that is down is enough; that all are up takes the whole list.
    body.facts.set(HOST, "cluster_others_up", Unknown(read.reason, listed) if read.reason and all_up else Value(all_up, listed))


def _release_of(body: Body) -> object:
    release = body.facts.readings.get(HOST, {}).get("os_release")
    return release.value if isinstance(release, Value) else None


def _feature(body: Body, name: str) -> bool | None:
    features = body.facts.observations.get("features")
    return features.get(name) if isinstance(features, dict) else None


def _pending(body: Body) -> None:
    debugger = "registry:KernelDebugger"
    row = body.first(debugger)
    if row is None:
        body.facts.set(HOST, "kernel_debugger", body.missing(debugger, "DebuggerEnabled"))
    else:
        raw = row.get("DebuggerEnabled")
        body.facts.set_value(HOST, "kernel_debugger", _is_set(raw), body.source(debugger, "DebuggerEnabled", registry_value(raw)))
        body.facts.observations["flow_control_allowed_under_debugger"] = _is_set(row.get("AllowFlowControlUnderDebugger"))
    pending = "registry:PendingReboot"
    row = body.first(pending)
    if row is None:
        body.facts.set(HOST, "pending_reboot", body.missing(pending, "ComponentBasedServicing"))
        return
    because = [field for field in ("ComponentBasedServicing", "WindowsUpdate", "FileRenames") if _is_set(row.get(field))]
    body.facts.set_value(HOST, "pending_reboot", bool(because), body.source(pending, ", ".join(because) or "ComponentBasedServicing", row))


def _is_set(raw: object) -> bool:
    value = registry_value(raw)
    if isinstance(value, list):
        return bool(value)
    truth = as_bool(value) if value is not None else False
    return truth if truth is not None else bool(value)


def _products(body: Body) -> None:
    command = "registry:Uninstall"
    read = body.read(command)
    for row in read.rows:
        name = as_text(registry_value(row.get("DisplayName"))) or ""
        # The product's own name, which its vendor does not translate: "EqualLogic Host Integration Tools", "Host Integration Toolkit".
        if "host integration" in name.lower():
            version = as_text(registry_value(row.get("DisplayVersion"))) or "version not reported"
            body.facts.set_value(HOST, "hit_kit", version, body.source(command, "DisplayVersion", f"{name} {version}"))
            return
    source = body.source(command, "DisplayName")
    body.facts.set(HOST, "hit_kit", Unknown(read.reason, source) if read.reason else Value("", source))
