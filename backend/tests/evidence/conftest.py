"""The served application and fleet of the API's tests, with a folder of keys, a waiver and an audit chain in it."""

from tests.api.conftest import address, api_database, app, ask, world

__all__ = ["address", "api_database", "app", "ask", "world"]
