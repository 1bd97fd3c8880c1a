"""The same served application and fleet as the API's tests."""

from tests.api.conftest import address, api_database, app, ask, world

__all__ = ["address", "api_database", "app", "ask", "world"]
