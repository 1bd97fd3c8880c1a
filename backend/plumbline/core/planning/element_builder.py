"""Builds the elements of one finding on one host: the host's text now, the wanted text, and what a person would type."""

import re
from dataclasses import dataclass
from typing import NoReturn

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, SettingValue, Subject, Value, setting_text
from plumbline.core.planning import commands
from plumbline.core.planning.inputs import Chosen, HostFacts
from plumbline.core.planning.plan import Command, Element, FindingRef
from plumbline.core.planning.refusals import leave_manual, refuse
from plumbline.core.planning.runner_settings import RunnerSetting, RunnerSettings
from plumbline.core.rules import words

# How `esxi/nics.py` writes the three flags that it read.
_PAUSE_FLAGS = re.compile(r"rx (true|false), tx (true|false), auto-negotiation (true|false)")
_ETHERNET_HEADER = 14
_BINDING = ".binding."


@dataclass(frozen=True, slots=True)
class Draft:
    """An element that is not part of a step yet, and whose traffic it concerns."""

    element: Element
    setting: RunnerSetting
    key: str  # of the list of settings
    subject: Subject
    finding: FindingRef
    do: tuple[Command, ...]
    undo: tuple[Command, ...]

    @property
    def is_right(self) -> bool:
        """The host holds the target already."""
        return self.element.seen == self.element.target


