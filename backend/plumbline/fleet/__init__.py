"""Screens over the whole fleet: overview, matrix, rules, score, search, saved views, trends."""
