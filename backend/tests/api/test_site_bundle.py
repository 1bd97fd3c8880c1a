"""A whole site in one vCenter log bundle: 200 hosts, of which the first can be read while the rest is read, in bounded memory."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Ask
from tests.api.test_assessments import PART, begin, finished, put
from tests.api.test_counts import counted
from tests.api.world import World
from tests.bundles import esxi_bundle
from tests.bundles.archives import tgz, zipped

HOSTS = 200
MOST_KIB = 300 * 1024
_RECORDED = {"6.7": b"esx-b07", "8.0": b"esx-d01", "6.7-german": b"esx-muc03"}


def site() -> bytes:
    """A vm-support bundle of each host, as a vCenter log bundle holds them, and the server's own part."""
    recorded = {host: esxi_bundle.files_of(host) for host in _RECORDED}
    members = {"vc-vcsa.tgz": tgz({"README": b"Command line: /usr/bin/vc-support -l\n"}, top="vc-vcsa-2026-01-12")}
    for number in range(HOSTS):
        host = list(_RECORDED)[number % len(_RECORDED)]
        name = f"esx-{number:03d}"
        files = {path: content.replace(_RECORDED[host], name.encode()) for path, content in recorded[host].items()}
        members[f"{name}-vmsupport.tgz"] = tgz(files, top=f"esx-{name}-2026-01-12--13.56-1")
    return zipped(members, stored=True)


def readers_peak_kib() -> int:
    """The most memory that the child process which reads took so far; 0 where none runs."""
    most = 0
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            try:
                if b"plumbline.bundles.child" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    status = Path(f"/proc/{pid}/status").read_text()
                    most = max(most, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
            except (FileNotFoundError, ProcessLookupError):
                continue
    return most


@pytest.fixture(scope="module")
def reading(ask: Ask, world: World) -> dict[str, Any]:
    """The whole bundle read, with what was seen on the way."""
    content = site()
    number = begin(ask, "viewer", content, "site.zip")
    step = max(PART, 900_000)
    for offset in range(0, len(content), step):
        assert put(ask, "viewer", number, offset, content[offset : offset + step]).status_code == 200
    seen: dict[str, Any] = {"number": number, "peak_kib": 0, "first": None}
    limit = time.monotonic() + 240
    while time.monotonic() < limit:
        told = ask("viewer", "GET", f"/assessments/{number}").json()
        seen["peak_kib"] = max(seen["peak_kib"], readers_peak_kib())
        if seen["first"] is None and told["hosts"]:
            report = ask("viewer", "GET", f"/assessments/{number}/hosts/{told['hosts'][0]['id']}")
            after = ask("viewer", "GET", f"/assessments/{number}").json()
            seen["first"] = {"report": report.json(), "status": report.status_code, "after": after}
        if told["state"] not in ("receiving", "reading"):
            return seen | {"told": told}
        time.sleep(0.2)
    raise AssertionError("it is not read after 240 s")


def test_every_host_is_read(reading: dict[str, Any]) -> None:
    told = reading["told"]
    assert (told["state"], told["error"], told["host_count"]) == ("ready", "", HOSTS)
    assert any("the vCenter server's own part" in note for note in told["notes"])


def test_the_first_report_is_there_while_the_rest_is_read(reading: dict[str, Any]) -> None:
    first = reading["first"]
    assert first["status"] == 200
    assert first["report"]["answered"] > 10
    assert first["after"]["state"] == "reading"
    assert 0 < first["after"]["host_count"] < HOSTS / 2


def test_the_reader_stays_within_its_memory(reading: dict[str, Any]) -> None:
    assert 10 * 1024 < reading["peak_kib"] < MOST_KIB


def test_the_page_gets_its_hosts_in_parts(ask: Ask, reading: dict[str, Any]) -> None:
    number = reading["number"]
    first = reading["told"]["hosts"]
    assert len(first) == 50
    more = ask("viewer", "GET", f"/assessments/{number}?limit=120").json()["hosts"]
    assert [host["id"] for host in more[:50]] == [host["id"] for host in first]
    assert len({host["id"] for host in more}) == 120
    scores = [host["score"] for host in more]
    assert scores == sorted(scores)
    found = ask("viewer", "GET", f"/assessments/{number}?named=ESX-19").json()
    assert (found["host_count"], found["match_count"]) == (HOSTS, 10)
    assert {host["name"] for host in found["hosts"]} == {f"esx-{each}" for each in range(190, 200)}
    nothing = ask("viewer", "GET", f"/assessments/{number}?named=%25").json()
    assert (nothing["match_count"], nothing["hosts"]) == (0, [])
    assert ask("viewer", "GET", f"/assessments/{number}?limit=2001").status_code == 422


def test_the_number_of_queries_does_not_grow_with_the_hosts(ask: Ask, reading: dict[str, Any]) -> None:
    content = tgz(esxi_bundle.files_of("6.7"), top="esx-esx-b07-2026-01-12--13.56-1")
    small = begin(ask, "viewer", content)
    for offset in range(0, len(content), PART):
        assert put(ask, "viewer", small, offset, content[offset : offset + PART]).status_code == 200
    assert finished(ask, "viewer", small)["state"] == "ready"
    costs = {}
    for number, path in ((small, ""), (reading["number"], "?limit=2000")):
        with counted() as seen:
            assert ask("viewer", "GET", f"/assessments/{number}{path}").status_code == 200
        costs[number] = len(seen)
    assert costs[small] == costs[reading["number"]]
    with counted() as seen:
        assert len(ask("viewer", "GET", "/assessments").json()) == 2
    assert len(seen) <= 4
