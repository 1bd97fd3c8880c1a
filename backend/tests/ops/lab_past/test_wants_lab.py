"""Which start runs a lab: by what the home is, and by the option where it was given."""

import psycopg
import pytest

from plumbline.infra.database import direct_url
from plumbline.ops import lab_past


@pytest.mark.parametrize(
    ("home", "asked", "wanted"),
    [
        ("is_demo = false", None, True),
        ("is_demo = false", True, True),
        ("is_demo = false", False, False),
        # Begun empty: a set-up code was printed.
        ("setup_code_hash = 'x'", None, False),
        ("setup_code_hash = 'x'", True, True),
        ("setup_done_at = now()", None, False),
        ("setup_done_at = now()", True, False),
        ("is_demo = true, setup_done_at = now()", None, True),
        ("is_demo = true, setup_done_at = now()", False, True),
    ],
)
def test_a_home_stays_what_it_is(owner: str, home: str, asked: bool | None, wanted: bool) -> None:
    with psycopg.connect(direct_url(owner), autocommit=True) as connection:
        connection.execute(f"UPDATE installation SET {home} WHERE id = 1")  # type: ignore[arg-type]
    is_demo, remark = lab_past.wants_lab(owner, asked)
    assert is_demo is wanted
    # Said wherever the option is not followed.
    assert (remark != "") == (asked is not None and asked is not wanted)
