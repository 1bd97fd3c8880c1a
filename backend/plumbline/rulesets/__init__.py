"""Packs: read from files, checked, published, compared. `load_builtin()` gives those that come with Plumbline."""

from plumbline.rulesets.load import load_builtin

__all__ = ["load_builtin"]
