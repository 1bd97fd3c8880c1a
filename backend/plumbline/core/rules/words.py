"""Every sentence of a finding, in one place, in the words of a storage engineer."""

from collections.abc import Sequence
from functools import cache

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import Platform, Scalar, SettingValue
from plumbline.core.rules.peers import PeerValue
from plumbline.core.rules.rule import AllOf, AnyOf, Attested, Check, Condition, Exists, Expectation, Has, InitiatorMode, is_list, is_version
from plumbline.core.rules.value_words import IN_WORDS, has_plural_label, unit_after

NOT_OFFERED = "driver does not offer it"  # the reason that readers store for a setting; shown as `NOT_SUPPORTED`
NOT_SUPPORTED = "not supported by the driver"
INEFFECTIVE_BOTH = "no effect: both settings are needed"
INEFFECTIVE_ALL = "no effect: all settings are needed"
MEETS = "as expected"
NO_PEER = "no other host to compare with"
PEERS_NOT_KNOWN = "peer hosts unknown"
NEEDS_ATTESTATION = "needs an attestation; hosts can't report this"
# `headlines.py` reads stored sentences back by how they begin, or by these parts of them.
CANNOT_TELL = "can't tell if the rule applies"
NOT_MET = "not met, "
THERE_IS = "there is "
EXPECTED = "expected "
HERE_AND, HERE_MORE = " here and ", " here, "

# More alternatives than this are introduced, so that the list is not taken for the value before it.
_FEW = 2
_SCOPES = {"cluster": "other hosts in the cluster", "fabric": "other hosts on the fabric"}


def value(key: str, raw: SettingValue) -> str:
    """A value as it is shown, with its unit."""
    if isinstance(raw, tuple):
        return ", ".join(value("", member) for member in raw) if raw else "none"
    if isinstance(raw, bool):
        return "yes" if raw else "no"
    if isinstance(raw, int):
        unit = unit_after(key)
        return f"{raw}%" if unit == "%" else f"{raw} {unit}".rstrip()
    if not raw:
        return "none"
    entry = BY_KEY.get(key)
    return IN_WORDS.get(raw, raw) if entry is None or entry.type == "enum" else raw


def label(key: str) -> str:
    """What a setting is called on screen."""
    entry = BY_KEY.get(key)
    return entry.label if entry else key


