"""Every source of the catalogue was read from a real output, or is marked as unproven; and what is cited is what was asked."""

import pytest

from plumbline.core.facts.captures.folder import read_files, recognise
from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.proven import is_proven
from plumbline.core.facts.unproven import UNPROVEN
from tests.core.facts.write_unproven import CAPTURES, FILE, captured_hosts, catalogued, text, values_of

needs_captures = pytest.mark.skipif(not all(folder.is_dir() for folder in CAPTURES), reason="the folders of captures are not here")
# Read under another name: a class key of the registry holds the driver's keywords, mpclaim is one read with and without a disk.
SAME = {"registry-class-key-params": "Get-NetAdapterAdvancedProperty", "mpclaim -s -d": "mpclaim"}


@needs_captures
def test_the_list_is_what_real_outputs_leave_open() -> None:
    assert "".join(FILE.read_text().split()) == "".join(text().split()), "run: python -m tests.core.facts.write_unproven"


@needs_captures
def test_every_source_is_read_from_a_real_output_or_marked() -> None:
    seen = set().union(*(values_of(captured) for captured in captured_hosts()))
    proven = {read for read in catalogued() if is_proven(*read)}
    assert proven <= seen
    # Neither list is empty, or the test proves nothing.
    assert len(proven) > 150
    assert len(catalogued() - proven) > 50


@needs_captures
def test_a_value_cites_the_command_that_said_it() -> None:
    count = 0
    for folder in CAPTURES:
        for path in sorted(folder.glob("*__*__*.txt")):
            known = recognise(path.name)
            if known is None:
                continue
            for captured in read_files({path.name: path.read_bytes()}).captured:
                for _, key, command in values_of(captured):
                    count += 1
                    assert command == SAME.get(known.command, known.command), (path.name, key)
    assert count > 400


def test_only_sources_of_the_catalogue_are_marked() -> None:
    marked = {(platform, key, command) for platform, commands in UNPROVEN.items() for command, keys in commands.items() for key in keys}
    assert marked <= catalogued()
    assert {key for _, key, _ in marked} <= BY_KEY.keys()


def test_what_no_command_said_is_not_in_doubt() -> None:
    assert is_proven("windows", "adapter.role", "")
    assert is_proven("esxi", "host.os_version", "esxcli system version get")
    assert not is_proven("esxi", "initiator.adapter", "esxcli iscsi physicalnetworkportal list")
    assert not is_proven("windows", "host.hit_kit", "registry:Uninstall")
