"""What was not read never makes a host look better: over every sample host, and every real host whose outputs lie beside the repository."""

import hashlib
import json
from collections import defaultdict
from pathlib import Path

import pytest

from plumbline.cli.evaluate import _check_in
from plumbline.core.facts.captures.folder import read_files, read_folder
from plumbline.infra.resources import CHECKOUT, SCHEMA
from tests.core.rules.removal import Host, variants

SAMPLES = sorted((SCHEMA / "samples").glob("*/*.checkin"))
FOLDERS = sorted(path for path in (SCHEMA / "samples" / "evaluate").iterdir() if path.is_dir())
CAPTURES = tuple(CHECKOUT.parent / "shared" / name for name in ("captures", "captures-2"))


def _captured() -> dict[str, dict[str, bytes]]:
    """The captured outputs by host: the host is the part behind the command in a file's name."""
    hosts: dict[str, dict[str, bytes]] = defaultdict(dict)
    for folder in CAPTURES:
        for path in sorted(folder.glob("*__*__*.txt")) if folder.is_dir() else ():
            platform, _, rest = path.stem.partition("__")
            hosts[f"{platform}-{rest.rpartition('__')[2]}"][path.name] = path.read_bytes()
    return dict(hosts)


REAL = _captured()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_host_never_looks_better_for_what_was_not_read(sample: Path) -> None:
    platform, sections, _ = _check_in(sample)
    host = Host(platform, sections)
    assert {"unknown", "pass", "not_applicable"} <= set(host.findings.values())
    assert host.problems() == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_folder_of_outputs_never_looks_better(folder: Path) -> None:
    (captured,) = read_folder(folder).captured
    assert Host(captured.platform, captured.sections).problems() == []


@pytest.mark.skipif(not REAL, reason="the folders of captures are not here")
@pytest.mark.parametrize("name", sorted(REAL))
def test_a_real_host_never_looks_better(name: str) -> None:
    for captured in read_files(REAL[name]).captured:
        assert Host(captured.platform, captured.sections).problems() == []


@pytest.mark.skipif(not REAL, reason="the folders of captures are not here")
def test_all_real_outputs_as_one_host_never_look_better() -> None:
    """Except for lists that repeat what esxcli shows: lists of different hosts do not repeat it."""
    for folder in CAPTURES:
        files = {path.name: path.read_bytes() for path in folder.glob("*__*__*.txt") if "__esxcfg-" not in path.name}
        for captured in read_files(files).captured:
            assert Host(captured.platform, captured.sections).problems() == []


def test_every_read_of_a_sample_is_taken_away() -> None:
    for path in SAMPLES:
        platform, sections, _ = _check_in(path)
        reads = sum(len(json.loads(section.body)) for section in sections.values() if section.status == "ok")
        bodies = {hashlib.sha256(each.sections[each.changed].body).digest() for each in variants(platform, sections)
                  if each.changed in each.sections}  # fmt: skip
        # At least two forms of each read, none of them like another.
        assert len(bodies) >= 2 * reads > 40
