"""The owner's address of a test's own database."""

import pytest
from sqlalchemy import make_url

from plumbline.ops import embedded_servers


@pytest.fixture
def owner(cluster: embedded_servers.PostgresCluster, fresh_database: str) -> str:
    """URL of this test's database as its owner."""
    return cluster.url(embedded_servers.OWNER, make_url(fresh_database).database or "")
