"""From one chosen finding to the elements that would fix it, or the reason why none may.

Most settings are written where they are read. The rest depend on the platform. Windows: delayed ACK of iSCSI by registry (2012)
or transport filter (later), the receive window by template, bindings one by one, QoS policies and classes whole. ESXi: the frame size of
an adapter is that of its virtual switch, and an interface needs its switch first.
"""

from collections.abc import Callable
from dataclasses import dataclass

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Platform, SettingValue, Subject, setting_text
from plumbline.core.planning.element_builder import Draft, ElementBuilder
from plumbline.core.planning.inputs import Chosen, HostFacts
from plumbline.core.planning.plan import ABSENT
from plumbline.core.planning.refusals import ManualOnly, NotPlanned, Refused, leave_manual, refuse
from plumbline.core.planning.runner_settings import RunnerSettings

_REGISTRY_RELEASE = "2012"
_ONE_LEVEL_RELEASES = ("2012", "2012r2")
_TEMPLATES = ("DatacenterCustom", "InternetCustom", "Datacenter", "Internet")
_SAN_TEMPLATE = "DatacenterCustom"
# Templates that 2012 R2 does not let anyone edit; later releases do.
_FIXED_ON_2012_R2 = ("Datacenter", "Internet")
# Every TCP connection to the iSCSI port, wherever the portal is.
_SAN_FILTER = Subject("transport_filter", "TCP,0-65535,3260-3260,*")
# Roles whose adapters may need what is bound to them: a person decides.
_SHARED_ROLES = ("s2d_storage", "management")
_DELAYED_ACK = "host.tcp.delayed_ack_iscsi"
_AUTO_TUNING = "host.tcp.auto_tuning"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """One setting of a fix: its key in the catalogue, its item, and its required value."""

    key: str
    subject: Subject
    target: SettingValue


def drafts_of(host: HostFacts, chosen: Chosen, settings: RunnerSettings) -> list[Draft] | Refused | ManualOnly:
    """All elements of one finding's fix. One that cannot be made leaves the whole finding out: half a fix is none."""
    fix = chosen.fix
    if fix.is_manual:
        return ManualOnly(fix.because, fix.manual_steps)
    builder = ElementBuilder(host, chosen, settings)
    found: list[Draft] = []
    try:
        for setting in fix.set:
            wanted = _Wanted(setting.key, builder.subject(setting.key), builder.target(setting.key, setting.to, setting.fallback))
            builder.known(wanted.subject, BY_KEY[wanted.key].name)
            method = _METHODS.get((builder.platform, wanted.key), _plain)
            found.extend(method(builder, wanted))
    except NotPlanned as reason:
        return reason.why
    return found


