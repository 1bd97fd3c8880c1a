"""Every captured ESXi output, read as a person's folder is: exactly the values that a person worked out from its text."""

from pathlib import Path

import pytest

from plumbline.core.facts.assemble import assemble
from plumbline.core.facts.captures.folder import read_files
from plumbline.core.facts.captures.names import recognise
from plumbline.core.facts.configuration import Subject, Value
from tests.core.facts.esxi.captured import Facts, network, nics, rest
from tests.core.facts.esxi.reading import REPOSITORY

FOLDERS = [REPOSITORY.parent / "shared" / name for name in ("captures", "captures-2")]
FACTS: dict[str, Facts] = {**nics.FACTS, **network.FACTS, **rest.FACTS}


def captured() -> dict[str, Path]:
    """The files by the middle part of their names; the test is skipped, with the reason, where a folder of them is not here."""
    absent = [folder.name for folder in FOLDERS if not folder.is_dir()]
    if absent:
        pytest.skip(f"outputs of real hosts are not here: {', '.join(absent)}")
    return {path.name.removeprefix("esxi__").removesuffix(".txt"): path for folder in FOLDERS for path in folder.glob("esxi__*.txt")}


def values_in(path: Path) -> Facts:
    folder = read_files({path.name: path.read_bytes()})
    if not folder.captured:
        return {}
    assembled = assemble("esxi", folder.captured[0].sections)
    assert assembled.internal_errors == ()
    return {
        f"{subject.kind}/{subject.id}/{key}": reading.value
        for subject, key, reading in assembled.configuration
        if isinstance(reading, Value)
    }


def test_each_file_is_worked_out_or_has_a_reason() -> None:
    files = set(captured())
    assert files - set(FACTS) - set(rest.NOTHING) == set()
    assert (set(FACTS) | set(rest.NOTHING)) - files == set()
    assert set(FACTS) & set(rest.NOTHING) == set()


@pytest.mark.parametrize("name", sorted(FACTS))
def test_a_file_says_what_was_worked_out(name: str) -> None:
    assert values_in(captured()[name]) == FACTS[name]


@pytest.mark.parametrize("name", sorted(rest.NOTHING))
def test_nothing_is_read_where_nothing_is_said(name: str) -> None:
    path = captured()[name]
    assert values_in(path) == {}
    is_known = recognise(path.name) is not None
    assert is_known == rest.NOTHING[name].startswith("=")


def test_how_many_facts_there_are() -> None:
    # A floor, so that facts are not lost unseen.
    assert len(captured()) == 108
    assert sum(len(facts) for facts in FACTS.values()) >= 1079


def test_adapters_of_a_bare_list_get_their_family_from_another_file() -> None:
    files = captured()
    wanted = ("esxcfg-nics-l__intel-mfd-esxi-x710", "lspci-p__intel-mfd-8", "lspci-n__intel-mfd-8")
    for pci_list in wanted[1:]:
        folder = read_files({files[name].name: files[name].read_bytes() for name in (wanted[0], pci_list)})
        configuration = assemble("esxi", folder.captured[0].sections).configuration
        # 8086:10fb is the 82599 of the X520; 14e4:16d8 a BCM57416.
        assert configuration.value(Subject("adapter", "90e2aabbcc34"), "family") == "x520"
        assert configuration.value(Subject("adapter", "90e2aabbcc34"), "pnp_id") == "8086:10fb"
        assert configuration.value(Subject("adapter", "8416aabbccf0"), "family") == "other"


def test_details_of_a_hardware_initiator_with_the_list_that_names_it() -> None:
    path = captured()["esxcli-iscsi-adapter-get-vmhba33__asm-bnx2i"]
    title, dashes = "Adapter  Driver  State   UID            Description", "-------  ------  ------  -------------  -----------"
    adapters = f"{title}\n{dashes}\nvmhba33  bnx2i   online  iscsi.vmhba33  Broadcom iSCSI Adapter\n"
    folder = read_files({path.name: path.read_bytes(), "esxi__esxcli-iscsi-adapter-list__x.txt": adapters.encode()})
    (subject,) = assemble("esxi", folder.captured[0].sections).configuration.subjects("initiator")
    assert subject.id == "iqn.1998-01.com.vmware:host1051def.:674130862:35"
