"""What is kept of a bundle's host: it comes back whole, tells the member of each value, and differs in nothing from the agent's reading."""

import zlib

import pytest

from plumbline.bundles.assess import assess_and_keep
from plumbline.core.drift.beside import beside
from plumbline.core.facts.bundles.kept import KeptHost, pack, pack_sections, unpack, unpack_sections
from plumbline.core.facts.bundles.recognise import recognise
from plumbline.core.facts.configuration import HOST, Subject
from plumbline.hosts.bundle_side import known_pairs
from plumbline.infra.resources import SCHEMA
from tests.bundles import esxi_bundle
from tests.bundles import windows_bundle as windows
from tests.bundles.archives import zipped
from tests.bundles.test_windows_bundles import hosts_of


def of_agent(path: str) -> KeptHost:
    (host,) = recognise({"x": (SCHEMA / "samples" / path).read_bytes()}, "x").hosts
    return assess_and_keep(host, "x")[1]


def of_vm_support(host: str) -> KeptHost:
    files = {f"esx-{host}/{path}": content for path, content in esxi_bundle.files_of(host).items()}
    (found,) = recognise(files, "bundle.tgz").hosts
    return assess_and_keep(found, "bundle.tgz")[1]


def differing(live: KeptHost, bundle: KeptHost) -> tuple[list[str], int]:
    configuration = live.document.configuration
    pairs, not_known = known_pairs(beside(configuration, bundle.document.configuration, is_same_host=True), configuration, bundle)
    assert sum(1 for pair in pairs if not pair.differs) > 90
    return [f"{pair.kind}.{pair.key}" for pair in pairs if pair.differs], not_known


@pytest.mark.parametrize("host", esxi_bundle.HOSTS)
def test_a_bundle_of_an_unchanged_esxi_host_shows_no_difference(host: str) -> None:
    assert differing(of_agent(f"esxi/{host}.checkin"), of_vm_support(host))[0] == []


@pytest.mark.parametrize("name", windows.HOSTS)
@pytest.mark.parametrize("make", [windows.net_view, windows.sddc])
def test_a_bundle_of_an_unchanged_windows_host_shows_no_difference(name: str, make: object) -> None:
    assert callable(make)
    (host,) = hosts_of(zipped(make(windows.Host(name))))
    assert differing(of_agent(f"windows/{name}.checkin"), assess_and_keep(host, "bundle.zip")[1])[0] == []


def test_it_comes_back_as_it_was() -> None:
    kept = of_vm_support("6.7")
    again = unpack(pack(kept))
    assert again.document == kept.document
    assert (again.members, again.unread, again.routes) == (kept.members, kept.unread, kept.routes)
    assert len(pack(kept)) < 20_000


def test_each_value_names_its_member() -> None:
    kept = of_vm_support("6.7")
    configuration = kept.document.configuration
    assert kept.member_of(configuration.read(Subject("vnic", "vmk1"), "mtu").source) == "commands/esxcfg-vmknic_-l.txt"
    assert kept.member_of(configuration.read(HOST, "net.lro").source) == "commands/vmware-vimdump_-o----U-dcui.txt"
    assert kept.member_of(None) == ""


def test_its_sections_come_back_as_they_were() -> None:
    files = {f"esx-6.7/{path}": content for path, content in esxi_bundle.files_of("6.7").items()}
    (found,) = recognise(files, "bundle.tgz").hosts
    again = unpack_sections(pack_sections(found))
    assert (again.sections, again.agent_version) == (found.sections, found.agent_version)
    assert len(pack_sections(found)) < 60_000
    for damaged in (b"", b"no zlib", zlib.compress(b"no sections"), pack_sections(found)[:-20]):
        with pytest.raises(ValueError, match=r"stored sections|cut off"):
            unpack_sections(damaged)
    with pytest.raises(ValueError, match="too large"):
        unpack_sections(zlib.compress(bytes(80 * 1024 * 1024)))


@pytest.mark.parametrize("damaged", [b"", b"no zlib", zlib.compress(b"no document"), pack(of_vm_support("8.0"))[:-20]])
def test_damaged_bytes_are_said(damaged: bytes) -> None:
    with pytest.raises(ValueError, match=r"stored configuration|cut off"):
        unpack(damaged)


def test_bytes_that_unpack_to_far_more_are_refused() -> None:
    with pytest.raises(ValueError, match="too large"):
        unpack(zlib.compress(bytes(64 * 1024 * 1024)))
