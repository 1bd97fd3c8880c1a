"""A host's cluster, with this node and the others, as the host reports it; the gate before a node loses its storage relies on it."""

from typing import Any

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, SectionReading, Unknown
from tests.core.facts.builders import body, read


def _node(*rows: dict[str, Any], cluster: str = "CL1") -> Configuration:
    reads = {
        "Win32_ComputerSystem": read({"Name": "SQL-01"}),
        "Get-WindowsFeature": read({"Name": "Failover-Clustering", "InstallState": "Installed" if cluster else "Available"}),
        "Get-Cluster": read(*([{"Name": cluster}] if cluster else [])),
        "Get-ClusterNode": read(*rows),
    }
    return assemble("windows", {"system": SectionReading("ok", body(reads))}).configuration


@pytest.mark.parametrize(
    ("mine", "other", "node", "others"), [("Up", "Paused", "up", False), ("2", "0", "paused", True), ("paused", "Down", "paused", False)]
)
def test_a_node_is_found_by_its_own_name_in_any_case(mine: str, other: str, node: str, others: bool) -> None:
    configuration = _node({"Name": "sql-01", "State": mine}, {"Name": "sql-02", "State": other})
    assert configuration.value(HOST, "cluster_node") == node
    assert configuration.value(HOST, "cluster_others_up") is others


def test_a_list_of_nodes_without_this_host_or_with_an_unknown_state_is_unknown() -> None:
    for rows in (({"Name": "sql-02", "State": "Up"},), ({"Name": "sql-01", "State": "Up"}, {"Name": "sql-02", "State": "Isolated?"})):
        for key in ("cluster_node", "cluster_others_up"):
            assert isinstance(_node(*rows).read(HOST, key), Unknown), rows


def test_a_host_in_no_cluster_is_no_node() -> None:
    assert isinstance(_node(cluster="").read(HOST, "cluster_node"), NotOffered)


@pytest.mark.parametrize(
    ("rows", "running"),
    [
        ((), 0),
        (({"Name": "Repair", "JobState": "Running"}, {"Name": "Rebalance", "JobState": "Suspended"}), 2),
        (
            (
                {"Name": "Repair", "JobState": "Completed"},
                {"Name": "Repair", "JobState": 4},
                {"Name": "Repair", "JobState": "Shutting Down"},
            ),
            2,
        ),
    ],
)
def test_a_storage_job_counts_until_it_is_over(rows: tuple[dict[str, Any], ...], running: int) -> None:
    assert _jobs(read(*rows)).value(HOST, "storage_jobs") == running


def test_storage_jobs_without_a_state_or_not_read_are_unknown() -> None:
    for shown in (read({"Name": "Repair", "JobState": None}), {"status": "failed", "error": "timed out", "rows": []}):
        assert isinstance(_jobs(shown).read(HOST, "storage_jobs"), Unknown)
    # An agent from before the section was collected sends nothing about them.
    configuration = assemble("windows", {"storage": SectionReading("ok", body({"Get-Disk": read()}))}).configuration
    assert isinstance(configuration.read(HOST, "storage_jobs"), Unknown)


def _jobs(shown: dict[str, Any]) -> Configuration:
    return assemble("windows", {"storage": SectionReading("ok", body({"Get-Disk": read(), "Get-StorageJob": shown}))}).configuration