class ElementBuilder:
    """Builds the elements of one finding on one host. A method that cannot raises `NotPlanned`."""

    def __init__(self, host: HostFacts, chosen: Chosen, settings: RunnerSettings) -> None:
        self.host = host
        self.chosen = chosen
        self.settings = settings
        self.configuration = host.configuration
        self.platform = host.configuration.platform

    def subject(self, key: str) -> Subject:
        """What a setting of the fix belongs to: the finding's own subject, or the host."""
        kind = BY_KEY[key].kind
        if kind not in ("host", self.chosen.subject.kind):
            leave_manual(f"the rule doesn't specify which {words.kind_word(kind)} to set")
        return HOST if kind == "host" else self.chosen.subject

    def target(self, key: str, to: SettingValue | None, fallback: int | None) -> SettingValue:
        """The value that a fix sets; the driver's own maximum, or the paper's figure in its place, where the fix sets that."""
        if to is not None:
            return to
        name = f"{BY_KEY[key].name}_maximum"
        most = self.configuration.value(self.subject(key), name)
        if isinstance(most, int) and not isinstance(most, bool):
            return most
        if fallback is None:
            self.unknown(self.subject(key), name)
        return fallback

    def plain(self, key: str, subject: Subject, target: SettingValue) -> Draft:
        """The element of a setting that is written where it is read."""
        setting = self.setting(key)
        reading = self.known(subject, BY_KEY[key].name)
        self._within_driver(key, subject, target)
        seen = self._seen_text(key, subject, setting, reading)
        return self.draft(key, subject, seen, self._target_text(setting, reading, seen, target), target)

    def draft(self, key: str, subject: Subject, seen: str, target: str, value: SettingValue, catalogue: str = "") -> Draft:
        """A checked element from the host's own texts. `value` is the wanted value, `catalogue` the key that people know, if another."""
        setting = self.setting(key)
        address = subject.address(key.split(".", 1)[1])
        component = key.partition(_BINDING)[2]
        names = self._names(subject)
        if setting.keywords:
            names["keyword"] = self._keyword(setting, subject, key)
        do = commands.write_commands(self.platform, setting, names, seen, target, component)
        if not self.settings.allows_id(setting, subject.id):
            leave_manual(f"name {subject.id!r} contains unsafe characters", *(command.text for command in do))
        shown_key = catalogue or key
        for text in (seen, target):
            if not setting.allows(text):
                label = f"{words.label(shown_key)} of {self.host.name_of(subject)}"
                refuse(
                    "facts_known",
                    address,
                    f"{label}: {text!r} is not a value that can be set and restored",
                    self._look(setting, subject),
                )
        entry = BY_KEY.get(shown_key)
        owner = HOST if entry is not None and entry.kind == "host" else subject
        held = self.configuration.value(owner, entry.name) if entry is not None and not catalogue else None
        element = Element(
            setting=address,
            seen=seen,
            target=target,
            inverse=seen,
            catalogue=owner.address(entry.name) if entry is not None else address,
            expects=setting_text(value),
            label=words.label(shown_key),
            shown_seen=words.value(shown_key, held) if held is not None else seen,
            shown_target=target if catalogue else words.value(shown_key, value),
            until_restart=setting.until_restart,
        )
        undo = commands.write_commands(self.platform, setting, names, target, seen, component)
        return Draft(element, setting, key, subject, self.host.ref(self.chosen), do, undo)

    # --- The host's settings --------------------------------------------------------------------------------------------------------

    def setting(self, key: str) -> RunnerSetting:
        """The setting as the runner of this platform and release carries it out."""
        setting = self.settings.get(self.platform, key)
        if setting is None:
            leave_manual(f"{words.label(key)} can't be automated on this platform")
        if self.host.release in setting.not_on:
            leave_manual(setting.not_on[self.host.release])
        if setting.not_on and not self.host.release:
            refuse("release", HOST.address("os_release"), "OS release unknown; not all releases support this setting")
        return setting

    def known(self, subject: Subject, name: str) -> Value:
        """The reading of a setting that the step depends on."""
        reading = self.configuration.read(subject, name)
        if not isinstance(reading, Value):
            self.unknown(subject, name)
        return reading

    def unknown(self, subject: Subject, name: str) -> NoReturn:
        """Refuses because of a setting without a value."""
        reading = self.configuration.read(subject, name)
        assert not isinstance(reading, Value)
        label = f"{words.label(f'{subject.kind}.{name}')} of {self.host.name_of(subject)}"
        command = reading.source.command if reading.source is not None else ""
        refuse("facts_known", subject.address(name), f"{label}: {reading.reason or 'not known'}", command)

    def _within_driver(self, key: str, subject: Subject, target: SettingValue) -> None:
        name = f"{BY_KEY[key].name}_maximum"
        most = self.configuration.value(subject, name)
        if isinstance(most, int) and isinstance(target, int) and not isinstance(target, bool) and target > most:
            offered = f"the driver of {self.host.name_of(subject)} supports at most {most}"
            refuse("driver_limit", subject.address(name), f"{words.label(key)}: {offered}, {target} is asked")

    def _seen_text(self, key: str, subject: Subject, setting: RunnerSetting, reading: Value) -> str:
        """The host's own text of a value: as it was read, where that is in the form that the runner reads."""
        raw = reading.source.raw
        if key == "adapter.flow_control" and self.platform == "esxi":
            flags = _PAUSE_FLAGS.search(raw)
            if flags is None:
                text = f"pause flags of {self.host.name_of(subject)} were reported as {raw!r} and can't be restored"
                refuse("facts_known", subject.address("flow_control"), text, self._look(setting, subject))
            return f"{flags[3]},{flags[1]},{flags[2]}"
        if setting.inherit:
            inherited = self.known(subject, key.split(".", 1)[1].removesuffix("_seconds") + "_inherited")
            if inherited.value is True:
                return commands.INHERIT
        if setting.delete or (setting.keywords and reading.source.section == "properties"):
            return raw
        return setting.words.get(setting_text(reading.value), setting_text(reading.value))

    def _target_text(self, setting: RunnerSetting, reading: Value, seen: str, target: SettingValue) -> str:
        """The host's text of the value that is wanted."""
        text = setting_text(target)
        one_at_a_time = "Set it in the adapter's advanced properties, one adapter at a time."
        if setting.number == "frame":
            # The driver counts the frame with its header or without: its figure keeps the distance to the L3 MTU that it has now.
            now = reading.value
            if (
                not isinstance(now, int)
                or not isinstance(target, int)
                or not seen.isdigit()
                or int(seen) - now not in (0, _ETHERNET_HEADER)
            ):
                leave_manual("the driver uses index values instead of bytes", one_at_a_time)
            return str(target + int(seen) - now)
        if setting.number == "plain" and setting.keywords and seen != setting_text(reading.value):
            leave_manual("the driver uses index values instead of sizes", one_at_a_time)
        return setting.words.get(text, text)

    def _look(self, setting: RunnerSetting, subject: Subject) -> str:
        """What a person runs to see the value."""
        if setting.keywords:
            return f"Get-NetAdapterAdvancedProperty -Name {commands.quoted(self.platform, self.host.name_of(subject))} -AllProperties"
        return setting.read.partition(": ")[0].partition("{")[0].strip()

    def _keyword(self, setting: RunnerSetting, subject: Subject, key: str) -> str:
        """The keyword of the list that this driver has, as it spells it; the first where it is not known by which it was read."""
        reading = self.configuration.read(subject, key.split(".", 1)[1])
        read_by = reading.source.field if isinstance(reading, Value) and reading.source.section == "properties" else ""
        return read_by if read_by.lower() in {keyword.lower() for keyword in setting.keywords} else setting.keywords[0]

    def _names(self, subject: Subject) -> dict[str, str]:
        """What the templates of commands may name of a subject."""
        names = {"name": self.host.name_of(subject), "id": subject.id}
        guid = self.configuration.value(subject, "interface_guid")
        names["guid"] = "{" + str(guid or "") + "}"
        if self.platform == "esxi" and subject.kind in ("volume", "vswitch", "vnic"):
            names["name"] = subject.id
        if subject.kind == "target":
            initiator, _, target = subject.id.partition(">")
            portals = str(self.configuration.value(subject, "address") or "").replace(",", " ")
            names.update(name=self.host.name_of(Subject("initiator", initiator)), target=target, portals=portals)
        return names
