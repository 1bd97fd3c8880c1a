"""The reference evaluator: what each rule says of each subject, in three-valued logic, with reasons in words.

`compile.py` says the same faster and without words; a property test holds the two equal, and `describe` there comes back here for words.

- A clause of `applies_to` proven false: not_applicable, with its words. None false and one unknown: unknown.
- all_of: a part not offered makes it not_applicable, else any fail is fail, else any unknown is unknown; some parts passing and some
  failing carries the reason "ineffective". any_of: parts not offered are left out; any pass is pass, else any unknown is unknown.
- A rule on a kind of subject yields one finding for each subject whose own clauses are not proven false and, if all are, one
  not_applicable on the host. A kind that could not be listed at all (`unread`) yields one unknown on the host.
- A rule of another platform yields one not_applicable on the host; a retired rule yields nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from plumbline.facts.configuration import HOST, Configuration, NotOffered, Reading, Scalar, SettingValue, Source, Subject, Unknown, Value
from plumbline.scoring import words
from plumbline.scoring.peers import NO_PEERS, Peers
from plumbline.scoring.rule import (
    AllOf,
    Attested,
    Check,
    Condition,
    Exists,
    Expectation,
    Has,
    HostClause,
    InitiatorMode,
    Kind,
    Outcome,
    Pack,
    Rule,
    SubjectClause,
    is_list,
)

NOTHING_UNREAD: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Finding:
    """What one rule says of one subject.

    `source` is where the decisive reading came from; None where the reason is that nothing was read.
    """

    pack: str
    rule: str
    subject: Subject
    outcome: Outcome
    kind: Kind
    reason: str
    observed: str
    expected: str
    source: Source | None
    expected_hash: str


@dataclass(frozen=True, slots=True)
class _Said:
    """What a part of an expectation came to."""

    outcome: Outcome
    reason: str = ""
    observed: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class _Truth:
    """What a clause came to: holds is None where it is not known. `claim` is the clause in words, `why` what was seen instead."""

    holds: bool | None
    claim: str = ""
    why: str = ""
    otherwise: str = ""


_TRUE = _Truth(True)


@dataclass(frozen=True, slots=True)
class _Place:
    """Everything that judging one rule on one host looks at."""

    configuration: Configuration
    peers: Peers
    unread: Mapping[str, str]
    rule: Rule


def evaluate(
    pack: Pack, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD
) -> list[Finding]:
    """All findings of a pack on one host, in the order of its rules and then of subjects.

    `unread` maps each subject kind that could not be listed (its section failed) to the reason.
    """
    return [finding for rule in pack.rules for finding in evaluate_rule(rule, configuration, peers, unread)]


def evaluate_rule(
    rule: Rule, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD
) -> list[Finding]:
    """All findings of one rule on one host. An exception while judging becomes one unknown finding on the host."""
    try:
        return [_finding(rule, subject, said) for subject, said in _judge_rule(_Place(configuration, peers, unread, rule))]
    except Exception as error:  # a broken rule must never fail a check-in; it is counted and alarmed by the reason
        return [_finding(rule, HOST, _Said("unknown", words.internal_error(error)))]


def evaluate_subject(
    rule: Rule,
    subject: Subject,
    configuration: Configuration,
    peers: Peers = NO_PEERS,
    unread: Mapping[str, str] = NOTHING_UNREAD,
) -> Finding | None:
    """The finding of one rule on one subject; None where the rule says nothing of it."""
    if subject.kind != rule.subject_kind or rule.subject_kind == "host":
        return next((finding for finding in evaluate_rule(rule, configuration, peers, unread) if finding.subject == subject), None)
    if rule.retired or rule.applies_to.platform not in (None, configuration.platform):
        return None
    place = _Place(configuration, peers, unread, rule)
    try:
        truths = [_subject_clause(place, subject, clause) for clause in rule.applies_to.subject]
        if any(truth.holds is False for truth in truths):
            return None
        host_truths = [_host_clause(place, clause) for clause in rule.applies_to.host]
        return _finding(rule, subject, _applied(place, subject, [*host_truths, *truths]))
    except Exception:  # as in `evaluate_rule`: then the rule says only that it broke, and says it of the host
        return None


def expectation_outcome(
    rule: Rule, expectation: Expectation, subject: Subject, configuration: Configuration, peers: Peers, unread: Mapping[str, str]
) -> Outcome:
    """What one part of a rule comes to on one subject; the compiled evaluator asks this for the few operators it does not unroll."""
    return _expectation(_Place(configuration, peers, unread, rule), subject, expectation).outcome


def judged_subjects(rule: Rule, configuration: Configuration) -> list[Subject]:
    """The subjects of the rule's kind whose own clauses are not proven false: those it compares with one another."""
    place = _Place(configuration, NO_PEERS, NOTHING_UNREAD, rule)
    return [
        subject
        for subject in configuration.subjects(rule.subject_kind)
        if all(_subject_clause(place, subject, clause).holds is not False for clause in rule.applies_to.subject)
    ]


