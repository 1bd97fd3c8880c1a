"""Hosts, the tree of groups they are in, and how a host enrols."""
