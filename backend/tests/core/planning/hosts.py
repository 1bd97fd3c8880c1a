"""Hosts to plan for: the settings, the path map and the rules that a test is about, the rest filled in."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Configuration, Platform, SettingValue, Source, Subject, Value
from plumbline.core.facts.paths import Path, PathMap, PathState, SessionRoute, Volume
from plumbline.core.planning import runner_settings
from plumbline.core.planning.inputs import Chosen, ClusterState, HostFacts
from plumbline.core.planning.runner_settings import RunnerSettings
from plumbline.core.rules.rule import AppliesTo, Check, Fix, FixSetting, Impact, Rule
from plumbline.infra.resources import SCHEMA
from tests.core.rules.builders import configuration

MACS = ("001018f1c2d0", "001018f1c2d2", "001018f1c2d4", "001018f1c2d6")


@cache
def the_settings() -> RunnerSettings:
    """The list as it is shipped."""
    return runner_settings.parse((SCHEMA / "runner-settings.yaml").read_text("utf-8"))


def raw(value: SettingValue, text: str, section: str = "properties") -> Value:
    """A value with the text in which the host reported it."""
    return Value(value, Source(section, "command", "field", text))


def a_rule(key: str, to: SettingValue | None, rule: str = "", impact: Impact = "adapter_restart", fallback: int | None = None) -> Rule:
    """A rule whose fix sets one setting, on a subject of that setting's kind."""
    kind = BY_KEY[key].kind
    return Rule(
        "pack", rule or f"rule.{key}", "recommended", "title", "summary", "why", kind, AppliesTo(), Check("present", key), impact,
        Fix((FixSetting(key, to, fallback),)),
    )  # fmt: skip


def manual_rule(kind: str = "host") -> Rule:
    """A rule that only a person can put right."""
    check = Check("present", "host.name")
    return Rule("pack", "manual", "recommended", "t", "s", "w", kind, AppliesTo(), check, "none", Fix((), ("Do it.",), "it is theirs"))


def windows_adapter(name: str, **keys: Any) -> dict[str, Any]:
    """A SAN adapter of Windows as its driver reported it, at the paper's defaults."""
    shown = {
        "name": name,
        "role": "san_iscsi",
        "link_up": True,
        "flow_control": raw("off", "0"),
        "receive_buffers": raw(512, "512"),
        "receive_buffers_maximum": 4096,
        "mtu": raw(1500, "1514"),
        "mtu_maximum": 9600,
        "rss": raw("disabled", "False", "offload"),
        "addresses": ["10.1.0.11"],
        "management": False,
        "vswitch": "",
        "team": "",
    }
    return {**shown, **keys}


def windows_host(adapters: Mapping[str, Mapping[str, Any]] | None = None, **host: Any) -> Configuration:
    """A Windows host with two SAN adapters; `host` adds settings of the host, `x` for `.` written `__`."""
    if adapters is None:
        adapters = {MACS[0]: windows_adapter("SAN1"), MACS[1]: windows_adapter("SAN2", addresses=["10.1.0.12"])}
    settings_of_host = {"os_release": "2019", "boot_from_san": False, "is_clustered": False, "s2d": "disabled", "tcp.rss": "disabled"}
    settings_of_host |= {key.replace("__", "."): value for key, value in host.items()}
    return configuration({"host": settings_of_host, **{f"adapter/{mac}": keys for mac, keys in adapters.items()}})


def paths_over(*adapters: str, volumes: Sequence[str] = ("vol-a",), state: PathState = "healthy", each: int = 1) -> tuple[Path, ...]:
    """Paths of each volume over each adapter; their source address is 10.<n>.0.1 of the adapter's place among MACS."""
    found = []
    for volume in volumes:
        for mac in adapters:
            source = f"10.{MACS.index(mac) + 1}.0.1" if mac else ""
            for at in range(each):
                found.append(Path(volume, "iqn.host", "", f"10.9.0.{at}:3260", source, mac, state, f"{mac}/{at}"))
    return tuple(found)


