"""Benchmarks: each measures beside a peer, in the same run, and writes to `docs/measured/`."""
