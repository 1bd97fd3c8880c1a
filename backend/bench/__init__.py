"""Benchmarks: each measures beside a peer, in the same run, and writes to `docs/measured/`."""

import os

# The lab's hosts listen on this machine, which an operator would have to allow.
os.environ.setdefault("PLUMBLINE_HOSTS_ON_LOOPBACK", "true")
