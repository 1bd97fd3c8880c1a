"""Settings of the host's TCP stack that need more than one section: Chimney by release, and what the SAN's sessions get."""

from collections.abc import Iterable
from typing import Any

from plumbline.core.facts.configuration import HOST, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.facts.join import Join
from plumbline.core.facts.windows import tcp
from plumbline.core.facts.windows.link import ADAPTER
from plumbline.core.facts.windows.observations import Observations

_REGISTRY_ONLY = "2012"
_HAS_CHIMNEY = ("2012", "2012r2")
# `Automatic` picks one of these two by latency (BP1057-B appendix B).
_AUTOMATIC = ("datacenter", "internet")


def host_settings(join: Join, observed: Observations) -> None:
    """Chimney, auto-tuning and delayed ACK as they hold for iSCSI."""
    release = join.value("system", HOST, "os_release")
    _chimney(join, release)
    _filters(join)
    templates = _candidates(join, release)
    _template(join)
    _auto_tuning(join, templates)
    _delayed_ack(join, observed, release, templates)
    _multipath(join)
    _bridging(join)


def _chimney(join: Join, release: Any) -> None:
    reading = join.observation("offload", "chimney", None)
    if reading is None:
        return
    if release is not None and release not in _HAS_CHIMNEY:
        # The cmdlet goes on printing the switch after the function is gone (papers.yaml, T6).
        source = reading.source if isinstance(reading, Value | NotOffered | Unknown) else None
        reading = NotOffered("Chimney offload was removed in Windows Server 2016", source)
    join.set(HOST, "tcp.chimney", reading)


def _filters(join: Join) -> None:
    portals = list(join.observation("iscsi", "portals", []))
    for one in join.observation("tcp", "filters", []):
        join.set_value(one.subject, "covers_iscsi", one.covers(portals), Source("tcp", tcp.FILTERS, "RemotePortStart", one.subject.id))


def _candidates(join: Join, release: Any) -> tuple[list[str], Source] | Unknown:
    """The templates that a connection to the SAN may get: of the filters that cover it, the restricted before the unrestricted."""
    reason = join.why_unread("tcp", tcp.FILTERS)
    source = Source("tcp", tcp.FILTERS, "SettingName")
    if reason:
        # Where Server 2012 has templates and no filters, every connection falls to the automatic choice.
        has_none = release == _REGISTRY_ONLY and tcp.FILTERS in join.observation("tcp", "unavailable_reads", ())
        return (list(_AUTOMATIC), source) if has_none else Unknown(reason, source)
    portals = list(join.observation("iscsi", "portals", []))
    covering = [one for one in join.observation("tcp", "filters", []) if one.covers(portals)]
    # The default filter, which leaves everything to the automatic choice, gives way to any other.
    custom = [one for one in covering if one.template.lower() != "automatic"]
    chosen = [one for one in custom if not one.is_unrestricted] or custom or covering
    names = sorted({one.template.lower() for one in chosen if one.template})
    if not names:
        return list(_AUTOMATIC), Source("tcp", tcp.FILTERS, "SettingName", "no filter covers port 3260")
    return names, Source("tcp", tcp.FILTERS, "SettingName", "; ".join(f"{one.subject.id} -> {one.template}" for one in chosen))


def _resolved(join: Join, names: Iterable[str]) -> list[str]:
    """The names with `automatic` replaced by the templates that it chooses from, since it has no values of its own."""
    known = join.observation("tcp", "templates", {})
    is_whole = not join.why_unread("tcp", tcp.TEMPLATES)
    found: list[str] = []
    for name in names:
        found.extend([one for one in _AUTOMATIC if one in known or not is_whole] if name == "automatic" else [name])
    return list(dict.fromkeys(found))


def _template(join: Join) -> None:
    """What live connections were given is the best evidence that a filter works."""
    applied = join.observation("tcp", "applied", [])
    live = Source("tcp", tcp.CONNECTIONS, "AppliedSetting", ", ".join(applied))
    broken_off = join.why_unread("tcp", tcp.CONNECTIONS)
    if len(applied) == 1 and broken_off:
        join.set(HOST, "tcp.san_template", Unknown(broken_off, live))
    elif len(applied) == 1:
        join.set_value(HOST, "tcp.san_template", applied[0], live)
    elif applied:
        join.set(HOST, "tcp.san_template", Unknown(f"SAN connections use different templates: {', '.join(applied)}", live))
    else:
        if "tcp" not in join.sections:
            return
        join.set(HOST, "tcp.san_template", Unknown(broken_off or "no iSCSI connection (port 3260) to read it from", live))


def _agreed(join: Join, candidates: tuple[list[str], Source] | Unknown, key: str) -> Reading:
    """One value that all templates in question share."""
    if isinstance(candidates, Unknown):
        return candidates
    names, source = candidates
    known = join.observation("tcp", "templates", {})
    reason = join.why_unread("tcp", tcp.TEMPLATES)
    found: dict[str, Reading] = {}
    for name in _resolved(join, names):
        if name in known:
            found[known[name][0]] = known[name][1].get(key, Unknown("not reported"))
        elif reason:
            return Unknown(reason, source)
    if not found:
        return Unknown(reason or f"template {', '.join(names)} is not among those that {tcp.TEMPLATES} lists", source)
    values = {reading.value if isinstance(reading, Value) else None for reading in found.values()}
    first = next(iter(found.values()))
    if len(values) == 1:
        return first
    listed = ", ".join(f"{name}: {reading.value if isinstance(reading, Value) else 'unknown'}" for name, reading in found.items())
    return Unknown(f"templates that the SAN may get differ: {listed}", source)