def _finding(rule: Rule, subject: Subject, said: _Said) -> Finding:
    return Finding(
        pack=rule.pack,
        rule=rule.id,
        subject=subject,
        outcome=said.outcome,
        kind=rule.kind,
        reason=said.reason,
        observed=said.observed,
        expected=words.expected(rule.expect),
        source=said.source,
        expected_hash=rule.expected_hash,
    )


def _judge_rule(place: _Place) -> list[tuple[Subject, _Said]]:
    rule = place.rule
    if rule.retired:
        return []
    platform = rule.applies_to.platform
    if platform is not None and platform != place.configuration.platform:
        return [(HOST, _Said("not_applicable", f"applies only to {'ESXi' if platform == 'esxi' else 'Windows'} hosts"))]
    host_truths = [_host_clause(place, clause) for clause in rule.applies_to.host]
    if rule.subject_kind == "host":
        return [(HOST, _applied(place, HOST, host_truths))]
    said: list[tuple[Subject, _Said]] = []
    first_false: _Truth | None = None
    for subject in place.configuration.subjects(rule.subject_kind):
        truths = [_subject_clause(place, subject, clause) for clause in rule.applies_to.subject]
        false = next((truth for truth in truths if truth.holds is False), None)
        if false is not None:
            first_false = first_false or false
            continue
        said.append((subject, _applied(place, subject, [*host_truths, *truths])))
    if said:
        return said
    if rule.subject_kind in place.unread:
        return [(HOST, _Said("unknown", words.kind_unread(rule.subject_kind, place.unread[rule.subject_kind])))]
    if first_false is not None:
        return [(HOST, _Said("not_applicable", words.left_out(first_false.otherwise, first_false.claim, first_false.why)))]
    return [(HOST, _Said("not_applicable", words.no_subject(rule.subject_kind)))]


def _applied(place: _Place, subject: Subject, truths: Sequence[_Truth]) -> _Said:
    """The expectation where every clause holds, else why the rule does not apply or why that is not known."""
    for truth in truths:
        if truth.holds is False:
            return _Said("not_applicable", words.left_out(truth.otherwise, truth.claim, truth.why))
    for truth in truths:
        if truth.holds is None:
            return _Said("unknown", words.cannot_tell(truth.claim, truth.why))
    return _expectation(place, subject, place.rule.expect)


# --- clauses -------------------------------------------------------------------------------------------------------------------------


def _host_clause(place: _Place, clause: HostClause) -> _Truth:
    if isinstance(clause, Condition):
        return _condition(place.configuration, HOST, clause)
    return _has(place, clause)


def _subject_clause(place: _Place, subject: Subject, clause: SubjectClause) -> _Truth:
    if isinstance(clause, Condition):
        return _condition(place.configuration, subject, clause)
    return _initiator_mode(place, subject, clause)


def _condition(configuration: Configuration, subject: Subject, it: Condition) -> _Truth:
    reading = configuration.read(subject, it.key.split(".", 1)[1])
    if isinstance(reading, Unknown):
        return _Truth(None, words.condition(it), reading.reason, it.otherwise)
    if isinstance(reading, NotOffered):
        return _TRUE if it.test == "none_of" else _Truth(False, words.condition(it), f"; {words.NOT_OFFERED}", it.otherwise)
    if it.test == "contains_value_of":
        raise ValueError("contains_value_of needs the subject it refers to")
    holds = _met(it.test, it.values, reading.value)
    # Words cost more than the judging; they are made only where they will be read.
    return _TRUE if holds else _Truth(holds, words.condition(it), f", here it is {words.value(it.key, reading.value)}", it.otherwise)


