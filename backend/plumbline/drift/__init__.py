"""Drift: differences of hosts from the standard, their baselines and their peers; and accepting baselines."""
