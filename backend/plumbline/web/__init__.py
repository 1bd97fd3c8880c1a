"""The FastAPI application: routes joined, headers, health, metrics, live updates."""
