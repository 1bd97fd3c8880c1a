"""The lab on the import path, hosts of it in a folder of the test's own, and a served API."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from lab import fleet
from lab.host import LabHost
from tests.checkin.conftest import Served, serve, served, token

__all__ = ["Served", "serve", "served", "token"]


@pytest.fixture
def lab_host(tmp_path: Path) -> Callable[[str], LabHost]:
    """A host of the fleet by name, fresh."""

    def make(name: str) -> LabHost:
        spec = next(spec for spec in fleet.load() if spec.name == name)
        return LabHost(spec, tmp_path / name)

    return make