def path_map(*paths: Path, problem: str = "") -> PathMap:
    """A path map of these paths, each volume named like its id."""
    volumes = sorted({path.volume for path in paths})
    return PathMap(tuple(Volume(volume, volume, None, "", "") for volume in volumes), paths, problem)


def two_ways(volumes: Sequence[str] = ("vol-a",), each: int = 1) -> PathMap:
    """Every volume over the first two adapters."""
    return path_map(*paths_over(MACS[0], MACS[1], volumes=volumes, each=each))


def facts(
    *chosen: tuple[Rule, Subject],
    held: Configuration | None = None,
    paths: PathMap | None = None,
    host: str = "0197c1f0-0000-7000-8000-000000000001",
    name: str = "sql-01",
    domains: tuple[str, ...] = ("group:1",),
    fabrics: Mapping[str, str] | None = None,
    cluster: ClusterState = ClusterState(),
    load_percent: int | None = 20,
    stale: str = "",
    sessions: tuple[SessionRoute, ...] | None = (),
) -> HostFacts:
    """A host with the findings that are chosen on it. `sessions`: those of targets that its paths do not show."""
    return HostFacts(
        host=host,
        name=name,
        configuration=held if held is not None else windows_host(),
        path_map=paths if paths is not None else two_ways(),
        chosen=tuple(Chosen(rule, subject) for rule, subject in chosen),
        facts_at="2026-11-21T09:41:00Z",
        configuration_hash="ab" * 32,
        domains=domains,
        fabrics=fabrics if fabrics is not None else {MACS[0]: "A", MACS[1]: "B", MACS[2]: "A", MACS[3]: "B"},
        cluster=cluster,
        load_percent=load_percent,
        stale=stale,
        sessions=sessions,
    )


def on(mac: str) -> Subject:
    """An adapter."""
    return Subject("adapter", mac)


def san_port(number: int, mtu: int = 1500, **keys: Any) -> dict[str, Any]:
    """A VMkernel port `vmk<number>` on `vSwitch<number>`, for the SAN alone."""
    shown = {"name": f"vmk{number}", "mtu": mtu, "vswitch": f"vSwitch{number}", "addresses": [f"10.{number}.0.1"]}
    return {**shown, "role": "san_iscsi", "management": False, **keys}


def esxi_host(subjects: Mapping[str, Mapping[str, Any]] | None = None, **host: Any) -> Configuration:
    """An ESXi 7.0 host with two adapters, each on a switch of its own with one VMkernel interface, for the SAN alone."""
    platform: Platform = "esxi"
    of_host = {"os_release": "7.0", "boot_from_san": False, "maintenance_mode": False, **{k.replace("__", "."): v for k, v in host.items()}}
    found: dict[str, Mapping[str, Any]] = {"host": of_host}
    for at, mac in enumerate(MACS[:2]):
        number = at + 1
        pause = raw("off", "rx false, tx false, auto-negotiation false", "nic_tuning")
        found[f"adapter/{mac}"] = {
            "name": f"vmnic{number}",
            "role": "san_iscsi",
            "link_up": True,
            "flow_control": pause,
            "vswitch": f"vSwitch{number}",
            "mtu": 1500,
        }
        found[f"vswitch/vSwitch{number}"] = {"mtu": 1500, "type": "standard", "uplinks": [f"vmnic{number}"]}
        found[f"vnic/vmk{number}"] = san_port(number)
    found["initiator/iqn.host"] = {"name": "vmhba64", "delayed_ack": "enabled", "login_timeout_seconds": 5}
    target = {"address": "10.9.0.0:3260, 10.9.0.1:3260", "delayed_ack": "enabled", "delayed_ack_inherited": True}
    found["target/iqn.host>iqn.2001-05.com.equallogic:vol-a"] = target
    return configuration({**found, **(subjects or {})}, platform)
