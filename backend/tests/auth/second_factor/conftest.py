"""The application with two local people, for tests of second factors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline import auth
from plumbline.auth import passwords
from plumbline.infra.database import session_scope
from tests.api.conftest import served, the_app
from tests.auth.second_factor.people import PASSWORD


@pytest.fixture
def base(fresh_database: str, keys_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The application, with passwords that cost nothing, and the people ana (admin) and raj (approver)."""
    monkeypatch.setattr(passwords, "hash_password", lambda password: f"plain {password}")
    for module in ("sessions", "sign_in"):
        monkeypatch.setattr(f"plumbline.auth.{module}.verify_password", lambda given, stored: (stored == f"plain {given}", None))
    with session_scope() as session:
        auth.create_person(session, actor="system", login="ana", display_name="Ana", password=PASSWORD, roles=[("admin", 1)])
        auth.create_person(session, actor="system", login="raj", display_name="Raj", password=PASSWORD, roles=[("approver", 1)])
    with served(the_app()) as address:
        yield f"{address}/api/v1"
