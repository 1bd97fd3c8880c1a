"""Whom a rule applies to: its clauses in three-valued logic, true, false with a text, or not known with the reason."""

from collections.abc import Mapping

import msgspec

from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Reading, Scalar, SettingValue, Subject, Unknown, Value
from plumbline.core.facts.listings import HARDWARE_INITIATORS
from plumbline.core.rules import words
from plumbline.core.rules.peers import Peers
from plumbline.core.rules.rule import Condition, Has, HostClause, InitiatorMode, Rule, SubjectClause


class Truth(msgspec.Struct, frozen=True, gc=False):
    """The result of a clause; `holds` is None where it is not known. `claim` is the clause as text, `why` what was read instead."""

    holds: bool | None
    claim: str = ""
    why: str = ""
    otherwise: str = ""


TRUE = Truth(True)


class Context(msgspec.Struct, frozen=True):
    """Everything that the evaluation of one rule on one host reads."""

    configuration: Configuration
    peers: Peers
    unread: Mapping[str, str]
    rule: Rule


def host_clause(context: Context, clause: HostClause) -> Truth:
    """The result of a clause on the host."""
    if isinstance(clause, Condition):
        return _condition(context.configuration, HOST, clause)
    return _has(context, clause)


def subject_clause(context: Context, subject: Subject, clause: SubjectClause) -> Truth:
    """The result of a subject clause on one subject."""
    if isinstance(clause, Condition):
        return _condition(context.configuration, subject, clause)
    return _initiator_mode(context, subject, clause)


def _condition(configuration: Configuration, subject: Subject, condition: Condition) -> Truth:
    reading = configuration.read(subject, condition.key.split(".", 1)[1])
    if isinstance(reading, Unknown):
        return Truth(None, words.condition(condition), reading.reason, condition.otherwise)
    if isinstance(reading, NotOffered):
        return (
            TRUE
            if condition.test == "none_of"
            else Truth(False, words.condition(condition), f"; {words.NOT_SUPPORTED}", condition.otherwise)
        )
    if condition.test == "contains_value_of":
        raise ValueError("contains_value_of needs the subject it refers to")
    holds = meets(condition.test, condition.values, reading.value)
    # Text costs more than the evaluation, so it is made only where it will be read.
    return (
        TRUE
        if holds
        else Truth(holds, words.condition(condition), f", here it is {words.value(condition.key, reading.value)}", condition.otherwise)
    )


def meets(test: str, operands: tuple[Scalar, ...], seen: SettingValue) -> bool | None:
    """Whether a value meets a condition; None where the value cannot be compared."""
    if test == "one_of":
        return any(same(seen, operand) for operand in operands)
    if test == "none_of":
        return not any(same(seen, operand) for operand in operands)
    if test == "contains":
        return any(same(member, operands[0]) for member in seen) if isinstance(seen, tuple) else None
    if type(seen) is not int:
        return None
    bound = int(operands[0])
    return seen >= bound if test == "at_least" else seen <= bound


def same(left: SettingValue, right: SettingValue) -> bool:
    """Equal, and of the same type: True is not 1."""
    return type(left) is type(right) and left == right


def may_offload(family: Reading) -> bool:
    """Whether an adapter of this family may have an iSCSI engine of its own; no other family that we know has one."""
    return not isinstance(family, Value) or family.value == "bcm57810"


def _has(context: Context, clause: Has) -> Truth:
    holds, why = some(context, clause.kind, clause.where, HOST, clause.id_contains, clause.modes)
    return (
        TRUE if holds else Truth(holds, words.has(clause, context.configuration.platform), why if holds is None else "", clause.otherwise)
    )


def some(
    context: Context, kind: str, where: tuple[Condition, ...], subject: Subject, id_contains: str = "", modes: tuple[str, ...] = ()
) -> tuple[bool | None, str]:
    """Whether some subject of a kind meets every condition, and what keeps it from being known."""
    why = words.kind_unread(kind, context.unread[kind], context.configuration.platform) if kind in context.unread else ""
    for candidate in context.configuration.subjects(kind):
        if id_contains not in candidate.id:
            continue
        match, reason = matches(context, candidate, where, subject)
        if match is not False and modes:
            mode = _initiator_mode(context, candidate, InitiatorMode(modes))
            if mode.holds is False:
                continue
            if mode.holds is None:
                match, reason = None, mode.why
        if match:
            return True, ""
        if match is None:
            why = why or reason
    return (None, why) if why else (False, "")


def matches(context: Context, candidate: Subject, where: tuple[Condition, ...], subject: Subject) -> tuple[bool | None, str]:
    """Whether a candidate meets every condition. `subject` is the one a `contains_value_of` refers to."""
    reason = ""
    for condition in where:
        if condition.test == "contains_value_of":
            truth = _contains_value_of(context.configuration, candidate, condition, subject)
        else:
            truth = _condition(context.configuration, candidate, condition)
        if truth.holds is False:
            return False, ""
        if truth.holds is None:
            reason = reason or words.unknown_setting(condition.key, truth.why)
    return (None, reason) if reason else (True, "")


def _contains_value_of(configuration: Configuration, candidate: Subject, condition: Condition, subject: Subject) -> Truth:
    reading = configuration.read(candidate, condition.key.split(".", 1)[1])
    wanted = configuration.read(subject, str(condition.values[0]).split(".", 1)[1])
    claim = words.condition(condition)
    if isinstance(reading, NotOffered) or isinstance(wanted, NotOffered):
        return Truth(False, claim)
    if isinstance(reading, Unknown):
        return Truth(None, claim, reading.reason)
    if isinstance(wanted, Unknown):
        return Truth(None, claim, wanted.reason)
    if not isinstance(reading.value, tuple):
        return Truth(None, claim, words.wrong_type(condition.key))
    return Truth(any(same(member, wanted.value) for member in reading.value), claim)


def _initiator_mode(context: Context, subject: Subject, clause: InitiatorMode) -> Truth:
    """Modes of the initiators on this adapter; an adapter that none names has an ordinary software initiator.

    Which mode it is in is not known where no initiator names it and hardware initiators were not listed whole.
    """
    seen: list[str] = []
    doubt = ""
    for initiator in context.configuration.subjects("initiator"):
        adapter = context.configuration.read(initiator, "adapter")
        if not isinstance(adapter, Value) or adapter.value != subject.id:
            continue
        mode = context.configuration.read(initiator, "mode")
        if isinstance(mode, Value):
            seen.append(str(mode.value))
        elif isinstance(mode, Unknown):
            doubt = mode.reason
    if not seen and not doubt and HARDWARE_INITIATORS in context.unread and may_offload(context.configuration.read(subject, "family")):
        doubt = words.kind_unread(HARDWARE_INITIATORS, context.unread[HARDWARE_INITIATORS])
    other = next((mode for mode in seen if mode not in clause.modes), None)
    if other is None and not doubt and (seen or "software" in clause.modes):
        return TRUE
    claim = words.initiator_mode(clause)
    if other is not None:
        return Truth(False, claim, f", here it is {words.value('initiator.mode', other)}", clause.otherwise)
    if doubt:
        return Truth(None, claim, doubt, clause.otherwise)
    return Truth(False, claim, ", here it is software", clause.otherwise)
