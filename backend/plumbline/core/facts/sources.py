"""Where each setting of the catalogue is read, on both platforms."""

from plumbline.core.facts.catalogue import SettingSource
from plumbline.core.facts.esxi import sources as esxi
from plumbline.core.facts.windows import sources as windows


def sources_of(key: str) -> tuple[SettingSource, ...]:
    """Section, command and field for a key, on each platform that has it; empty for what only a person can enter."""
    return (*windows.SOURCES.get(key, ()), *esxi.SOURCES.get(key, ()))
