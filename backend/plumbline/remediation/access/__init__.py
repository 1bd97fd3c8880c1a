"""How Plumbline reaches the runner of a host, and test pings from a host."""
