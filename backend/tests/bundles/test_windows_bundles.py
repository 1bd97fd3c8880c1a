"""Windows hosts by their agent and by the bundles of Microsoft's collectors, made of the same rows."""

import io
from functools import cache
from typing import Any

import pytest

from plumbline.bundles.assess import assess_host
from plumbline.bundles.limits import Budget
from plumbline.bundles.walk import read_archive
from plumbline.core.facts.bundles.hosts import BundledHost
from plumbline.core.facts.bundles.recognise import recognise
from tests.bundles import windows_bundle as made
from tests.bundles.archives import zipped
from tests.bundles.test_same_verdicts import statuses

# Rules whose answer rests on iSCSI sessions, disks or frame tests, which neither collector reads.
_WITHOUT_SESSIONS = {
    *("core.paths.two_adapters", "core.paths.two_healthy", "core.probe.adapter", "core.clock"),
    *("bp1057.hit_kit", "bp1057r2.hit_kit", "bp1057.bcm57810.isoe.in_use", "bp1057r2.bcm57810.isoe.in_use"),
}
# A cluster of one node asks no peers.
_ABOUT_CLUSTERS = ("core.cluster.",)


def hosts_of(content: bytes, name: str = "bundle.zip") -> list[BundledHost]:
    return [
        host for gathered in read_archive(io.BytesIO(content), name, Budget()) for host in recognise(gathered.files, gathered.name).hosts
    ]


# Rules answered by a Get-NetView bundle, and by the own files of an SDDC bundle; the agent answers 26 to 28 of them.
ANSWERED = {
    "bcm57810-2012-default": (21, 15),
    "bcm57810-2012-recommended": (21, 15),
    "x520-2012r2-default": (24, 17),
    "x520-2019-german": (23, 17),
    "x520-2022-recommended": (24, 17),
}


def assessed(content: bytes) -> dict[str, Any]:
    (host,) = hosts_of(content)
    return assess_host(host, "bundle.zip")


@cache
def by_agent(name: str) -> dict[tuple[str, str], str]:
    (host,) = recognise({"x": (made.SAMPLES / f"{name}.checkin").read_bytes()}, "x").hosts
    return statuses(assess_host(host, "x"))


def contradictions(name: str, told: dict[str, Any]) -> dict[tuple[str, str], tuple[str | None, str]]:
    agent = by_agent(name)
    return {
        key: (agent.get(key), status)
        for key, status in statuses(told).items()
        if status != "unknown" and agent.get(key) not in (status, "unknown")
    }


def lost(name: str, told: dict[str, Any]) -> set[str]:
    bundle = statuses(told)
    rules = {key[0] for key, status in by_agent(name).items() if status != "unknown" and bundle.get(key, "unknown") == "unknown"}
    return {rule for rule in rules if not rule.startswith(_ABOUT_CLUSTERS)}


@pytest.mark.parametrize("name", [name for name in made.HOSTS if "isoe" not in name and "s2d" not in name])
@pytest.mark.parametrize("width", [80, 4096])
def test_get_net_view_answers_as_the_agent_does(name: str, width: int) -> None:
    told = assessed(zipped(made.net_view(made.Host(name), width=width)))
    assert contradictions(name, told) == {}
    assert lost(name, told) <= _WITHOUT_SESSIONS
    assert told["rules"]["answered"] == ANSWERED[name][0]


def test_without_the_registry_nagle_and_netbios_are_unknown() -> None:
    name = "bcm57810-2012-default"
    whole, without = (assessed(zipped(made.net_view(made.Host(name), registry=registry))) for registry in (True, False))
    assert contradictions(name, without) == {}
    reasons = {line["rule"]: line["reason"] for line in without["unknown"]}
    assert "hklm.reg in RegistryFiles.zip was looked for" in reasons["bp1057r2.advice.nagle"]
    assert "bp1057r2.netbios" in reasons
    assert {line["rule"] for line in whole["unknown"]}.isdisjoint({"bp1057r2.advice.nagle", "bp1057r2.netbios"})


@pytest.mark.parametrize("name", ["x520-2012r2-default", "bcm57810-2012-recommended"])
def test_sddc_answers_as_the_agent_does(name: str) -> None:
    host = made.Host(name)
    own, nested = assessed(zipped(made.sddc(host))), assessed(zipped(made.sddc(host, nested=True)))
    assert (own["kind"], nested["kind"]) == ("sddc", "sddc")
    assert own["captured_at"] == "2026-03-02T09:15:00+01:00"
    assert contradictions(name, own) == {}
    assert contradictions(name, nested) == {}
    assert (nested["rules"]["answered"], own["rules"]["answered"]) == ANSWERED[name]
    assert lost(name, nested) <= _WITHOUT_SESSIONS


def test_each_node_of_a_cluster_is_a_host() -> None:
    files = made.sddc(made.Host("x520-2012r2-default")) | made.sddc(made.Host("bcm57810-2012-default"))
    assert {host.name.partition(".")[0].upper() for host in hosts_of(zipped(files))} == {"FILE-03", "SQL-01"}


def test_an_unpacked_collection_is_the_same_host() -> None:
    files = {f"msdbg.FILE-03/{path}": content for path, content in made.net_view(made.Host("x520-2012r2-default")).items()}
    told = assessed(zipped(files))
    assert (told["name"], told["kind"]) == ("FILE-03", "get-netview")
    assert contradictions("x520-2012r2-default", told) == {}


def test_a_hostile_object_is_only_data() -> None:
    hostile = (
        b'<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04"><Obj RefId="0"><TN RefId="0">'
        b'<T>Microsoft.Management.Infrastructure.CimInstance</T></TN><Props><S N="Name">x</S>'
        b"<S N=\"Xaml\">&lt;ObjectDataProvider MethodName='Start'/&gt;</S></Props></Obj></Objs>"
    )
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "cccc">]>' + hostile.replace(b">x<", b">&b;<")
    node = "Node_A/"
    (host,) = hosts_of(zipped({node + "GetNetAdapter.xml": hostile, node + "GetNetAdapterRss.xml": bomb}))
    assert ("Node_A/GetNetAdapterRss.xml", "it is no whole CLIXML (DTDForbidden)") in host.unread
