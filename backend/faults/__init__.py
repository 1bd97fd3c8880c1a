"""Fault tests in their full form: `python -m faults agents` (from `backend/`). Their short forms run with the other tests."""