def _either(key: str, values: tuple[Scalar, ...]) -> str:
    words = [value(key, each) for each in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def condition(condition: Condition) -> str:
    """A condition as a claim: "Role is iSCSI SAN"."""
    name = label(condition.key)
    if condition.test == "one_of":
        return f"{name} is {_either(condition.key, condition.values)}"
    if condition.test == "none_of":
        return f"{name} is not {_either(condition.key, condition.values)}"
    if condition.test == "at_least":
        return f"{name} is {value(condition.key, condition.values[0])} or more"
    if condition.test == "at_most":
        return f"{name} is {value(condition.key, condition.values[0])} or less"
    if condition.test == "contains":
        return f"{name} include {value(condition.key, condition.values[0])}"
    return f"{name} include the {label(str(condition.values[0])).lower()}"


def has(clause: Has, platform: Platform | None = None) -> str:
    """An existence clause as a claim."""
    conditions = " and ".join(condition(each) for each in clause.where)
    named = f" named *{clause.id_contains}*" if clause.id_contains else ""
    over = f" with {_either('initiator.mode', clause.modes)} initiator" if clause.modes else ""
    named += over
    return f"the host has {_article(kind_word(clause.kind, platform))}{named}{' whose ' + conditions if conditions else ''}"


def initiator_mode(clause: InitiatorMode) -> str:
    """An initiator clause as a claim."""
    return f"its initiator is {_either('initiator.mode', clause.modes)}"


_KIND_WORDS = {
    "vswitch": "virtual switch",
    "portgroup": "port group",
    "tcp_template": "TCP template",
    "transport_filter": "transport filter",
    "qos_class": "QoS class",
    "qos_policy": "QoS policy",
}


# What a virtual adapter is called on each platform; a rule for both names both.
_VNIC_WORDS = {"esxi": "VMkernel port", "windows": "vNIC"}


def kind_word(kind: str, platform: Platform | None = None) -> str:
    """A subject kind as it is shown."""
    if kind == "vnic":
        return _VNIC_WORDS[platform] if platform else " or ".join(_VNIC_WORDS.values())
    return _KIND_WORDS.get(kind, kind)


def kind_of(key: str) -> str:
    """The kind of item that a setting is of."""
    return key.partition(".")[0]


def _kinds_word(kind: str, platform: Platform | None = None) -> str:
    """Several subjects of a kind."""
    return " or ".join(_plural(one) for one in kind_word(kind, platform).split(" or "))


def _plural(one: str) -> str:
    return f"{one[:-1]}ies" if one.endswith("y") else f"{one}es" if one.endswith(("s", "ch")) else f"{one}s"


def counted_kind(kind: str, count: int, platform: Platform | None = None) -> str:
    """Some subjects of a kind: "1 adapter", "2 adapters"."""
    return f"{count} {kind_word(kind, platform) if count == 1 else _kinds_word(kind, platform)}"


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def no_subject(kind: str, platform: Platform) -> str:
    """Why a rule on this kind of subject has nothing to evaluate."""
    return f"this host has no {kind_word(kind, platform)}"


def left_out(otherwise: str, claim: str, seen: str) -> str:
    """Why a subject is left out: the rule's own text, or the clause that is false."""
    return otherwise or f"applies only if {claim}{seen}"


def cannot_tell(claim: str, reason: str) -> str:
    """Why it is not known whether a rule applies."""
    return f"{CANNOT_TELL}: unknown whether {claim} ({reason})"


def kind_unread(kind: str, reason: str, platform: Platform | None = None) -> str:
    """The subjects themselves could not be listed."""
    return f"{_kinds_word(kind, platform)} could not be read: {reason}"


def internal_error(error: BaseException) -> str:
    """A rule broke while it was evaluated; the check-in goes on."""
    return f"internal error in this rule: {type(error).__name__}"


def unknown_setting(key: str, reason: str) -> str:
    """A setting that a rule needs could not be read."""
    return f"{label(key)}: {reason}"


def attested(is_so: bool, by: str) -> str:
    """An attestation; `by` holds who gave it and until when."""
    return by if is_so else f"{NOT_MET}{by}"


def not_offered(key: str, reason: str) -> str:
    """A setting that this driver or release does not have."""
    return f"{NOT_SUPPORTED}: {label(key)}{f' ({reason})' if reason and reason != NOT_OFFERED else ''}"


def expected(expectation: Expectation) -> str:
    """What an expectation requires, as text."""
    if isinstance(expectation, Exists):
        return expectation.words if expectation.wanted else f"no {expectation.words.removeprefix('a ').removeprefix('an ')}"
    if isinstance(expectation, Attested):
        return expectation.words
    if isinstance(expectation, AllOf):
        return "; ".join(expected(part) for part in expectation.parts)
    if isinstance(expectation, AnyOf):
        return " or ".join(expected(part) for part in expectation.parts)
    tested = f" (tested: {expectation.tested})" if expectation.tested else ""
    return f"{_named(expectation.key)}{_wanted(expectation)}{tested}"


def _wanted(check: Check) -> str:
    first = value(check.key, check.values[0]) if check.values else ""
    match check.operator:
        case "equals":
            return first
        case "one_of" if is_list(check.key):
            return f"only {_either(check.key, check.values)}"
        case "one_of":
            return f"{'either ' if len(check.values) > _FEW else ''}{_either(check.key, check.values)}"
        case "at_least":
            return f"at least {first}"
        case "at_most":
            return f"at most {first}"
        case "between":
            return f"from {first} to {value(check.key, check.values[1])}"
        case "driver_maximum":
            return f"driver maximum (at least {first} if unknown)" if first else "driver maximum"
        case "present":
            return "present"
        case "absent":
            return "none"
        case "same_across":
            return (
                f"same as {_SCOPES[check.scope]}"
                if check.scope != "host"
                else f"same as this host's other {_kinds_word(kind_of(check.key))}"
            )
        case "distinct":
            return "no duplicates"
        case "sum_at_most":
            return f"total at most {first}"
        case "proves":
            return f"verified {first}"


def observed(key: str, raw: SettingValue) -> str:
    """What was read, with its label."""
    return f"{_named(key)}{value(key, raw)}"


@cache
def _named(key: str) -> str:
    """A label with what separates it from its value: a claim that is true or not takes a colon."""
    return f"{label(key)}: " if key in BY_KEY and BY_KEY[key].type == "bool" else f"{label(key)} "


@cache
def _is(key: str) -> str:
    """A label with its verb, or the colon."""
    if key in BY_KEY and BY_KEY[key].type == "bool":
        return f"{label(key)}:"
    return f"{label(key)} {'are' if has_plural_label(key) else 'is'}"


def differs(key: str, raw: SettingValue, wanted: str) -> str:
    """Why a check fails: what it is and what it should be."""
    if raw in ("", ()) and wanted == "present":
        return f"{label(key)}: none" if raw == () else f"{label(key)} not found"
    if raw == "" and is_version(key):
        return f"{label(key)} not found; {EXPECTED}{wanted}"
    return f"{_is(key)} {value(key, raw)}; {EXPECTED}{wanted}"


def repeats_values(outcome: str, reason: str, observed: str, expected: str) -> bool:
    """The reason says nothing that the observed and the expected value, shown next to it, do not say."""
    if outcome == "pass":
        return True
    # The second form is that of findings that were stored before 0.2.
    says_both = f"; {EXPECTED}" in reason or reason.endswith(" expected")
    return outcome == "fail" and bool(observed and expected) and says_both and not reason.startswith(("no effect", "ineffective"))


def at_least(key: str, figure: int) -> str:
    """A lower bound."""
    return f"at least {value(key, figure)}"


def wanted_only(check: Check) -> str:
    """The wanted value without the label, for sentences that already contain it."""
    return _wanted(check)


def differs_from(key: str, mine: SettingValue, others: Sequence[tuple[SettingValue, str]]) -> str:
    """Why a comparison fails: the value here, and each other value with its hosts."""
    return f"{_is(key)} {_list([f'{value(key, mine)} here', *(f'{value(key, other)} on {where}' for other, where in others)])}"


def hosts(others: Sequence[PeerValue]) -> str:
    """The names of the peers, and how many more there are: "hv-11, hv-12 and 3 more"."""
    more = sum(other.more for other in others)
    return _list([*dict.fromkeys(other.host for other in others), *([f"{more} more"] if more else [])])


def _list(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def other_unknown(key: str, where: str, why: str) -> str:
    """A comparison with a value that could not be read."""
    return f"{label(key)} of {where} is unknown{f' ({why})' if why else ''}"


def may_not_count(difference: str, claim: str, why: str) -> str:
    """A comparison with an item of the host that the rule may not be about: "MTU is 9,000 here and 1,500 on LAN, where it is unknown
    whether …"."""
    return f"{difference}, where it is unknown whether {claim} ({why})"


def unproven(key: str, raw: SettingValue) -> str:
    """A probe that ran without a result, or did not run."""
    meaning = {"silent": "no reply at any size (pings may be blocked)", "not_run": "test not run"}
    return f"{label(key)}: {meaning.get(str(raw), value(key, raw))}"


def wrong_type(key: str) -> str:
    """A value that is no number where one was needed."""
    return f"{label(key)}: value can't be compared"
