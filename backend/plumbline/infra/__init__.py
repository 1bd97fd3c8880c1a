"""The base of every package: settings, database, clock, task queue, HTTP client, key files, base schemas."""
