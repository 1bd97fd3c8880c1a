"""What every package stands on: settings, database, clock, task queue, HTTP client, key files, base schemas."""
