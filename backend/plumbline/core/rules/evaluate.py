"""The reference evaluator: the finding of each rule on each subject, in three-valued logic, with its reason as text.

`compile.py` gives the same outcomes faster and without text; a property test holds the two equal, and `describe` there asks this module for
the text.

- A clause of `applies_to` proven false: not_applicable, with its text. None false and one unknown: unknown.
- all_of: a part not offered makes it not_applicable, else any fail is fail, else any unknown is unknown; some settings as they should be
  and others not gives the reason "no effect". any_of: parts not offered are left out; any pass is pass, else any unknown is unknown.
- A rule on a kind of subject yields one finding for each subject whose own clauses are not proven false and, if all are, one
  not_applicable on the host. Where the kind was not listed whole (`unread`), one unknown on the host takes its place, and is added to
  findings none of which fails or is unknown: an item that was not seen may fail.
- A rule of another platform yields one not_applicable on the host; a retired rule yields nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from plumbline.core.facts.attestations import NOBODY, read_attested
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, Source, Subject, Unknown, Value
from plumbline.core.rules import words
from plumbline.core.rules.clauses import Context, Truth, host_clause, matches, meets, same, some, subject_clause
from plumbline.core.rules.logic import PartResult, all_of, any_of
from plumbline.core.rules.peers import NO_PEERS, Peers, PeerValue
from plumbline.core.rules.rule import AllOf, Attested, Check, Exists, Expectation, Kind, Outcome, Pack, Rule, is_list, is_version
from plumbline.core.rules.unlisted_kinds import all_unlisted
from plumbline.core.rules.versions import is_at_least

NOTHING_UNREAD: Mapping[str, str] = MappingProxyType({})


class Finding(msgspec.Struct, frozen=True, gc=False):
    """The result of one rule on one subject.

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


def evaluate(
    pack: Pack, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD
) -> list[Finding]:
    """All findings of a pack on one host, in the order of its rules and then of subjects.

    `unread` maps subject kinds that could not be listed (their section failed) to the reason; the configuration adds its own.
    """
    return [finding for rule in pack.rules for finding in evaluate_rule(rule, configuration, peers, unread)]


def evaluate_rule(
    rule: Rule, configuration: Configuration, peers: Peers = NO_PEERS, unread: Mapping[str, str] = NOTHING_UNREAD
) -> list[Finding]:
    """All findings of one rule on one host. An exception while evaluating becomes one unknown finding on the host."""
    try:
        return [_finding(rule, subject, result) for subject, result in _evaluate_rule(_context(rule, configuration, peers, unread))]
    except Exception as error:  # a broken rule must never fail a check-in; it is counted and alarmed by the reason
        return [_finding(rule, HOST, PartResult("unknown", words.internal_error(error)))]


def evaluate_subject(
    rule: Rule,
    subject: Subject,
    configuration: Configuration,
    peers: Peers = NO_PEERS,
    unread: Mapping[str, str] = NOTHING_UNREAD,
) -> Finding | None:
    """The finding of one rule on one subject; None where the rule has none on it."""
    if subject.kind != rule.subject_kind or rule.subject_kind == "host":
        return next((finding for finding in evaluate_rule(rule, configuration, peers, unread) if finding.subject == subject), None)
    if rule.retired or rule.applies_to.platform not in (None, configuration.platform):
        return None
    context = _context(rule, configuration, peers, unread)
    try:
        truths = [subject_clause(context, subject, clause) for clause in rule.applies_to.subject]
        if any(truth.holds is False for truth in truths):
            return None
        host_truths = [host_clause(context, clause) for clause in rule.applies_to.host]
        return _finding(rule, subject, _applied(context, subject, [*host_truths, *truths]))
    except Exception:  # as in `evaluate_rule`: then its only finding is that it broke, on the host
        return None


def expectation_outcome(
    rule: Rule, expectation: Expectation, subject: Subject, configuration: Configuration, peers: Peers, unread: Mapping[str, str]
) -> Outcome:
    """The outcome of one part of a rule on one subject; the compiled evaluator calls this for the few operators it does not unroll."""
    return _expectation(_context(rule, configuration, peers, unread), subject, expectation).outcome


def needs_a_look(rule: Rule, outcomes: Iterable[Outcome], configuration: Configuration, peers: Peers, unread: Mapping[str, str]) -> bool:
    """Whether the findings of a rule, none of which fails or is unknown, need an unknown one on the host beside them, because items of its
    kind may not have been listed. Not where the rule does not apply to the host at all. For the compiled evaluator."""
    return _needs_a_look(outcomes, [host_clause(_context(rule, configuration, peers, unread), each) for each in rule.applies_to.host])


