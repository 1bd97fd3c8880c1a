"""Joining the sections of one host anew without doing anew what rests on nothing that changed.

A join is a row of steps. Each looks at observations and readings of sections, at values of earlier steps and at settings that earlier steps
told; it tells settings and gives a value. `Steps` notes every look. At the host's next check-in a step all of whose looks would see the
same is not run again: what it told stands. So nobody has to say by hand what a step rests on, and nobody can say it wrongly.
"""

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from plumbline.core.facts.configuration import Facts, Reading, SettingValue, Source, Subject, Value, differing_keys

T = TypeVar("T")

# How a step looked: at an observation, at one entry of one, at a reading of a section, at a setting told before, at another step's value.
_OBSERVATION, _ENTRY, _READING, _TOLD, _VALUE = range(5)
_IN_SECTIONS = (_OBSERVATION, _ENTRY, _READING)
_Look = tuple[int, Hashable, Hashable, Hashable]
# The looks at each place, each with the steps that made it.
_Readers = Mapping[Hashable, Mapping[_Look, list[Hashable]]]
_NOBODY: Mapping[_Look, list[Hashable]] = {}
# Told as: over whatever stands (a key and its reading), under a value that stands, or several at once under values that stand.
_SET, _PUT, _LAY = range(3)
_Word = tuple[int, str, Any]


