"""The settings that need several sections of one host: their facts read, the settings gathered one by one."""

from collections.abc import Hashable, Mapping
from typing import Any

from plumbline.core.facts.configuration import NOT_COLLECTED, Facts, Reading, SettingValue, Source, Subject, Value
from plumbline.core.facts.listings import OBSERVATION


class Join:
    """The facts of each section, and the settings that the join of one host has given so far; later parts of it read earlier ones."""

    def __init__(
        self,
        sections: Mapping[str, Facts],
        unread: Mapping[str, str] | None = None,
        roles_by_person: Mapping[Subject, str] | None = None,
    ) -> None:
        """`unread`: sections that gave nothing, each with the reason; `roles_by_person`: roles that a person set."""
        self.sections = sections
        self.unread = unread or {}
        self.roles_by_person = roles_by_person or {}
        self.facts = Facts()

    def observation(self, section: str, name: str, default: Any = None) -> Any:
        """An observation of one section, or the default where it has none."""
        facts = self.sections.get(section)
        found = None if facts is None else facts.observations.get(name)
        return default if found is None else found

    def entry(self, section: str, name: str, key: Hashable) -> Any:
        """One entry of an observation that is a mapping; None where there is none."""
        found = self.observation(section, name)
        return None if found is None else found.get(key)

    def reading(self, section: str, subject: Subject, key: str) -> Reading | None:
        """What one section read of a setting; None where it did not."""
        facts = self.sections.get(section)
        return None if facts is None else facts.readings.get(subject, {}).get(key)

    def value(self, section: str, subject: Subject, key: str) -> Any:
        """The value that one section gave a setting; None where it gave none."""
        reading = self.reading(section, subject, key)
        return reading.value if isinstance(reading, Value) else None

    def current(self, subject: Subject, key: str) -> Reading | None:
        """What the join has given a setting so far; None for nothing."""
        return self.facts.readings.get(subject, {}).get(key)

    def why_unread(self, section: str, command: str) -> str:
        """Why a command of a section gave nothing; empty where it answered."""
        if section in self.unread:
            return self.unread[section]
        if section not in self.sections:
            return NOT_COLLECTED.reason
        reason = self.entry(section, "reads", command)
        return f"{command} was not read" if reason is None else str(reason)

    def why_not_whole(self, section: str, command: str) -> str:
        """Why a command of a section did not list everything; empty where it did. What it did list counts all the same."""
        if section in self.unread or section not in self.sections:
            return self.why_unread(section, command)
        reason = self.entry(section, OBSERVATION, command)
        return f"{command} was not read" if reason is None else str(reason)

    def set(self, subject: Subject, key: str, reading: Reading) -> None:
        """Gives a setting. A value is replaced only by another value."""
        self.facts.set(subject, key, reading)

    def set_value(self, subject: Subject, key: str, value: SettingValue, source: Source) -> None:
        """Gives a setting its value."""
        self.facts.set_value(subject, key, value, source)

    def set_default(self, subject: Subject, readings: Mapping[str, Reading]) -> None:
        """Gives several settings of a subject: values, and whatever has no reading yet."""
        current = self.facts.readings.setdefault(subject, {})
        for key, reading in readings.items():
            if key not in current or isinstance(reading, Value):
                current[key] = reading

    def replace(self, subject: Subject, key: str, reading: Reading) -> None:
        """Gives a setting, whatever it had before."""
        self.facts.readings.setdefault(subject, {})[key] = reading

    def problem(self, sentence: str) -> None:
        """Adds a sentence for the host's page."""
        self.facts.problems.append(sentence)