def _met(test: str, operands: tuple[Scalar, ...], seen: SettingValue) -> bool | None:
    """Whether a value meets a condition; None where the value cannot be compared."""
    if test == "one_of":
        return any(_same(seen, operand) for operand in operands)
    if test == "none_of":
        return not any(_same(seen, operand) for operand in operands)
    if test == "contains":
        return any(_same(member, operands[0]) for member in seen) if isinstance(seen, tuple) else None
    if type(seen) is not int:
        return None
    bound = int(operands[0])
    return seen >= bound if test == "at_least" else seen <= bound


def _same(left: SettingValue, right: SettingValue) -> bool:
    """Equal, and of the same type: True is not 1."""
    return type(left) is type(right) and left == right


def _has(place: _Place, it: Has) -> _Truth:
    holds, why = _some(place, it.kind, it.where, HOST, it.id_contains, it.modes)
    return _TRUE if holds else _Truth(holds, words.has(it), why if holds is None else "", it.otherwise)


def _some(
    place: _Place, kind: str, where: tuple[Condition, ...], subject: Subject, id_contains: str = "", modes: tuple[str, ...] = ()
) -> tuple[bool | None, str]:
    """Whether some subject of a kind meets every condition, and what keeps it from being known."""
    why = words.kind_unread(kind, place.unread[kind]) if kind in place.unread else ""
    for candidate in place.configuration.subjects(kind):
        if id_contains not in candidate.id:
            continue
        match, reason = _matches(place, candidate, where, subject)
        if match is not False and modes:
            mode = _initiator_mode(place, candidate, InitiatorMode(modes))
            if mode.holds is False:
                continue
            if mode.holds is None:
                match, reason = None, mode.why
        if match:
            return True, ""
        if match is None:
            why = why or reason
    return (None, why) if why else (False, "")


def _matches(place: _Place, candidate: Subject, where: tuple[Condition, ...], subject: Subject) -> tuple[bool | None, str]:
    """Whether a candidate meets every condition. `subject` is the one a `contains_value_of` refers to."""
    reason = ""
    for condition in where:
        if condition.test == "contains_value_of":
            truth = _contains_value_of(place.configuration, candidate, condition, subject)
        else:
            truth = _condition(place.configuration, candidate, condition)
        if truth.holds is False:
            return False, ""
        if truth.holds is None:
            reason = reason or words.unknown_setting(condition.key, truth.why)
    return (None, reason) if reason else (True, "")


def _contains_value_of(configuration: Configuration, candidate: Subject, it: Condition, subject: Subject) -> _Truth:
    reading = configuration.read(candidate, it.key.split(".", 1)[1])
    wanted = configuration.read(subject, str(it.values[0]).split(".", 1)[1])
    claim = words.condition(it)
    if isinstance(reading, NotOffered) or isinstance(wanted, NotOffered):
        return _Truth(False, claim)
    if isinstance(reading, Unknown):
        return _Truth(None, claim, reading.reason)
    if isinstance(wanted, Unknown):
        return _Truth(None, claim, wanted.reason)
    if not isinstance(reading.value, tuple):
        return _Truth(None, claim, words.wrong_type(it.key))
    return _Truth(any(_same(member, wanted.value) for member in reading.value), claim)


def _initiator_mode(place: _Place, subject: Subject, it: InitiatorMode) -> _Truth:
    """Modes of the initiators on this adapter; an adapter that none names has an ordinary software initiator over it."""
    seen: list[str] = []
    doubt = ""
    for initiator in place.configuration.subjects("initiator"):
        adapter = place.configuration.read(initiator, "adapter")
        if not isinstance(adapter, Value) or adapter.value != subject.id:
            continue
        mode = place.configuration.read(initiator, "mode")
        if isinstance(mode, Value):
            seen.append(str(mode.value))
        elif isinstance(mode, Unknown):
            doubt = mode.reason
    other = next((mode for mode in seen if mode not in it.modes), None)
    if other is None and not doubt and (seen or "software" in it.modes):
        return _TRUE
    claim = words.initiator_mode(it)
    if other is not None:
        return _Truth(False, claim, f", here it is {words.value('initiator.mode', other)}", it.otherwise)
    if doubt:
        return _Truth(None, claim, doubt, it.otherwise)
    return _Truth(False, claim, ", here it is software", it.otherwise)


# --- expectations --------------------------------------------------------------------------------------------------------------------