def _needs_a_look(outcomes: Iterable[Outcome], host_truths: Sequence[Truth]) -> bool:
    return set(outcomes) <= {"pass", "not_applicable"} and all(truth.holds is not False for truth in host_truths)


def _context(rule: Rule, configuration: Configuration, peers: Peers, unread: Mapping[str, str]) -> Context:
    return Context(configuration, peers, all_unlisted(configuration, unread), rule)


def evaluated_subjects(rule: Rule, configuration: Configuration) -> list[Subject]:
    """The subjects of the rule's kind whose own clauses are not proven false: those that the rule compares with one another."""
    context = _context(rule, configuration, NO_PEERS, NOTHING_UNREAD)
    return [
        subject
        for subject in configuration.subjects(rule.subject_kind)
        if all(subject_clause(context, subject, clause).holds is not False for clause in rule.applies_to.subject)
    ]


def _finding(rule: Rule, subject: Subject, result: PartResult) -> Finding:
    return Finding(
        rule.pack, rule.id, subject, result.outcome, rule.kind, result.reason, result.observed,
        words.expected(rule.expect), result.source, rule.expected_hash,
    )  # fmt: skip


def _evaluate_rule(context: Context) -> list[tuple[Subject, PartResult]]:
    rule = context.rule
    if rule.retired:
        return []
    platform = rule.applies_to.platform
    if platform is not None and platform != context.configuration.platform:
        return [(HOST, PartResult("not_applicable", f"applies to {'ESXi' if platform == 'esxi' else 'Windows'} hosts only"))]
    host_truths = [host_clause(context, clause) for clause in rule.applies_to.host]
    if rule.subject_kind == "host":
        return [(HOST, _applied(context, HOST, host_truths))]
    results: list[tuple[Subject, PartResult]] = []
    first_false: Truth | None = None
    for subject in context.configuration.subjects(rule.subject_kind):
        truths = [subject_clause(context, subject, clause) for clause in rule.applies_to.subject]
        false = next((truth for truth in truths if truth.holds is False), None)
        if false is not None:
            first_false = first_false or false
            continue
        results.append((subject, _applied(context, subject, [*host_truths, *truths])))
    is_unlisted = rule.subject_kind in context.unread
    if is_unlisted and _needs_a_look((result.outcome for _, result in results), host_truths):
        not_seen = PartResult(
            "unknown", words.kind_unread(rule.subject_kind, context.unread[rule.subject_kind], context.configuration.platform)
        )
        return [*results, (HOST, not_seen)]
    if results:
        return results
    if is_unlisted:
        return [(HOST, _applied(context, HOST, host_truths))]
    if first_false is not None:
        return [(HOST, PartResult("not_applicable", words.left_out(first_false.otherwise, first_false.claim, first_false.why)))]
    return [(HOST, PartResult("not_applicable", words.no_subject(rule.subject_kind, context.configuration.platform)))]


def _applied(context: Context, subject: Subject, truths: Sequence[Truth]) -> PartResult:
    """The expectation where every clause holds, else why the rule does not apply or why that is not known."""
    for truth in truths:
        if truth.holds is False:
            return PartResult("not_applicable", words.left_out(truth.otherwise, truth.claim, truth.why))
    for truth in truths:
        if truth.holds is None:
            return PartResult("unknown", words.cannot_tell(truth.claim, truth.why))
    return _expectation(context, subject, context.rule.expect)


# --- expectations --------------------------------------------------------------------------------------------------------------------


def _expectation(context: Context, subject: Subject, expectation: Expectation) -> PartResult:
    if isinstance(expectation, Check):
        return _check(context, subject, expectation)
    if isinstance(expectation, Exists):
        return _exists(context, subject, expectation)
    if isinstance(expectation, Attested):
        return _attested(context)
    parts = [_expectation(context, subject, part) for part in expectation.parts]
    return all_of(expectation, parts) if isinstance(expectation, AllOf) else any_of(parts)


def _attested(context: Context) -> PartResult:
    """The attestation for this rule on this host."""
    reading = read_attested(context.configuration, context.rule.address)
    if isinstance(reading, Value) and isinstance(reading.value, tuple):
        is_so, by = reading.value
        statement = reading.source.raw if reading.source else ""
        return PartResult("pass" if is_so else "fail", words.attested(bool(is_so), str(by)), statement, reading.source)
    if isinstance(reading, Unknown) and reading != NOBODY:
        return PartResult("unknown", reading.reason, "", reading.source)
    return PartResult("unknown", words.NEEDS_ATTESTATION)


