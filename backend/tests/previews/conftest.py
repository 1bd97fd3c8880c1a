"""The application and its small fleet, as the tests of the API have them, with packs that can be published."""

from tests.api.conftest import address, api_database, app, ask, world
from tests.packs.conftest import publish

__all__ = ["address", "api_database", "app", "ask", "publish", "world"]