def _live_or(join: Join, candidates: tuple[list[str], Source] | Unknown) -> tuple[list[str], Source] | Unknown:
    template = join.current(HOST, "tcp.san_template")
    if isinstance(template, Value) and str(template.value).lower() in join.observation("tcp", "templates", {}):
        return [str(template.value).lower()], template.source
    return candidates


def _auto_tuning(join: Join, candidates: tuple[list[str], Source] | Unknown) -> None:
    from_netsh = join.observation("offload", "auto_tuning", None)
    if from_netsh is not None and "tcp" not in join.sections:
        join.set(HOST, "tcp.auto_tuning", from_netsh)
        return
    if "tcp" not in join.sections:
        return
    chosen = _live_or(join, candidates)
    level = _agreed(join, chosen, "auto_tuning")
    join.set(HOST, "tcp.auto_tuning", level)
    if isinstance(chosen, Unknown) or not isinstance(level, Value):
        join.set(HOST, "tcp.auto_tuning_from", level if not isinstance(level, Value) else Unknown("not reported"))
        return
    decided = join.observation("tcp", "level_from", {})
    sources = {name: decided[name] for name in _resolved(join, chosen[0]) if name in decided}
    values = {reading.value for reading in sources.values() if isinstance(reading, Value)}
    first = next(iter(sources.values()), Unknown("not reported"))
    join.set(HOST, "tcp.auto_tuning_from", first if len(values) <= 1 else Unknown("differs between the templates in question"))


def _delayed_ack(join: Join, observed: Observations, release: Any, candidates: tuple[list[str], Source] | Unknown) -> None:
    """By the release's own mechanism (papers.yaml, T9): the registry on 2012, the template of the filter that covers the SAN afterwards."""
    if "tcp" not in join.sections:
        return
    key = "tcp.delayed_ack_iscsi"
    san = [subject for subject, role in observed.roles.items() if subject.kind == "adapter" and role.role == "san_iscsi"]
    if san and all(subject in observed.hidden for subject in san) and not has_unknown_san(join, observed):
        # BP1057 section 3.4.2: with iSOE the settings of the system's own TCP stack have no effect.
        engines = Source("adapters", "Win32_SCSIController", "PNPDeviceID", ", ".join(subject.id for subject in san))
        join.set(HOST, key, NotOffered("every SAN adapter offloads iSCSI: the system's TCP settings have no effect", engines))
        return
    if release is None:
        join.set(HOST, key, Unknown("the release is not known, and each has its own mechanism"))
        return
    if release == _REGISTRY_ONLY:
        join.set(HOST, key, _by_registry(join, observed, [subject for subject in san if subject not in observed.hidden]))
        return
    frequency = _agreed(join, candidates, "delayed_ack_frequency")
    if not isinstance(frequency, Value):
        join.set(HOST, key, frequency)
        return
    source = candidates[1] if not isinstance(candidates, Unknown) else frequency.source
    by_template = Source(source.section, source.command, source.field, f"{source.raw}; DelayedAckFrequency {frequency.value}")
    join.set_value(HOST, key, "disabled" if frequency.value == 1 else "enabled", by_template)


def _by_registry(join: Join, observed: Observations, san: list[Subject]) -> Reading:
    may_be_more = has_unknown_san(join, observed)
    if not san:
        return Unknown(may_be_more) if may_be_more else NotOffered("no iSCSI adapters on this host")
    found = {subject: join.current(subject, "delayed_ack_registry") for subject in san}
    values = [reading for reading in found.values() if isinstance(reading, Value)]
    raw = ", ".join(f"{subject.id}: {reading.source.raw}" for subject, reading in found.items() if isinstance(reading, Value))
    source = Source("tcp", tcp.REGISTRY, "TcpAckFrequency", raw)
    if any(reading.value == "enabled" for reading in values):
        return Value("enabled", source)
    if len(values) < len(san):
        return Unknown("the registry value of a SAN adapter was not read", source)
    return Unknown(may_be_more, source) if may_be_more else Value("disabled", source)


def has_unknown_san(join: Join, observed: Observations) -> str:
    """Why the host may have SAN adapters besides those that are known; empty where it has none."""
    if not observed.roles:
        return join.why_unread("adapters", ADAPTER) or "no adapter is known"
    unknown = next((role.reason for subject, role in observed.roles.items() if subject.kind == "adapter" and role.may_be_san), "")
    return unknown or join.why_unread("adapters", ADAPTER)


def _bridging(join: Join) -> None:
    """Without the feature there are no such cmdlets, and nothing to be willing about."""
    if join.observation("system", "features", {}).get("data-center-bridging") is not False:
        return
    gone = NotOffered("the feature Data-Center-Bridging is not installed", Source("system", "Get-WindowsFeature", "InstallState"))
    for key in ("qos.dcbx_willing", "qos.pfc_priorities"):
        join.set(HOST, key, gone)


def _multipath(join: Join) -> None:
    """Without the feature its settings are not offered, rather than unread."""
    installed = join.value("system", HOST, "mpio.installed")
    if installed is not False:
        if installed is None and join.observation("mpio", "answers", None) is True:
            join.set_value(HOST, "mpio.installed", True, Source("mpio", "Get-MPIOSetting", "PathVerificationState", "responding"))
        return
    gone = NotOffered("the feature Multipath-IO is not installed", Source("system", "Get-WindowsFeature", "InstallState"))
    for key in (
        "mpio.policy", "mpio.claims_iscsi", "mpio.path_verification", "mpio.path_verification_seconds", "mpio.pdo_remove_seconds",
        "mpio.retry_count", "mpio.retry_interval_seconds", "mpio.disk_timeout_seconds",
    ):  # fmt: skip
        join.set(HOST, key, gone)
