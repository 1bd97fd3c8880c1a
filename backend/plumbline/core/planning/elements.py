"""From one chosen finding to the elements that would put it right, or the reason why none may.

Most settings are written where they are read. The rest go by the platform's own way. Windows: delayed ACK of iSCSI by registry (2012)
or transport filter (later), the receive window by template, bindings one by one, QoS policies and classes whole. ESXi: the frame size of
an adapter is that of its virtual switch, and an interface needs its switch first.
"""

from collections.abc import Callable
from dataclasses import dataclass

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, SettingValue, Subject
from plumbline.core.planning.element_builder import Draft, Maker
from plumbline.core.planning.inputs import Chosen, HostFacts
from plumbline.core.planning.plan import ABSENT, setting_text
from plumbline.core.planning.refusals import ByHand, NotPlanned, Refused, leave_to_people, refuse
from plumbline.core.planning.runner_settings import RunnerSettings

_REGISTRY_RELEASE = "2012"
_ONE_LEVEL_RELEASES = ("2012", "2012r2")
_TEMPLATES = ("DatacenterCustom", "InternetCustom", "Datacenter", "Internet")
_SAN_TEMPLATE = "DatacenterCustom"
# Every TCP connection to the iSCSI port, wherever the portal is.
_SAN_FILTER = Subject("transport_filter", "TCP,0-65535,3260-3260,*")
# Roles whose adapters may need what is bound to them: that is left to people.
_SHARED_ROLES = ("s2d_storage", "management")
_DELAYED_ACK = "host.tcp.delayed_ack_iscsi"
_AUTO_TUNING = "host.tcp.auto_tuning"


@dataclass(frozen=True, slots=True)
class _Asked:
    """One setting of a fix: its key in the catalogue, whose it is, and the value it should have."""

    key: str
    subject: Subject
    target: SettingValue


def drafts_of(host: HostFacts, chosen: Chosen, settings: RunnerSettings) -> list[Draft] | Refused | ByHand:
    """All elements of one finding's fix. One that cannot be made leaves the whole finding out: half a fix is none."""
    fix = chosen.rule.fix
    if fix.is_manual:
        return ByHand(fix.because, fix.manual_steps)
    maker = Maker(host, chosen, settings)
    found: list[Draft] = []
    try:
        for wanted in fix.set:
            asked = _Asked(wanted.key, maker.subject(wanted.key), maker.target(wanted.key, wanted.to, wanted.fallback))
            maker.known(asked.subject, BY_KEY[asked.key].name)
            way = _WAYS.get((maker.platform, asked.key), _plain)
            found.extend(way(maker, asked))
    except NotPlanned as reason:
        return reason.why
    return found


def _plain(maker: Maker, asked: _Asked) -> list[Draft]:
    return [maker.plain(asked.key, asked.subject, asked.target)]


def _delayed_ack(maker: Maker, asked: _Asked) -> list[Draft]:
    if asked.target != "disabled":
        leave_to_people(
            "only switching it off is automated", "Take away what switched it off: the registry value, or the transport filter."
        )
    held = maker.configuration
    if maker.host.release == _REGISTRY_RELEASE:
        san = [one for one in held.subjects("adapter") if held.value(one, "role") == "san_iscsi"]
        return [maker.plain("adapter.delayed_ack_registry", adapter, "disabled") for adapter in san]
    covering = [one for one in held.subjects("transport_filter") if held.value(one, "covers_iscsi") is True]
    named = sorted({str(held.value(one, "template")) for one in covering} & set(_TEMPLATES))
    found = []
    for name in named or [_SAN_TEMPLATE]:
        template = Subject("tcp_template", name)
        seen = setting_text(maker.known(template, "delayed_ack_frequency").value)
        # 1: every segment is acknowledged at once.
        found.append(maker.draft("tcp_template.delayed_ack_frequency", template, seen, "1", "disabled", _DELAYED_ACK))
    if not named:
        found.append(maker.draft("transport_filter.template", _SAN_FILTER, ABSENT, _SAN_TEMPLATE, "disabled", _DELAYED_ACK))
    return found


