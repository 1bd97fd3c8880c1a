"""Writes the text of the generated evaluation function. Pure text work; `compile.py` gives it its names and runs it.

The order of what is written: host clauses first, each once; then, for every set of rules that share their clauses, the subjects that those
clauses do not prove false, with 1 where all hold and 2 where one is not known; then each rule of the set on each such subject. States of
a clause are 1 (holds), 0 (proven false), 2 (not known).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from plumbline.core.facts.configuration import Platform, Scalar
from plumbline.core.facts.listings import HARDWARE_INITIATORS
from plumbline.core.rules.rule import (
    AllOf,
    AnyOf,
    Check,
    Condition,
    Expectation,
    Has,
    HostClause,
    InitiatorMode,
    Rule,
    SubjectClause,
    is_list,
    is_version,
)


@dataclass(frozen=True, slots=True)
class Generated:
    """The text, and what its `R…` and `E…` names refer to."""

    text: str
    rules: tuple[Rule, ...]
    nodes: tuple[tuple[Rule, Expectation], ...]


def generate(rules: Sequence[Rule], platform: Platform) -> Generated:
    """The text of `evaluate(configuration, indexed, peers, unread) -> list[Verdict]`."""
    return _Writer(rules, platform).write()


def literal(value: Scalar) -> str:
    """A checked value as Python text. Nothing but exact bools, integers and text passes."""
    if type(value) not in (bool, int, str):
        raise TypeError(f"{value!r} cannot be part of generated code")
    return repr(value)


def _tuple(values: Sequence[Scalar]) -> str:
    return "(" + "".join(f"{literal(value)}, " for value in values) + ")"


def _get(keys: str) -> str:
    """The name of the `get` of the readings called `keys`: of the host (`H`) or of the current subject (`k`), both bound beforehand."""
    return {"H": "hget", "k": "get"}[keys]


def _name(key: str) -> str:
    """The part of a key inside its subject, as a literal."""
    return literal(key.split(".", 1)[1])


def _equals(values: Sequence[Scalar]) -> str:
    """An expression that is true where `v` is one of the values, of the same type: True is not 1."""
    texts = [value for value in values if isinstance(value, str)]
    parts = []
    if len(texts) == 1:
        parts.append(f"v == {literal(texts[0])}")
    elif texts:
        parts.append(f"v in {_tuple(texts)}")
    for value in values:
        if isinstance(value, bool):
            parts.append(f"v is {literal(value)}")
        elif isinstance(value, int):
            parts.append(f"(v.__class__ is int and v == {literal(value)})")
    return " or ".join(parts) or "False"


def _state(condition: Condition) -> str:
    """An expression for the state of a condition on the value `v`."""
    if condition.test == "one_of":
        return f"1 if {_equals(condition.values)} else 0"
    if condition.test == "none_of":
        return f"0 if {_equals(condition.values)} else 1"
    if condition.test == "contains":
        return f"contains(v, {literal(condition.values[0])})"
    if condition.test == "contains_value_of":
        raise ValueError("contains_value_of is only for a subject that must be present")
    sign = ">=" if condition.test == "at_least" else "<="
    return f"2 if v.__class__ is not int else 1 if v {sign} {literal(condition.values[0])} else 0"


@dataclass(slots=True)
class _Writer:
    rules: Sequence[Rule]
    platform: Platform
    lines: list[str] = field(default_factory=list)
    depth: int = 0
    nodes: list[tuple[Rule, Expectation]] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    counter: int = 0

    def write(self) -> Generated:
        kept = tuple(rule for rule in self.rules if not rule.retired)
        self.numbers = {rule.address: index for index, rule in enumerate(kept)}
        applying = [rule for rule in kept if rule.applies_to.platform in (None, self.platform)]
        other = [rule for rule in kept if rule not in applying]
        self.line("def evaluate(configuration, indexed, peers, unread):")
        with self.block():
            self.line("out = [" + ", ".join(f"RN{self.numbers[rule.address]}" for rule in other) + "]")
            self.line("add = out.append")
            self.line("hosts = indexed.get('host')")
            self.line("hget = (hosts[0][1] if hosts else NOTHING).get")
            self.line("initiators = indexed.get('initiator')")
            self.line(f"is_engine_unlisted = {literal(HARDWARE_INITIATORS)} in unread")
            host_states = self._host_clauses(applying)
            groups: dict[tuple[str, tuple[HostClause, ...], tuple[SubjectClause, ...]], list[Rule]] = {}
            for rule in applying:
                groups.setdefault((rule.subject_kind, rule.applies_to.host, rule.applies_to.subject), []).append(rule)
            self._subject_clauses(list(groups))
            for (kind, host, subject), rules in groups.items():
                states = [host_states[clause] for clause in host]
                if kind == "host":
                    self._host_group(rules, states)
                else:
                    self._subject_group(rules, kind, subject, states)
            self.line("return out")
        return Generated("\n".join(self.lines) + "\n", kept, tuple(self.nodes))

    # --- text ------------------------------------------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def fresh(self, letter: str) -> str:
        self.counter += 1
        return f"{letter}{self.counter}"

    # --- clauses ---------------------------------------------------------------------------------------------------------------------

    def _condition(self, condition: Condition, keys: str, out: str) -> None:
        """Writes the state of a condition on the readings `keys` into the variable `out`."""
        self.line(f"r = {_get(keys)}({_name(condition.key)}, NC)")
        self.line("if r.__class__ is Value:")
        with self.block():
            self.line("v = r.value")
            self.line(f"{out} = {_state(condition)}")
        self.line("else:")
        with self.block():
            self.line(f"{out} = {1 if condition.test == 'none_of' else 0} if r.__class__ is NotOffered else 2")

    def _host_clauses(self, rules: Sequence[Rule]) -> dict[HostClause, str]:
        states: dict[HostClause, str] = {}
        for rule in rules:
            for clause in rule.applies_to.host:
                if clause in states:
                    continue
                out = states[clause] = self.fresh("h")
                if isinstance(clause, Condition):
                    self._condition(clause, "H", out)
                else:
                    self._has(clause, out)
        return states

    def _has(self, clause: Has, out: str) -> None:
        self.line(f"{out} = 2 if {literal(clause.kind)} in unread else 0")
        self.line(f"for s, k in indexed.get({literal(clause.kind)}, ()):")
        with self.block():
            if clause.id_contains:
                self.line(f"if {literal(clause.id_contains)} not in s.id:")
                with self.block():
                    self.line("continue")
            if clause.where:
                self.line("get = k.get")
            names = []
            for condition in clause.where:
                names.append(self.fresh("c"))
                self._condition(condition, "k", names[-1])
            if clause.modes:
                names.append(self.fresh("c"))
                self._subject_clause(InitiatorMode(clause.modes), names[-1])
            if not names:
                self.line(f"{out} = 1")
                self.line("break")
                return
            self.line(f"if {' and '.join(names)}:")
            with self.block():
                self.line(f"if {' == '.join(names)} == 1:")
                with self.block():
                    self.line(f"{out} = 1")
                    self.line("break")
                self.line(f"{out} = 2")

    def _subject_clauses(self, groups: Sequence[tuple[str, tuple[HostClause, ...], tuple[SubjectClause, ...]]]) -> None:
        """For every kind one walk over its subjects, in which each distinct clause is evaluated once.

        Leaves a list `g_<kind>_<n>` of (subject, readings, state) for each distinct set of clauses.
        """
        self.group_names: dict[tuple[str, tuple[SubjectClause, ...]], str] = {}
        by_kind: dict[str, list[tuple[SubjectClause, ...]]] = {}
        for kind, _, subject in groups:
            if kind != "host" and subject not in by_kind.setdefault(kind, []):
                by_kind[kind].append(subject)
        for kind, sets in by_kind.items():
            for clauses in sets:
                name = self.group_names[(kind, clauses)] = self.fresh("g")
                self.line(f"{name} = []")
            self.line(f"for s, k in indexed.get({literal(kind)}, ()):")
            with self.block():
                self.line("get = k.get")
                states: dict[SubjectClause, str] = {}
                for clauses in sets:
                    for clause in clauses:
                        if clause not in states:
                            states[clause] = self.fresh("c")
                            self._subject_clause(clause, states[clause])
                for clauses in sets:
                    self._append(self.group_names[(kind, clauses)], [states[clause] for clause in clauses])

    def _subject_clause(self, clause: SubjectClause, out: str) -> None:
        if isinstance(clause, Condition):
            self._condition(clause, "k", out)
            return
        without = 1 if "software" in clause.modes else 0
        in_doubt = "is_engine_unlisted and may_offload(k.get('family', NC))"
        named = f"initiator_mode(initiators, s.id, {_tuple(clause.modes)}, {in_doubt})"
        self.line(f"{out} = {named} if initiators else 2 if {in_doubt} else {without}")

    def _append(self, group: str, names: list[str]) -> None:
        if not names:
            self.line(f"{group}.append((s, k, 1))")
            return
        self.line(f"if {' and '.join(names)}:")
        with self.block():
            self.line(f"{group}.append((s, k, 1 if {' == '.join(names)} == 1 else 2))")

    # --- rules -----------------------------------------------------------------------------------------------------------------------

    def _host_group(self, rules: list[Rule], states: list[str]) -> None:
        with self._where_it_applies(rules, states, None):
            for rule in rules:
                self._rule(rule, "H", "HOST", "")

    @contextmanager
    def _where_it_applies(self, rules: list[Rule], states: list[str], group: str | None) -> Iterator[None]:
        """Writes the verdicts where host clauses are false or not known; the body of the `with` is for where they all hold."""
        if not states:
            yield
            return
        numbers = [self.numbers[rule.address] for rule in rules]
        self.line(f"if not ({' and '.join(states)}):")
        with self.block():
            self._same_for_all(numbers, "N", group)
        self.line(f"elif not ({' == '.join(states)} == 1):")
        with self.block():
            self._same_for_all(numbers, "U", group)
        self.line("else:")
        with self.block():
            yield

    def _same_for_all(self, numbers: list[int], outcome: str, group: str | None) -> None:
        if group is None:
            self.line("out += (" + "".join(f"R{outcome}{number}, " for number in numbers) + ")")
            return
        self.line(f"for s, k, w in {group}:")
        with self.block():
            for number in numbers:
                self.line(f"add(new(Verdict, (R{number}, s, {outcome})))")

    def _subject_group(self, rules: list[Rule], kind: str, subject: tuple[SubjectClause, ...], states: list[str]) -> None:
        group = self.group_names[(kind, subject)]
        numbers = [self.numbers[rule.address] for rule in rules]
        self.line(f"if not {group}:")
        with self.block():
            unread = "".join(f"RU{number}, " for number in numbers)
            nothing = "".join(f"RN{number}, " for number in numbers)
            # A clause of the host that is proven false leaves nothing to look for.
            applies = "".join(f" and {state}" for state in states)
            self.line(f"out += ({unread}) if {literal(kind)} in unread{applies} else ({nothing})")
        self.line("else:")
        with self.block(), self._where_it_applies(rules, states, group):
            uniform: dict[str, str] = {}
            for rule in rules:
                for key in _compared_on_host(rule.expect):
                    if key not in uniform:
                        uniform[key] = self.fresh("u")
                        self.line(f"{uniform[key]} = uniform({group}, {_name(key)})")
            self.uniform = uniform
            self.line(f"for s, k, w in {group}:")
            with self.block():
                self.line("get = k.get")
                if subject:
                    self.line("if w == 1:")
                    with self.block():
                        for rule in rules:
                            self._rule(rule, "k", "s", group)
                    self.line("else:")
                    with self.block():
                        for number in numbers:
                            self.line(f"add(new(Verdict, (R{number}, s, U)))")
                else:
                    for rule in rules:
                        self._rule(rule, "k", "s", group)

    def _rule(self, rule: Rule, keys: str, subject: str, group: str) -> None:
        self._expectation(rule, rule.expect, keys, subject, group, "o")
        self.line(f"add(new(Verdict, (R{self.numbers[rule.address]}, {subject}, o)))")

    def _expectation(self, rule: Rule, expectation: Expectation, keys: str, subject: str, group: str, out: str) -> None:
        if isinstance(expectation, AllOf | AnyOf):
            names = []
            for part in expectation.parts:
                names.append(self.fresh("o"))
                self._expectation(rule, part, keys, subject, group, names[-1])
            parts = ", ".join(names)
            if isinstance(expectation, AllOf):
                passes = " and ".join(f"{name} is P" for name in names)
                self.line(f"{out} = P if {passes} else all_of(({parts}))")
            else:
                self.line(f"{out} = any_of(({parts}))")
            return
        if not isinstance(expectation, Check) or expectation.operator in ("distinct", "sum_at_most"):
            # These read other subjects and are few: the reference evaluates them.
            self.nodes.append((rule, expectation))
            self.line(f"{out} = reference(*E{len(self.nodes) - 1}, {subject}, configuration, peers, unread)")
            return
        self.line(f"r = {_get('H' if expectation.key.startswith('host.') else keys)}({_name(expectation.key)}, NC)")
        self.line("if r.__class__ is Value:")
        with self.block():
            self.line("v = r.value")
            self._compare(rule, expectation, keys, subject, group, out)
        self.line("else:")
        with self.block():
            self.line(f"{out} = N if r.__class__ is NotOffered else U")

    def _compare(self, rule: Rule, check: Check, keys: str, subject: str, group: str, out: str) -> None:
        values = check.values
        match check.operator:
            case "equals" if is_list(check.key):
                self.line(f"{out} = P if v.__class__ is tuple and set(v) == set({_tuple(values)}) else F")
            case "one_of" if is_list(check.key):
                self.line(f"{out} = P if v.__class__ is tuple and members(v, {_tuple(values)}) else F")
            case "equals" | "one_of":
                self.line(f"{out} = P if {_equals(values)} else F")
            case "at_least" if is_version(check.key):
                self.line(f"{out} = version({literal(values[0])}, v)")
            case "at_least" | "at_most":
                sign = ">=" if check.operator == "at_least" else "<="
                self.line(f"{out} = U if v.__class__ is not int else P if v {sign} {literal(values[0])} else F")
            case "between":
                self.line(f"{out} = U if v.__class__ is not int else P if {literal(values[0])} <= v <= {literal(values[1])} else F")
            case "present":
                self.line(f"{out} = F if v == '' or v == () else P")
            case "absent":
                self.line(f"{out} = P if v == '' or v == () else F")
            case "proves":
                self.line(f"{out} = U if v == 'silent' or v == 'not_run' else P if {_equals(values)} else F")
            case "driver_maximum":
                maximum = literal(check.key.split(".", 1)[1] + "_maximum")
                self.line(f"m = {_get(keys)}({maximum}, NC)")
                otherwise = f"P if v >= {literal(values[0])} else F" if values else "U"
                known = "m.__class__ is Value and m.value.__class__ is int"
                self.line(f"{out} = U if v.__class__ is not int else (P if v >= m.value else F) if {known} else {otherwise}")
            case "same_across" if check.scope == "host":
                is_unlisted = f"{literal(rule.subject_kind)} in unread"
                uniform = f"{self.uniform[check.key]} and {literal(rule.subject_kind)} not in unread"
                self.line(f"{out} = P if {uniform} else across_host({group}, s, {_name(check.key)}, v, {is_unlisted})")
            case "same_across":
                where = f"{literal(check.scope)}, {literal(rule.address)}, {literal(check.key)}, {subject}.id"
                self.line(f"{out} = across_peers(peers.of({where}), v)")
            case _:
                raise AssertionError(check.operator)

    uniform: dict[str, str] = field(default_factory=dict)
    group_names: dict[tuple[str, tuple[SubjectClause, ...]], str] = field(default_factory=dict)


def _compared_on_host(expectation: Expectation) -> Iterator[str]:
    if isinstance(expectation, AllOf | AnyOf):
        for part in expectation.parts:
            yield from _compared_on_host(part)
    elif isinstance(expectation, Check) and expectation.operator == "same_across" and expectation.scope == "host":
        yield expectation.key
