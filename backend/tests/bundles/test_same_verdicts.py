"""The same host by its agent and by a bundle of the same recording: every rule that the bundle answers, it answers as the agent does."""

from functools import cache
from typing import Any

import pytest

from plumbline.bundles.assess import assess_host
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.infra.resources import SCHEMA
from tests.bundles import esxi_bundle

_STATUSES = ("failing", "advice", "passing", "unknown")
# What the collector does not run, so that no bundle answers it: adapter offloads, driver options, frame tests, clock, restarts.
NOT_IN_A_BUNDLE = {
    *("esxi55.guard.rx_checksum", "esxi55.tx_checksum", "esxi55.tso", "qle3142.esxi.offloads"),
    *("core.clock", "core.probe.vmkernel", "core.probe.adapter"),
    # Which connection a session uses is not told: only how many run from each address.
    "core.paths.two_adapters",
    # What the switches announce: the bundle has the names alone, in a form that no public source shows.
    "core.switches",
}


def statuses(told: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Rule and subject -> status."""
    return {(line["rule"], line["subject"]): line["status"] for status in _STATUSES for line in told[status]}


@cache
def by_agent(host: str) -> dict[tuple[str, str], str]:
    (found,) = recognise({"x.checkin": (SCHEMA / "samples" / "esxi" / f"{host}.checkin").read_bytes()}, "x").hosts
    return statuses(assess_host(found, "x"))


@cache
def by_bundle(host: str) -> dict[str, Any]:
    files = {f"esx-{host}/{path}": content for path, content in esxi_bundle.files_of(host).items()}
    (found,) = recognise(files, "bundle.tgz").hosts
    return assess_host(found, "bundle.tgz")


@pytest.mark.parametrize("host", esxi_bundle.HOSTS)
def test_a_bundle_answers_as_the_agent_does(host: str) -> None:
    agent, bundle = by_agent(host), statuses(by_bundle(host))
    different = {
        key: (agent.get(key), status) for key, status in bundle.items() if status != "unknown" and agent.get(key) not in (status, "unknown")
    }
    assert different == {}


@pytest.mark.parametrize("host", esxi_bundle.HOSTS)
def test_a_bundle_leaves_unknown_only_what_it_does_not_hold(host: str) -> None:
    agent, bundle = by_agent(host), statuses(by_bundle(host))
    lost = {
        rule for (rule, subject), status in agent.items() if status != "unknown" and bundle.get((rule, subject), "unknown") == "unknown"
    }
    assert lost <= NOT_IN_A_BUNDLE


def test_name_and_time_are_those_of_the_bundle() -> None:
    told = by_bundle("8.0")
    (found,) = recognise({"x": (SCHEMA / "samples" / "esxi" / "8.0.checkin").read_bytes()}, "x").hosts
    assert told["name"] == assess_host(found, "x")["name"]
    assert told["captured_at"] == "2026-01-12T13:56:02Z"
    assert told["kind"] == "vm-support"