def _plain(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    return [builder.plain(wanted.key, wanted.subject, wanted.target)]


def _delayed_ack(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    if wanted.target != "disabled":
        leave_manual("only disabling is automated", "Remove the registry value or transport filter that disables it.")
    held = builder.configuration
    if builder.host.release == _REGISTRY_RELEASE:
        san = [one for one in held.subjects("adapter") if held.value(one, "role") == "san_iscsi"]
        return [builder.plain("adapter.delayed_ack_registry", adapter, "disabled") for adapter in san]
    # Refuses where the release is not known: 2012 has no such field.
    builder.setting("tcp_template.delayed_ack_frequency")
    covering = [one for one in held.subjects("transport_filter") if held.value(one, "covers_iscsi") is True]
    named = sorted({str(held.value(one, "template")) for one in covering} & set(_TEMPLATES))
    fixed = [name for name in named if name in _FIXED_ON_2012_R2]
    if fixed and builder.host.release == "2012r2":
        step = f"Replace the transport filter of template {fixed[0]} by one of template {_SAN_TEMPLATE}, then plan again."
        leave_manual(f"Windows Server 2012 R2 does not let the template {fixed[0]} be edited", step)
    found = []
    for name in named or [_SAN_TEMPLATE]:
        template = Subject("tcp_template", name)
        seen = setting_text(builder.known(template, "delayed_ack_frequency").value)
        # 1: every segment is acknowledged at once.
        found.append(builder.draft("tcp_template.delayed_ack_frequency", template, seen, "1", "disabled", _DELAYED_ACK))
    if not named:
        found.append(builder.draft("transport_filter.template", _SAN_FILTER, ABSENT, _SAN_TEMPLATE, "disabled", _DELAYED_ACK))
    return found


def _auto_tuning(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    held = builder.configuration
    if held.value(HOST, "tcp.auto_tuning_from") == "group_policy":
        text = "Group Policy sets the receive window and would overwrite the change"
        refuse("group_policy", HOST.address("tcp.auto_tuning_from"), text, "gpresult /r /scope computer")
    if builder.host.release in _ONE_LEVEL_RELEASES:
        return _plain(builder, wanted)
    used = held.value(HOST, "tcp.san_template")
    setting = builder.setting("tcp_template.auto_tuning")
    found = []
    for name in [used] if used in _TEMPLATES else _TEMPLATES:
        template = Subject("tcp_template", str(name))
        now = held.value(template, "auto_tuning")
        if now is not None and now != wanted.target:
            seen, becomes = (setting.words.get(setting_text(value), setting_text(value)) for value in (now, wanted.target))
            found.append(builder.draft("tcp_template.auto_tuning", template, seen, becomes, wanted.target, _AUTO_TUNING))
    if not found:
        command = "Get-NetTCPConnection -RemotePort 3260 | Select-Object AppliedSetting"
        refuse("facts_known", HOST.address("tcp.san_template"), "TCP template of SAN connections unknown", command)
    return found


def _bindings(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    if builder.configuration.value(wanted.subject, "role") in _SHARED_ROLES:
        step = "Ask the host owner which bindings this adapter needs."
        leave_manual("SMB, Storage Spaces Direct or management may need these bindings", step)
    current = builder.known(wanted.subject, "bindings").value
    now, then = ({str(one) for one in (value if isinstance(value, tuple) else (value,))} for value in (current, wanted.target))
    found = []
    for component in sorted(now ^ then):
        key = f"adapter.binding.{component}"
        if builder.settings.get(builder.platform, key) is None:
            leave_manual(f"someone must confirm that {component} is not needed", f"Ask the host owner about {component}.")
        seen, becomes = ("False", "True") if component in then else ("True", "False")
        found.append(builder.draft(key, wanted.subject, seen, becomes, tuple(sorted(then)), wanted.key))
    return found


def _whole(of: str, names: tuple[str, ...]) -> "_Method":
    """A policy or a class is written whole: its parts joined by `:`, the wanted one replaced."""

    def method(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
        now = {name: builder.known(wanted.subject, name).value for name in names}
        then = {**now, BY_KEY[wanted.key].name: wanted.target}
        seen, becomes = (":".join(setting_text(values[name]) for name in names) for values in (now, then))
        return [builder.draft(of, wanted.subject, seen, becomes, wanted.target, wanted.key)]

    return method


def _adapter_mtu(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    name = builder.known(wanted.subject, "vswitch").value
    if not name:
        text = f"{builder.host.name_of(wanted.subject)} is not on a virtual switch, where its MTU is set"
        refuse("facts_known", wanted.subject.address("vswitch"), text, "esxcli network vswitch standard list")
    return [_switch_mtu(builder, Subject("vswitch", str(name)), wanted.target)]


def _switch_mtu(builder: ElementBuilder, switch: Subject, target: SettingValue) -> Draft:
    if builder.known(switch, "type").value == "distributed":
        step = f"In vCenter, set the MTU of {switch.id} to {setting_text(target)} after the physical switches."
        leave_manual("distributed switches are configured in vCenter for all hosts", step)
    return builder.plain("vswitch.mtu", switch, target)


def _vmk_mtu(builder: ElementBuilder, wanted: _Wanted) -> list[Draft]:
    """The interface, and its switch before it where that carries less: outside in."""
    switch = Subject("vswitch", str(builder.known(wanted.subject, "vswitch").value))
    carried = builder.known(switch, "mtu").value
    is_short = isinstance(carried, int) and isinstance(wanted.target, int) and carried < wanted.target
    return [*([_switch_mtu(builder, switch, wanted.target)] if is_short else []), *_plain(builder, wanted)]


_Method = Callable[[ElementBuilder, _Wanted], list[Draft]]

_POLICY = _whole("qos_policy.rule", ("net_direct_port", "priority"))
_CLASS = _whole("qos_class.share", ("algorithm", "bandwidth_percent", "priorities"))
_METHODS: dict[tuple[str, str], _Method] = {
    ("windows", _DELAYED_ACK): _delayed_ack,
    ("windows", _AUTO_TUNING): _auto_tuning,
    ("windows", "adapter.bindings"): _bindings,
    ("windows", "qos_policy.priority"): _POLICY,
    ("windows", "qos_policy.net_direct_port"): _POLICY,
    ("windows", "qos_class.algorithm"): _CLASS,
    ("windows", "qos_class.bandwidth_percent"): _CLASS,
    ("windows", "qos_class.priorities"): _CLASS,
    ("esxi", "adapter.mtu"): _adapter_mtu,
    ("esxi", "vnic.mtu"): _vmk_mtu,
}


def is_settable(platform: Platform, key: str, settings: RunnerSettings) -> bool:
    """A step may set this setting on this platform, if the host and its values allow it."""
    return (platform, key) in _METHODS or (key in BY_KEY and settings.get(platform, key) is not None)
