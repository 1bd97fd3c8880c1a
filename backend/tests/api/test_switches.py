"""The switches behind the hosts: heard by the hosts' own check-ins, counted once, kept when they fall silent."""

import json
from collections.abc import Iterator

import httpx
import pytest
from sqlmodel import text

from faults.samples import samples, sections_of
from faults.sending import Sender, enrol, sender_of
from plumbline.infra.database import session_scope
from tests.api.conftest import Ask
from tests.api.test_counts import cost_of
from tests.api.world import World

HINTS = "vim-cmd hostsvc/net/query_networkhint"


@pytest.fixture(scope="module")
def client(address: str, world: World) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=30) as client:
        yield client


def enrolled(ask: Ask, client: httpx.Client, name: str, platform: str = "esxi", sample: str = "8.0", group: int = 1) -> Sender:
    """A host with the sections of an agent's sample, which has not sent them yet."""
    asked = {"name": name, "group_id": group, "platform": platform, "is_auto_approved": True}
    token = ask("admin", "POST", "/enrolment/tokens", json=asked).json()["token"]
    found = next(each for each in samples(platform) if each.stem == sample)
    return sender_of(enrol(client, token, name, platform), platform, sections=sections_of(found))


def cable(sender: Sender, **ports: tuple[str, str, int] | None) -> None:
    """The switch (name, port, MTU) that each uplink hears; None: its link is up and it hears nothing."""
    reads = json.loads(sender.sections["nics"])
    lines = []
    for name, heard in ports.items():
        lines.append(f'device = "{name}",')
        if heard is not None:
            switch, port, mtu = heard
            lines += [
                "connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) {",
                f'devId = "{switch}(FOC1)",',
                f'portId = "{port}",',
                f"mtu = {mtu},",
            ]
        else:
            lines.append("connectedSwitchPort = (vim.host.PhysicalNic.CdpInfo) null,")
    reads[HINTS] = {"status": "ok", "format": "text", "exit": 0, "output": "\n".join(lines)}
    sender.sections["nics"] = json.dumps(reads).encode()


def switches(ask: Ask, login: str = "admin") -> dict[str, dict[str, object]]:
    return {row["name"]: row for row in ask(login, "GET", "/switches").json()["items"] if row["name"].startswith("t-")}


def ports(ask: Ask, switch: str) -> list[tuple[object, ...]]:
    found = ask("admin", "GET", f"/switches/{switch}(foc1)").json()["port_rows"]
    return [(row["port"], row["host"], row["adapter_name"], row["problem"]) for row in found]


def test_hosts_stand_behind_the_switches_they_hear(ask: Ask, client: httpx.Client) -> None:
    first, second = enrolled(ask, client, "cab-01"), enrolled(ask, client, "cab-02")
    cable(first, vmnic4=("t-a", "Eth1/10", 9216), vmnic5=("t-b", "Eth1/10", 9216))
    cable(second, vmnic4=("t-a", "Eth1/2", 9216), vmnic5=("t-a", "Eth1/3", 9216))
    for sender in (first, second):
        assert sender.send(client).status_code == 200
    found = switches(ask)
    assert {name: (row["ports"], row["hosts"], row["only_here"], row["failing"]) for name, row in found.items()} == {
        "t-a": (3, 2, 1, 0),
        "t-b": (1, 1, 0, 0),
    }
    # By number, as on the front of the switch.
    assert [row[:3] for row in ports(ask, "t-a")] == [
        ("Eth1/2", "cab-02", "vmnic4"),
        ("Eth1/3", "cab-02", "vmnic5"),
        ("Eth1/10", "cab-01", "vmnic4"),
    ]
    shown = {row["name"]: row["switch"] for row in ask("admin", "GET", f"/hosts/{first.host_id}/paths").json()["adapters"]}
    assert [shown[name]["name"] + " " + shown[name]["port"] for name in ("vmnic4", "vmnic5")] == ["t-a Eth1/10", "t-b Eth1/10"]
    # Both paths of the second host go through one switch.
    outcomes = {}
    for sender in (first, second):
        items = ask("admin", "GET", f"/hosts/{sender.host_id}/findings").json()["items"]
        outcomes[sender.host_id] = next(item["outcome"] for item in items if item["rule"] == "core.switches")
    assert outcomes == {first.host_id: "pass", second.host_id: "fail"}


def test_a_silent_switch_keeps_its_ports_and_says_since_when(ask: Ask, client: httpx.Client) -> None:
    sender = enrolled(ask, client, "cab-03")
    cable(sender, vmnic4=("t-c", "Eth1/1", 9216), vmnic5=("t-d", "Eth1/1", 9216))
    assert sender.send(client).status_code == 200
    assert ports(ask, "t-c") == [("Eth1/1", "cab-03", "vmnic4", "")]
    cable(sender, vmnic4=None, vmnic5=("t-d", "Eth1/1", 9216))
    assert sender.send(client).status_code == 200
    assert ports(ask, "t-c") == [("Eth1/1", "cab-03", "vmnic4", "the switch is not heard any more")]
    (row,) = ask("admin", "GET", "/switches/t-c(foc1)").json()["port_rows"]
    assert row["lost_at"] is not None
    assert switches(ask)["t-c"]["issues"] == {"not_heard": 1}
    # Its cable is moved: drift tells, and the old port is free.
    cable(sender, vmnic4=("t-d", "Eth1/7", 9216), vmnic5=("t-d", "Eth1/1", 9216))
    assert sender.send(client).status_code == 200
    assert "t-c" not in switches(ask)
    assert [row[0] for row in ports(ask, "t-d")] == ["Eth1/1", "Eth1/7"]
    changes = ask("admin", "GET", f"/hosts/{sender.host_id}/changes").json()["items"]
    assert ("adapter.switch_port", "Eth1/7") in {(change["key"], change["new"]) for change in changes}