def _auto_tuning(maker: Maker, asked: _Asked) -> list[Draft]:
    held = maker.configuration
    if held.value(HOST, "tcp.auto_tuning_from") == "group_policy":
        told = "group policy decides the receive window of this host, and would put its value back"
        refuse("group_policy", HOST.address("tcp.auto_tuning_from"), told, "gpresult /r /scope computer")
    if maker.host.release in _ONE_LEVEL_RELEASES:
        return _plain(maker, asked)
    used = held.value(HOST, "tcp.san_template")
    setting = maker.setting("tcp_template.auto_tuning")
    found = []
    for name in [used] if used in _TEMPLATES else _TEMPLATES:
        template = Subject("tcp_template", str(name))
        now = held.value(template, "auto_tuning")
        if now is not None and now != asked.target:
            seen, becomes = (setting.words.get(setting_text(value), setting_text(value)) for value in (now, asked.target))
            found.append(maker.draft("tcp_template.auto_tuning", template, seen, becomes, asked.target, _AUTO_TUNING))
    if not found:
        command = "Get-NetTCPConnection -RemotePort 3260 | Select-Object AppliedSetting"
        refuse("facts_known", HOST.address("tcp.san_template"), "the template that the SAN's connections get is not known", command)
    return found


def _bindings(maker: Maker, asked: _Asked) -> list[Draft]:
    if maker.configuration.value(asked.subject, "role") in _SHARED_ROLES:
        step = "Ask the host's owner which of the bound services this adapter needs."
        leave_to_people("SMB, Storage Spaces Direct or management may need what is bound to this adapter", step)
    held = maker.known(asked.subject, "bindings").value
    now, wanted = ({str(one) for one in (value if isinstance(value, tuple) else (value,))} for value in (held, asked.target))
    found = []
    for component in sorted(now ^ wanted):
        one = f"adapter.binding.{component}"
        if maker.settings.get(maker.platform, one) is None:
            leave_to_people(f"{component} is bound for a reason that only a person knows", f"Ask the host's owner about {component}.")
        seen, becomes = ("False", "True") if component in wanted else ("True", "False")
        found.append(maker.draft(one, asked.subject, seen, becomes, tuple(sorted(wanted)), asked.key))
    return found


def _whole(of: str, names: tuple[str, ...]) -> "_Way":
    """A policy or a class is written whole: its parts joined by `:`, the one that is asked for replaced."""

    def way(maker: Maker, asked: _Asked) -> list[Draft]:
        held = {name: maker.known(asked.subject, name).value for name in names}
        wanted = {**held, BY_KEY[asked.key].name: asked.target}
        seen, becomes = (":".join(setting_text(values[name]) for name in names) for values in (held, wanted))
        return [maker.draft(of, asked.subject, seen, becomes, asked.target, asked.key)]

    return way


def _adapter_mtu(maker: Maker, asked: _Asked) -> list[Draft]:
    name = maker.known(asked.subject, "vswitch").value
    if not name:
        told = f"{maker.host.name_of(asked.subject)} is on no virtual switch, where its frame size would be set"
        refuse("facts_known", asked.subject.address("vswitch"), told, "esxcli network vswitch standard list")
    return [_switch_mtu(maker, Subject("vswitch", str(name)), asked.target)]


def _switch_mtu(maker: Maker, switch: Subject, target: SettingValue) -> Draft:
    if maker.known(switch, "type").value == "distributed":
        step = f"In vCenter set the MTU of {switch.id} to {setting_text(target)}, after the physical switches."
        leave_to_people("a distributed switch is set in vCenter, for all its hosts at once", step)
    return maker.plain("vswitch.mtu", switch, target)


def _vmk_mtu(maker: Maker, asked: _Asked) -> list[Draft]:
    """The interface, and its switch before it where that carries less: outside in."""
    switch = Subject("vswitch", str(maker.known(asked.subject, "vswitch").value))
    carried = maker.known(switch, "mtu").value
    is_short = isinstance(carried, int) and isinstance(asked.target, int) and carried < asked.target
    return [*([_switch_mtu(maker, switch, asked.target)] if is_short else []), *_plain(maker, asked)]


_Way = Callable[[Maker, _Asked], list[Draft]]

_POLICY = _whole("qos_policy.rule", ("net_direct_port", "priority"))
_CLASS = _whole("qos_class.share", ("algorithm", "bandwidth_percent", "priorities"))
_WAYS: dict[tuple[str, str], _Way] = {
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