def _expectation(place: _Place, subject: Subject, it: Expectation) -> _Said:
    if isinstance(it, Check):
        return _check(place, subject, it)
    if isinstance(it, Exists):
        return _exists(place, subject, it)
    if isinstance(it, Attested):
        return _Said("unknown", words.NEEDS_ATTESTATION)
    parts = [_expectation(place, subject, part) for part in it.parts]
    return _all_of(parts) if isinstance(it, AllOf) else _any_of(parts)


def _observed(parts: Sequence[_Said]) -> str:
    return "; ".join(dict.fromkeys(part.observed for part in parts if part.observed))


def _reasons(parts: Sequence[_Said]) -> str:
    return "; ".join(dict.fromkeys(part.reason for part in parts if part.reason))


def _all_of(parts: Sequence[_Said]) -> _Said:
    observed = _observed(parts)
    for outcome in ("not_applicable", "fail", "unknown"):
        decisive = [part for part in parts if part.outcome == outcome]
        if not decisive:
            continue
        reason = _reasons(decisive)
        if outcome == "fail" and any(part.outcome == "pass" for part in parts):
            reason = f"{words.INEFFECTIVE_BOTH if len(parts) == 2 else words.INEFFECTIVE_ALL}; {reason}"
        return _Said(outcome, reason, observed, decisive[0].source)
    return _Said("pass", words.MEETS, observed, parts[0].source)


def _any_of(parts: Sequence[_Said]) -> _Said:
    offered = [part for part in parts if part.outcome != "not_applicable"]
    if not offered:
        return _Said("not_applicable", _reasons(parts), "", parts[0].source)
    observed = _observed(offered)
    for outcome in ("pass", "unknown", "fail"):
        decisive = [part for part in offered if part.outcome == outcome]
        if decisive:
            reason = words.MEETS if outcome == "pass" else _reasons(decisive)
            return _Said(outcome, reason, observed, decisive[0].source)
    raise AssertionError("unreachable")


def _exists(place: _Place, subject: Subject, it: Exists) -> _Said:
    holds, why = _some(place, it.kind, it.where, subject)
    if holds is None:
        return _Said("unknown", why)
    seen = ("there is " if holds else "there is no ") + (it.words if holds else it.words.removeprefix("a ").removeprefix("an "))
    if holds is it.wanted:
        return _Said("pass", words.MEETS, seen)
    return _Said("fail", seen, seen)


def _check(place: _Place, subject: Subject, it: Check) -> _Said:
    if it.operator in ("distinct", "sum_at_most"):
        return _over_subjects(place, it)
    kind, key = it.key.split(".", 1)
    reading = place.configuration.read(HOST if kind == "host" else subject, key)
    if isinstance(reading, Unknown):
        return _Said("unknown", words.unknown_setting(it.key, reading.reason), "", reading.source)
    if isinstance(reading, NotOffered):
        return _Said("not_applicable", words.not_offered(it.key, reading.reason), "", reading.source)
    if it.operator == "same_across":
        return _same_across(place, subject, it, reading)
    return _compare(place, subject, it, reading)


def _compare(place: _Place, subject: Subject, it: Check, reading: Value) -> _Said:
    seen = reading.value
    met: bool | None
    match it.operator:
        case "equals" if is_list(it.key):
            met = isinstance(seen, tuple) and set(seen) == set(it.values)
        case "one_of" if is_list(it.key):
            met = isinstance(seen, tuple) and all(any(_same(member, allowed) for allowed in it.values) for member in seen)
        case "equals" | "one_of":
            met = any(_same(seen, allowed) for allowed in it.values)
        case "at_least" | "at_most":
            met = _met(it.operator, it.values, seen)
        case "between":
            met = int(it.values[0]) <= seen <= int(it.values[1]) if type(seen) is int else None
        case "present":
            met = seen not in ("", ())
        case "absent":
            met = seen in ("", ())
        case "driver_maximum":
            return _driver_maximum(place, subject, it, reading)
        case "proves":
            return _proves(it, reading)
        case _:
            raise AssertionError(it.operator)
    return _said(it, reading, met)


def _said(it: Check, reading: Value, met: bool | None, wanted: str = "") -> _Said:
    seen = words.observed(it.key, reading.value)
    if met is None:
        return _Said("unknown", words.wrong_type(it.key), seen, reading.source)
    if met:
        return _Said("pass", words.MEETS, seen, reading.source)
    return _Said("fail", words.differs(it.key, reading.value, wanted or words.wanted_only(it)), seen, reading.source)


