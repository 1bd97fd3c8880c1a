"""Fault tests in their full form: `python -m faults agents` (from `backend/`). Their short forms run with the other tests."""

import os

# The lab's hosts listen on this machine, which an operator would have to allow.
os.environ.setdefault("PLUMBLINE_HOSTS_ON_LOOPBACK", "true")