def _exists(context: Context, subject: Subject, clause: Exists) -> PartResult:
    holds, why = some(context, clause.kind, clause.where, subject)
    if holds is None:
        return PartResult("unknown", why)
    seen = ("there is " if holds else "there is no ") + (clause.words if holds else clause.words.removeprefix("a ").removeprefix("an "))
    if holds is clause.wanted:
        return PartResult("pass", words.MEETS, seen)
    return PartResult("fail", seen, seen)


def _check(context: Context, subject: Subject, check: Check) -> PartResult:
    if check.operator in ("distinct", "sum_at_most"):
        return _over_subjects(context, check)
    kind, key = check.key.split(".", 1)
    reading = context.configuration.read(HOST if kind == "host" else subject, key)
    if isinstance(reading, Unknown):
        return PartResult("unknown", words.unknown_setting(check.key, reading.reason), "", reading.source)
    if isinstance(reading, NotOffered):
        return PartResult("not_applicable", words.not_offered(check.key, reading.reason), "", reading.source)
    if check.operator == "same_across":
        return _same_across(context, subject, check, reading)
    return _compare(context, subject, check, reading)


def _compare(context: Context, subject: Subject, check: Check, reading: Value) -> PartResult:
    seen = reading.value
    met: bool | None
    match check.operator:
        case "equals" if is_list(check.key):
            met = isinstance(seen, tuple) and set(seen) == set(check.values)
        case "one_of" if is_list(check.key):
            met = isinstance(seen, tuple) and all(any(same(member, allowed) for allowed in check.values) for member in seen)
        case "equals" | "one_of":
            met = any(same(seen, allowed) for allowed in check.values)
        case "at_least" if is_version(check.key):
            met = is_at_least(seen, str(check.values[0]))
        case "at_least" | "at_most":
            met = meets(check.operator, check.values, seen)
        case "between":
            met = int(check.values[0]) <= seen <= int(check.values[1]) if type(seen) is int else None
        case "present":
            met = seen not in ("", ())
        case "absent":
            met = seen in ("", ())
        case "driver_maximum":
            return _driver_maximum(context, subject, check, reading)
        case "proves":
            return _proves(check, reading)
        case _:
            raise AssertionError(check.operator)
    return _compared(check, reading, met)


def _compared(check: Check, reading: Value, met: bool | None, wanted: str = "") -> PartResult:
    seen = words.observed(check.key, reading.value)
    if met is None:
        return PartResult("unknown", words.wrong_type(check.key), seen, reading.source)
    if met:
        return PartResult("pass", words.MEETS, seen, reading.source)
    return PartResult("fail", words.differs(check.key, reading.value, wanted or words.wanted_only(check)), seen, reading.source)


def _driver_maximum(context: Context, subject: Subject, check: Check, reading: Value) -> PartResult:
    if type(reading.value) is not int:
        return _compared(check, reading, None)
    maximum = context.configuration.read(subject, check.key.split(".", 1)[1] + "_maximum")
    if isinstance(maximum, Value) and type(maximum.value) is int:
        wanted = f"driver maximum {words.value(check.key, maximum.value)}"
        return _compared(check, reading, reading.value >= maximum.value, wanted)
    if not check.values:
        return PartResult(
            "unknown", words.unknown_setting(check.key + "_maximum", _why_unread(maximum)), words.observed(check.key, reading.value)
        )
    return _compared(check, reading, reading.value >= int(check.values[0]), words.at_least(check.key, int(check.values[0])))


def _why_unread(reading: Reading) -> str:
    return words.wrong_type("") if isinstance(reading, Value) else reading.reason


def _proves(check: Check, reading: Value) -> PartResult:
    """`ok` proves it, `too_big` disproves it; a silent or missing probe proves nothing."""
    if reading.value in ("silent", "not_run"):
        return PartResult("unknown", words.unproven(check.key, reading.value), words.observed(check.key, reading.value), reading.source)
    return _compared(check, reading, same(reading.value, check.values[0]))


