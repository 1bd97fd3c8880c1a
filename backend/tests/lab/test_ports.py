"""The lab picks the ports of its doors before it opens them: no two hosts get one, and a restart leaves every host where it was."""

import socket
from pathlib import Path

from lab.esxi import servers
from lab.ports import is_free, pick_ports


def test_ports_are_free_different_and_below_those_that_the_system_gives_away() -> None:
    for _ in range(50):
        found = pick_ports(40)
        assert len(set(found)) == 40
        assert all(20_000 <= port < 32_000 for port in found)
    assert not set(found) & set(pick_ports(40, but=found))
    with socket.create_server(("127.0.0.1", found[0])):
        assert not is_free(found[0])
    assert pick_ports(0) == []


def test_hosts_keep_their_ports_and_one_that_was_taken_gets_another_that_no_host_has(tmp_path: Path) -> None:
    read = servers.prepare(tmp_path, ["esx-a01", "esx-b07"])
    first = {name: row["port"] for name, row in servers.prepare_changes(tmp_path)["hosts"].items()}
    assert {name: first[name] for name in read.hosts} == {name: port for name, (port, _) in read.hosts.items()}
    with socket.create_server(("127.0.0.1", first["sql-05"])), socket.create_server(("127.0.0.1", first["esx-a01"])):
        again_read = servers.prepare(tmp_path, ["esx-a01", "esx-b07"])
        again = {name: row["port"] for name, row in servers.prepare_changes(tmp_path)["hosts"].items()}
    assert {name for name in first if again[name] != first[name]} == {"sql-05", "esx-a01"}
    assert again["esx-a01"] == again_read.hosts["esx-a01"][0]
    assert len(set(again.values())) == len(again)