def _driver_maximum(place: _Place, subject: Subject, it: Check, reading: Value) -> _Said:
    if type(reading.value) is not int:
        return _said(it, reading, None)
    maximum = place.configuration.read(subject, it.key.split(".", 1)[1] + "_maximum")
    if isinstance(maximum, Value) and type(maximum.value) is int:
        wanted = f"the driver's maximum {words.value(it.key, maximum.value)}"
        return _said(it, reading, reading.value >= maximum.value, wanted)
    if not it.values:
        return _Said("unknown", words.unknown_setting(it.key + "_maximum", _why_unread(maximum)), words.observed(it.key, reading.value))
    return _said(it, reading, reading.value >= int(it.values[0]))


def _why_unread(reading: Reading) -> str:
    return words.wrong_type("") if isinstance(reading, Value) else reading.reason


def _proves(it: Check, reading: Value) -> _Said:
    """`ok` proves it, `too_big` disproves it; a silent or missing probe proves nothing."""
    if reading.value in ("silent", "not_run"):
        return _Said("unknown", words.unproven(it.key, reading.value), words.observed(it.key, reading.value), reading.source)
    return _said(it, reading, _same(reading.value, it.values[0]))


def _same_across(place: _Place, subject: Subject, it: Check, reading: Value) -> _Said:
    seen = words.observed(it.key, reading.value)
    others: list[tuple[str, SettingValue | None]]
    if it.scope == "host":
        others = []
        key = it.key.split(".", 1)[1]
        for other in judged_subjects(place.rule, place.configuration):
            if other == subject:
                continue
            theirs = place.configuration.read(other, key)
            if not isinstance(theirs, NotOffered):
                others.append((other.id, theirs.value if isinstance(theirs, Value) else None))
    else:
        peers = place.peers.of(it.scope, place.rule.address, it.key, subject.id)
        if peers is None:
            return _Said("unknown", words.PEERS_NOT_KNOWN, seen, reading.source)
        others = [(peer.host, peer.value) for peer in peers]
        if not others:
            return _Said("not_applicable", words.NO_PEER, seen, reading.source)
    for where, value in others:
        if value is not None and not _same(value, reading.value):
            return _Said("fail", words.differs_from(it.key, reading.value, value, where), seen, reading.source)
    for where, value in others:
        if value is None:
            return _Said("unknown", words.other_unknown(it.key, where), seen, reading.source)
    return _Said("pass", words.MEETS, seen, reading.source)


def _over_subjects(place: _Place, it: Check) -> _Said:
    """`distinct` and `sum_at_most` look at all subjects of the setting's kind that meet `where`."""
    kind, key = it.key.split(".", 1)
    values: list[Value] = []
    doubt = words.kind_unread(kind, place.unread[kind]) if kind in place.unread else ""
    doubtful_source: Source | None = None
    seen_any = False
    for candidate in place.configuration.subjects(kind):
        match, reason = _matches(place, candidate, it.where, HOST)
        if match is False:
            continue
        reading = place.configuration.read(candidate, key)
        if isinstance(reading, NotOffered):
            continue
        seen_any = True
        if match is None or isinstance(reading, Unknown):
            if not doubt:
                doubt = reason if match is None else words.unknown_setting(it.key, reading.reason if isinstance(reading, Unknown) else "")
                doubtful_source = reading.source
            continue
        values.append(reading)
    if not seen_any and not doubt:
        return _Said("not_applicable", words.no_subject(kind))
    seen = f"{words.label(it.key)}: {', '.join(words.value(it.key, value.value) for value in values)}" if values else ""
    source = values[0].source if values else None
    if it.operator == "distinct":
        members = [member for value in values for member in (value.value if isinstance(value.value, tuple) else (value.value,))]
        broken = next((member for index, member in enumerate(members) if any(_same(member, other) for other in members[:index])), None)
        reason = "" if broken is None else f"{words.label(it.key)}: {words.value('', broken)} occurs more than once"
    else:
        numbers = [value.value for value in values if type(value.value) is int]
        if len(numbers) != len(values):
            return _Said("unknown", words.wrong_type(it.key), seen, source)
        total = sum(numbers)
        limit = int(it.values[0])
        reason = f"{words.label(it.key)} add up to {words.value(it.key, total)}, {words.wanted_only(it)} expected" if total > limit else ""
    if reason:
        return _Said("fail", reason, seen, source)
    if doubt:
        return _Said("unknown", doubt, seen, doubtful_source)
    return _Said("pass", words.MEETS, seen, source)