def _same_across(context: Context, subject: Subject, check: Check, reading: Value) -> PartResult:
    seen = words.observed(check.key, reading.value)
    others: Sequence[PeerValue]
    possible: list[tuple[PeerValue, Truth]] = []
    if check.scope == "host":
        others, possible = _others_on_host(context, subject, check)
    else:
        known = context.peers.of(check.scope, context.rule.address, check.key, subject.id)
        if known is None:
            return PartResult("unknown", words.PEERS_NOT_KNOWN, seen, reading.source)
        if not known:
            return PartResult("not_applicable", words.NO_PEER, seen, reading.source)
        others = known
    differing = _by_value(other for other in others if other.value is not None and not same(other.value, reading.value))
    if differing:
        groups = [(group[0].value, words.hosts(group)) for group in differing if group[0].value is not None]
        return PartResult("fail", words.differs_from(check.key, reading.value, groups), seen, reading.source)
    for other, clause in possible:
        if other.value is not None and not same(other.value, reading.value):
            differs = words.differs_from(check.key, reading.value, [(other.value, words.hosts([other]))])
            return PartResult("unknown", words.may_not_count(differs, clause.claim, clause.why), seen, reading.source)
    doubtful = _by_value(other for other in [*others, *(other for other, _ in possible)] if other.value is None)
    if doubtful:
        reason = "; ".join(words.other_unknown(check.key, words.hosts(group), group[0].why) for group in doubtful)
        return PartResult("unknown", reason, seen, reading.source)
    kind = context.rule.subject_kind
    if check.scope == "host" and kind in context.unread:
        return PartResult("unknown", words.kind_unread(kind, context.unread[kind], context.configuration.platform), seen, reading.source)
    return PartResult("pass", words.MEETS, seen, reading.source)


def _others_on_host(context: Context, subject: Subject, check: Check) -> tuple[list[PeerValue], list[tuple[PeerValue, Truth]]]:
    """The host's other subjects that the rule evaluates, in the form of peers; then those that it may or may not be about, each with the
    clause that is not known. One of the latter that differs proves nothing."""
    key = check.key.split(".", 1)[1]
    certain: list[PeerValue] = []
    possible: list[tuple[PeerValue, Truth]] = []
    for other in evaluated_subjects(context.rule, context.configuration):
        reading = context.configuration.read(other, key)
        if other == subject or isinstance(reading, NotOffered):
            continue
        peer = PeerValue(other.id, reading.value if isinstance(reading, Value) else None)
        truths = (subject_clause(context, other, clause) for clause in context.rule.applies_to.subject)
        doubt = next((truth for truth in truths if truth.holds is None), None)
        if doubt is None:
            certain.append(peer)
        else:
            possible.append((peer, doubt))
    return certain, possible


def _by_value(others: Iterable[PeerValue]) -> list[list[PeerValue]]:
    """Peers with the same value (or, if it is unknown, the same reason) grouped, in the order of the first of each group."""
    found: dict[tuple[object, ...], list[PeerValue]] = {}
    for other in others:
        found.setdefault((type(other.value), other.value, other.why), []).append(other)
    return list(found.values())


def _over_subjects(context: Context, check: Check) -> PartResult:
    """`distinct` and `sum_at_most` read all subjects of the setting's kind that meet `where`."""
    kind, key = check.key.split(".", 1)
    values: list[Value] = []
    doubt = words.kind_unread(kind, context.unread[kind], context.configuration.platform) if kind in context.unread else ""
    doubtful_source: Source | None = None
    seen_any = False
    for candidate in context.configuration.subjects(kind):
        match, reason = matches(context, candidate, check.where, HOST)
        if match is False:
            continue
        reading = context.configuration.read(candidate, key)
        if isinstance(reading, NotOffered):
            continue
        seen_any = True
        if match is None or isinstance(reading, Unknown):
            if not doubt:
                doubt = (
                    reason if match is None else words.unknown_setting(check.key, reading.reason if isinstance(reading, Unknown) else "")
                )
                doubtful_source = reading.source
            continue
        values.append(reading)
    if not seen_any and not doubt:
        return PartResult("not_applicable", words.no_subject(kind, context.configuration.platform))
    seen = f"{words.label(check.key)}: {', '.join(words.value(check.key, value.value) for value in values)}" if values else ""
    source = values[0].source if values else None
    if check.operator == "distinct":
        members = [member for value in values for member in (value.value if isinstance(value.value, tuple) else (value.value,))]
        broken = next((member for index, member in enumerate(members) if any(same(member, other) for other in members[:index])), None)
        reason = "" if broken is None else f"{words.label(check.key)}: {words.value('', broken)} is used more than once"
    else:
        numbers = [value.value for value in values if type(value.value) is int]
        if len(numbers) != len(values):
            return PartResult("unknown", words.wrong_type(check.key), seen, source)
        total = sum(numbers)
        limit = int(check.values[0])
        reason = (
            f"{words.label(check.key)} total {words.value(check.key, total)}; {words.EXPECTED}{words.wanted_only(check)}"
            if total > limit
            else ""
        )
    if reason:
        return PartResult("fail", reason, seen, source)
    if doubt:
        return PartResult("unknown", doubt, seen, doubtful_source)
    return PartResult("pass", words.MEETS, seen, source)
