"""What `make test` counts: each test once, whichever of its parts failed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

_FILE = Path(__file__).parents[2] / "tools" / "test.py"
_TESTS = """
import pytest

@pytest.fixture
def lent():
    yield
    raise RuntimeError("could not be put away")

def test_good(): ...
def test_bad(): assert 1 == 2
def test_bad_twice(lent): assert 1 == 2
def test_bad_afterwards(lent): ...
def test_skipped(): pytest.skip("not here")
"""


def test_a_test_that_fails_in_two_parts_is_one(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("runners", _FILE)
    assert spec is not None
    assert spec.loader is not None
    runners = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(runners)
    (tmp_path / "test_five.py").write_text(_TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", "test_five.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 1, ended.stdout
    found = {name.partition("::")[2]: outcome for name, outcome in runners.outcomes(tmp_path / "report.xml").items()}
    assert found == {
        "test_good": "passed",
        "test_bad": "failed",
        "test_bad_twice": "failed",
        "test_bad_afterwards": "failed",
        "test_skipped": "skipped",
    }