@dataclass(slots=True, eq=False)
class _Step:
    """One step as it ran: what it was given, what it looked at and saw, what it told, and its value."""

    given: tuple[object, ...]
    # By the section, step or subject that it looked at: where none of them moved, no look has to be made again.
    looks: dict[Hashable, dict[_Look, object]] = field(default_factory=dict)
    told: dict[Subject, list[_Word]] = field(default_factory=dict)
    # What stood before this step first told it otherwise: that is what a look of its own rests on.
    stood: dict[tuple[Subject, str], Reading | None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    value: object = None


class Steps:
    """The join of one host. `before` is that of its previous check-in; it is never changed."""

    def __init__(
        self,
        parts: Mapping[str, Facts],
        unread: Mapping[str, str],
        by_person: Mapping[Subject, str],
        before: "Steps | None" = None,
        moved: Collection[str] | None = None,
    ) -> None:
        """`moved`: the only sections whose facts are not the very object of before, where that is known."""
        self.parts = parts
        self.unread = unread
        self.by_person = by_person
        if before is not None and (before.parts.keys() != parts.keys() or before.unread != unread or before.by_person != by_person):
            # Seldom, and steps ask for these three without a note.
            before = None
        self.readings: dict[Subject, dict[str, Reading]] = {}
        # Once finished: the settings that are not as before, keys by subject; None where there was no before.
        self.differing: dict[Subject, list[str]] | None = None
        self._before = before
        self._steps: dict[Hashable, _Step] = {}
        # Sections, steps and subjects that read otherwise than before, and the steps that had looked at one of them.
        self._moved: set[Hashable] = set()
        self._doubtful: set[Hashable] = set()
        # The steps that surely see something else than before.
        self._stale: set[Hashable] = set()
        # The looks at each section, step and subject, each with the steps that made it.
        self._readers: _Readers = before._readers if before is not None else {}
        if before is not None:
            for name in parts if moved is None else moved:
                if parts[name] is not before.parts[name]:
                    self._look_again(name, before._steps)
        # The steps of each family, where there are such; no step looked elsewhere than before.
        self._families: dict[str, Collection[Hashable]] = {}
        self._looks_alike = before is not None
        # Subjects whose settings are being told anew.
        self._live: dict[Subject, dict[str, Reading]] = {}
        self._running: _Step | None = None

    # Looking.

    def seen(self, section: str, name: str, otherwise: Any = None) -> Any:
        """An observation of one section, or what stands for it."""
        facts = self.parts.get(section)
        found = None if facts is None else facts.observations.get(name)
        self._note((_OBSERVATION, section, name, None), section, found)
        return otherwise if found is None else found

    def entry(self, section: str, name: str, key: Hashable) -> Any:
        """One entry of an observation that is a mapping; None where there is none."""
        found = self._entry(section, name, key)
        self._note((_ENTRY, section, name, key), section, found)
        return found

    def reading(self, section: str, subject: Subject, key: str) -> Reading | None:
        """What one section read of a setting; None where it did not."""
        found = self._reading(section, subject, key)
        self._note((_READING, section, subject, key), section, found)
        return found

    def told(self, subject: Subject, key: str) -> Reading | None:
        """What the steps so far told of a setting; None for nothing."""
        found = self._standing(subject).get(key)
        running = self._running
        if running is not None:
            self._note((_TOLD, subject, key, None), subject, running.stood.get((subject, key), found))
        return found

    def value_of(self, name: Hashable) -> Any:
        """The value of an earlier step."""
        found = self._steps[name].value
        self._note((_VALUE, name, None, None), name, found)
        return found

    # Telling.

    def set(self, subject: Subject, key: str, reading: Reading) -> None:
        """Tells a setting, whatever was told of it."""
        self._tell(subject, (_SET, key, reading))

    def put(self, subject: Subject, key: str, reading: Reading) -> None:
        """Tells a setting. A value never gives way to an unknown."""
        self._tell(subject, (_PUT, key, reading))

    def say(self, subject: Subject, key: str, value: SettingValue, source: Source) -> None:
        """Tells a value."""
        self._tell(subject, (_PUT, key, Value(value, source)))

    def lay(self, subject: Subject, readings: Mapping[str, Reading]) -> None:
        """Tells several settings of a subject that this step does not look at: those not told yet, and values over all."""
        running = self._running
        assert running is not None
        words = running.told.setdefault(subject, [])
        word = (_LAY, "", readings)
        words.append(word)
        _follow(self._standing(subject), word)

    def complain(self, problem: str) -> None:
        """A sentence for the host's page."""
        assert self._running is not None
        self._running.problems.append(problem)

    # Running.

    def only(self, family: str, names: Collection[tuple[Hashable, ...]]) -> None:
        """Says which steps of a family, those whose names begin with it, there are this time, before they are run."""
        self._families[family] = names
        if self._before is None or self._before._families.get(family) == names:
            return
        for name, step in self._before._steps.items():
            if isinstance(name, tuple) and name[0] == family and name not in names:
                self._move(*step.told)
                for subject in step.told:
                    self._standing(subject)

    def step(self, name: Hashable, run: Callable[[], T], *given: object) -> T:
        """The step's value; it runs only where something that it was given or looked at is not as before."""
        old = self._before._steps.get(name) if self._before is not None else None
        if old is not None and (name not in self._doubtful or self._stands(name, old)) and old.given == given:
            self._steps[name] = old
            if old.told:
                for subject, live in self._live.items():
                    for word in old.told.get(subject, ()):
                        _follow(live, word)
            return cast(T, old.value)
        self._running = mine = _Step(given)
        try:
            mine.value = run()
        finally:
            self._running = None
        if old is None:
            self._looks_alike = False
            self._move(name, *mine.told)
        else:
            self._looks_alike = self._looks_alike and _looks_of(old) == _looks_of(mine)
            self._compare(name, old, mine)
        self._steps[name] = mine
        return mine.value

    def finish(self) -> Facts:
        """Everything told. Settings of a subject that are as before are the very object of before."""
        if self._before is None:
            self.readings = self._live
        else:
            if self._steps.keys() != self._before._steps.keys():
                self._looks_alike = False
                for name in self._before._steps.keys() - self._steps.keys():
                    for subject in self._before._steps[name].told:
                        self._standing(subject)
            # Whatever a step told otherwise than before, or no step tells any more, was told anew.
            self.readings = dict(self._before.readings)
            self.differing = {}
            for subject, live in self._live.items():
                self._settle(subject, live, self.differing)
        problems = [problem for step in self._steps.values() for problem in step.problems]
        if not self._looks_alike:
            self._readers = _readers_of(self._steps)
        # What was before is of no more use, and would keep everything before it alive.
        self._before = None
        self._live = {}
        return Facts(readings=self.readings, problems=problems)

    def _settle(self, subject: Subject, live: dict[str, Reading], differing: dict[Subject, list[str]]) -> None:
        """Takes over what was told anew of a subject, and adds what of it is not as before."""
        before = self.readings.get(subject)
        if not live and not any(subject in step.told for step in self._steps.values()):
            if before is not None:
                del self.readings[subject]
                differing[subject] = list(before)
        elif before is None:
            self.readings[subject] = live
            differing[subject] = list(live)
        elif keys := differing_keys(before, live):
            self.readings[subject] = live
            differing[subject] = keys

    def _compare(self, name: Hashable, old: _Step, mine: _Step) -> None:
        """What of a step that ran again is not as before."""
        if mine.value is not old.value:
            if _is_same(mine.value, old.value):
                mine.value = old.value
            else:
                self._move(name)
        for subject in {*old.told, *mine.told}:
            if old.told.get(subject) != mine.told.get(subject):
                self._move(subject)
                self._standing(subject)

    def _move(self, *places: Hashable) -> None:
        """These read otherwise than before."""
        self._moved.update(places)
        for place in places:
            for names in self._readers.get(place, _NOBODY).values():
                self._doubtful.update(names)

    def _look_again(self, section: str, before: Mapping[Hashable, _Step]) -> None:
        """Finds the steps that see something else in a section that is not as before. It is the same for the whole join: one look answers
        for all steps that made it."""
        for look, names in self._readers.get(section, _NOBODY).items():
            # A step may have the name of a section.
            if look[0] in _IN_SECTIONS and not _is_same(self._again(look), before[names[0]].looks[section][look]):
                self._stale.update(names)
                self._doubtful.update(names)

    def _note(self, look: _Look, place: Hashable, found: object) -> None:
        running = self._running
        if running is not None:
            looks = running.looks.get(place)
            if looks is None:
                running.looks[place] = {look: found}
            else:
                looks.setdefault(look, found)

    def _stands(self, name: Hashable, step: _Step) -> bool:
        if name in self._stale:
            return False
        looks, moved = step.looks, self._moved
        for place in moved if len(moved) < len(looks) else looks:
            if place in looks and place in moved:
                for look, was in looks[place].items():
                    if not _is_same(self._again(look), was):
                        return False
        return True

    def _again(self, look: _Look) -> object:
        how, first, second, third = look
        if how == _TOLD:
            return self._standing(cast(Subject, first)).get(cast(str, second))
        if how == _VALUE:
            found = self._steps.get(first)
            return None if found is None else found.value
        if how == _ENTRY:
            return self._entry(cast(str, first), cast(str, second), third)
        if how == _READING:
            return self._reading(cast(str, first), cast(Subject, second), cast(str, third))
        facts = self.parts.get(cast(str, first))
        return None if facts is None else facts.observations.get(cast(str, second))

    def _entry(self, section: str, name: str, key: Hashable) -> Any:
        facts = self.parts.get(section)
        held: Any = None if facts is None else facts.observations.get(name)
        return None if held is None else held.get(key)

    def _reading(self, section: str, subject: Subject, key: str) -> Reading | None:
        facts = self.parts.get(section)
        return None if facts is None else facts.readings.get(subject, {}).get(key)

    def _tell(self, subject: Subject, word: _Word) -> None:
        running = self._running
        assert running is not None
        standing = self._standing(subject)
        running.stood.setdefault((subject, word[1]), standing.get(word[1]))
        words = running.told.get(subject)
        if words is None:
            running.told[subject] = [word]
        else:
            words.append(word)
        _follow(standing, word)

    def _standing(self, subject: Subject) -> dict[str, Reading]:
        """What the steps so far told of a subject; from now on it follows what is told."""
        live = self._live.get(subject)
        if live is None:
            live = self._live[subject] = {}
            for step in self._steps.values():
                for word in step.told.get(subject, ()):
                    _follow(live, word)
        return live


def _readers_of(steps: Mapping[Hashable, _Step]) -> _Readers:
    readers: dict[Hashable, dict[_Look, list[Hashable]]] = {}
    for name, step in steps.items():
        for place, looks in step.looks.items():
            mine = readers.setdefault(place, {})
            for look in looks:
                mine.setdefault(look, []).append(name)
    return readers


def _looks_of(step: _Step) -> tuple[list[Hashable], list[list[_Look]]]:
    return list(step.looks), list(map(list, step.looks.values()))


def _is_same(found: object, was: object) -> bool:
    if found is was:
        return True
    # A step may go through a mapping in its order.
    return found == was and (not isinstance(found, dict) or not isinstance(was, dict) or list(found) == list(was))


def _follow(standing: dict[str, Reading], word: _Word) -> None:
    how, key, reading = word
    if how == _LAY and not standing:
        standing.update(reading)
    elif how == _LAY:
        for each, laid in reading.items():
            if each not in standing or isinstance(laid, Value):
                standing[each] = laid
    elif how == _SET or isinstance(reading, Value) or not isinstance(standing.get(key), Value):
        standing[key] = reading
