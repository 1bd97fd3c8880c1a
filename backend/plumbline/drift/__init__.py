"""Baselines: the configurations that somebody accepted, and how hosts stand beside them."""