def test_a_low_mtu_is_the_cause_only_where_frames_do_not_get_through(ask: Ask, client: httpx.Client) -> None:
    sender = enrolled(ask, client, "cab-04")
    cable(sender, vmnic4=("t-e", "Eth1/1", 1500), vmnic5=("t-f", "Eth1/1", 1500))
    assert sender.send(client).status_code == 200
    assert {row[3] for name in ("t-e", "t-f") for row in ports(ask, name)} == {""}
    probes = json.loads(sender.sections["probes"])
    pings = json.loads(probes["vmkping"]["output"])
    probes["vmkping"]["output"] = json.dumps([ping | {"outcome": "silent"} if ping["size"] == 9000 else ping for ping in pings])
    sender.sections["probes"] = json.dumps(probes).encode()
    assert sender.send(client).status_code == 200
    words = {row[3] for name in ("t-e", "t-f") for row in ports(ask, name)}
    assert words == {"the switch announces MTU 1500, and frames of 9000 do not get through"}
    adapters = ask("admin", "GET", f"/hosts/{sender.host_id}/paths").json()["adapters"]
    causes = [row["switch"]["cause"] for row in adapters]
    assert any("Eth1/1 announces MTU 1500, and the host sends 9000" in cause for cause in causes)


def test_switches_of_other_groups_are_not_shown(ask: Ask, client: httpx.Client, world: World) -> None:
    sender = enrolled(ask, client, "cab-05", group=world.groups["lab"])
    cable(sender, vmnic4=("t-g", "Eth1/1", 9216), vmnic5=("t-h", "Eth1/1", 9216))
    assert sender.send(client).status_code == 200
    assert "t-g" in switches(ask)
    assert "t-g" not in switches(ask, "prod-viewer")
    assert ask("prod-viewer", "GET", "/switches/t-g(foc1)").status_code == 404
    assert ask("admin", "GET", "/switches/nothing").status_code == 404


def test_the_pages_cost_the_same_for_any_number_of_switches(ask: Ask) -> None:
    before = cost_of(ask, "/switches"), cost_of(ask, "/switches/t-a(foc1)")
    with session_scope() as session:
        session.execute(
            text(
                "INSERT INTO switch_port (host_id, adapter, name, role, switch_id, switch, port)"
                " SELECT h.id, 'x' || n, 'vmnic' || n, 'san_iscsi', 't-a(foc1)', 't-a', 'Eth2/' || n FROM host h, generate_series(1, 40) n"
            )
        )
    assert (cost_of(ask, "/switches"), cost_of(ask, "/switches/t-a(foc1)")) == before


def test_windows_adapters_are_counted_as_not_heard(ask: Ask, client: httpx.Client) -> None:
    before = ask("admin", "GET", "/switches").json()["unheard_windows"]
    sender = enrolled(ask, client, "cab-win", "windows", "x520-2022-recommended")
    assert sender.send(client).status_code == 200
    assert ask("admin", "GET", "/switches").json()["unheard_windows"] > before


def test_esxi_hosts_that_heard_no_switch_are_named_with_their_adapters(ask: Ask, client: httpx.Client, world: World) -> None:
    sender = enrolled(ask, client, "cab-deaf", group=world.groups["lab"])
    cable(sender, vmnic4=("t-deaf", "Eth1/1", 9216), vmnic5=None)
    assert sender.send(client).status_code == 200

    def deaf(login: str) -> list[list[str]]:
        return [each["adapters"] for each in ask(login, "GET", "/switches").json()["unheard_hosts"] if each["name"] == "cab-deaf"]

    assert deaf("admin") == [["vmnic5"]]
    assert deaf("prod-viewer") == []


def test_what_hosts_hear_is_evidence_for_an_attestation(ask: Ask, client: httpx.Client, world: World) -> None:
    group = ask("admin", "POST", "/groups", json={"name": "EVIDENCE", "parent_id": 1}).json()["id"]
    empty = ask("admin", "GET", f"/switch-evidence?group_id={group}").json()
    assert (empty["hosts"], empty["text"]) == (0, "")
    first, second, third = (enrolled(ask, client, f"ev-0{number}", group=group) for number in (1, 2, 3))
    cable(first, vmnic4=("t-k", "Eth1/1", 9216), vmnic5=("t-l", "Eth1/1", 9216))
    cable(second, vmnic4=("t-k", "Eth1/2", 9216), vmnic5=("t-k", "Eth1/3", 1500))
    cable(third, vmnic4=("t-k", "Eth1/4", 0), vmnic5=None)
    for sender in (first, second, third):
        assert sender.send(client).status_code == 200
    assert ask("admin", "GET", f"/switch-evidence?group_id={group}").json()["text"] == (
        "Switches heard: t-k, t-l. 1 host cabled to at least two switches, 1 host to one switch only (ev-02), 1 host not known."
        " Announced MTU: 9216 on 3 ports, 1500 on 1 port."
    )
    assert ask("admin", "GET", f"/switch-evidence?host_id={third.host_id}").json()["text"] == "Switches heard: t-k. 1 host not known."
    assert ask("prod-viewer", "GET", f"/switch-evidence?group_id={group}").status_code == 404
    assert ask("prod-viewer", "GET", f"/switch-evidence?host_id={third.host_id}").status_code == 404
