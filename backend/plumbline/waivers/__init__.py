"""Waivers and attestations: requested, decided, previewed, reminded of."""
