from pathlib import Path

import pytest
from mypy import api

from plumbline.models.columns import columns_of
from plumbline.models.hosts import COUNTED, HOST, Host, HostState

BACKEND = Path(__file__).parents[2]
CODE = """
from plumbline.models.columns import columns_of
from plumbline.models.hosts import Host
host = columns_of(Host)
reveal_type(host.name)
reveal_type(host.score)
host.nmae
"""


def test_a_condition_names_the_column() -> None:
    assert str(columns_of(Host).name == "sql-01") == "host.name = :name_1"
    with pytest.raises(AttributeError):
        HOST.nmae  # noqa: B018


def test_mypy_knows_the_type_of_a_column_and_rejects_a_wrong_name(tmp_path: Path) -> None:
    (tmp_path / "use_columns.py").write_text(CODE)
    out, _, status = api.run(["--config-file", str(BACKEND / "pyproject.toml"), str(tmp_path / "use_columns.py")])
    assert status == 1
    assert 'Mapped[str]"' in out
    assert 'Mapped[int | None]"' in out
    assert '"plumbline.models.hosts.Host" has no column "nmae"' in out


def test_counted_as_text_equals_the_states() -> None:
    assert f"state IN ('{HostState.ACTIVE}', '{HostState.QUARANTINED}')" == COUNTED
