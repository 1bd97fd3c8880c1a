"""The lab on the import path, and a lab host with the ESXi runner under each Python that is here."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))

from tests.agents.runner.workbench import Esxi, engines, esxi


@pytest.fixture(params=engines())
def host(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Esxi]:
    with esxi(tmp_path, engine=request.param) as found:
        yield found
