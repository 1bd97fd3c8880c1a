"""The settings that a step may change, as `agents/schema/runner-settings.yaml` lists them. What is not in the list is never automated."""

import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import yaml

from plumbline.core.facts.catalogue import TakesEffect
from plumbline.core.facts.configuration import Platform
from plumbline.core.rules.rule import Impact


class RunnerSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One setting of one platform: how its values look on the host and what changing it disrupts. The list's head explains each field."""

    id: str
    value: str
    takes_effect: TakesEffect
    restart: Literal["adapter", "vnic", "none"]
    cuts: bool
    impact: Impact
    words: dict[str, str] = {}
    number: Literal["plain", "frame", ""] = ""
    keywords: tuple[str, ...] = ()
    read: str = ""
    write: str = ""
    delete: str = ""
    inherit: str = ""
    field: str = ""
    option: str = ""
    not_on: dict[str, str] = {}
    until_restart: str = ""

    @property
    def drops_traffic(self) -> bool:
        """Writing it, or the restart that it owes, takes paths while it lasts."""
        return self.cuts or self.restart != "none"

    def allows(self, text: str) -> bool:
        """The text may be a seen, target or inverse value."""
        return re.fullmatch(self.value, text) is not None


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    ids: dict[str, str]
    windows: dict[str, RunnerSetting]
    esxi: dict[str, RunnerSetting]


class RunnerSettings:
    """The whole list: settings by platform and key, and the pattern that each id must match."""

    def __init__(self, by_platform: Mapping[Platform, Mapping[str, RunnerSetting]], ids: Mapping[str, str]) -> None:
        self._by_platform = by_platform
        self._ids = {name: re.compile(pattern) for name, pattern in ids.items()}

    def get(self, platform: Platform, key: str) -> RunnerSetting | None:
        """The setting of a key such as `adapter.mtu`, or None where no step may change it."""
        return self._by_platform[platform].get(key)

    def keys(self, platform: Platform) -> list[str]:
        """All keys of a platform, sorted."""
        return sorted(self._by_platform[platform])

    def allows_id(self, setting: RunnerSetting, subject_id: str) -> bool:
        """The id has the form that the runner accepts for this setting."""
        return self._ids[setting.id].fullmatch(subject_id) is not None


def parse(text: str) -> RunnerSettings:
    """The list from the text of its file. Raises `msgspec.ValidationError` or `ValueError` naming what is wrong in it."""
    plain: Any = yaml.safe_load(text)
    read = msgspec.convert(plain, _Document)
    for platform in ("windows", "esxi"):
        for key, setting in getattr(read, platform).items():
            if setting.id not in read.ids:
                raise ValueError(f"{platform} {key}: no id pattern is named {setting.id!r}")
            if not setting.keywords and not (setting.read and setting.write):
                raise ValueError(f"{platform} {key}: it has neither keywords nor commands to read and write")
            unfit = [host for host in setting.words.values() if not setting.allows(host)]
            if unfit:
                raise ValueError(f"{platform} {key}: {unfit[0]!r} does not match its own pattern")
    return RunnerSettings({"windows": read.windows, "esxi": read.esxi}, read.ids)
