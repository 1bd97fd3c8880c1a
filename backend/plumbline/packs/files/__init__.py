"""Packs: read from files, checked, published, compared. `load_builtin()` gives those that come with Plumbline."""

from plumbline.packs.files.load import load_builtin

__all__ = ["load_builtin"]
