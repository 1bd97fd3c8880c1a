"""From documents to rules: everything that the schema cannot express is checked here, and every error names file and line.

Checked: setting keys against the catalogue, values against a setting's type and enumeration, one operator at a time, subjects that
agree, evidence that names a paper of the pack, figures only where a paper prints them, and links that lead somewhere.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from plumbline.core.facts.catalogue import BY_KEY, FAMILIES, KINDS, MODES, Entry
from plumbline.core.facts.configuration import Scalar, SettingValue
from plumbline.core.rules.rule import (
    AllOf,
    AnyOf,
    AppliesTo,
    Attested,
    Check,
    Condition,
    ConditionTest,
    Evidence,
    Exists,
    Expectation,
    Fix,
    FixSetting,
    Has,
    HostClause,
    InitiatorMode,
    Operator,
    Paper,
    Rule,
    SubjectClause,
)
from plumbline.packs.files.document import (
    AppliesToDocument,
    ConditionDocument,
    ConditionShorthand,
    EvidenceDocument,
    ExpectDocument,
    FixDocument,
    RuleDocument,
    SubjectSelection,
)
from plumbline.packs.files.fitting import entry_of, must_be_known, must_be_number, must_be_version, must_fit
from plumbline.packs.files.headline_texts import headlines_of, unknown_headlines_of
from plumbline.packs.files.yaml_lines import Located, Steps

_OPERATORS: tuple[Operator, ...] = (
    "equals", "one_of", "at_least", "at_most", "between", "driver_maximum", "present", "absent",
    "same_across", "distinct", "sum_at_most", "proves",
)  # fmt: skip
_OPPOSITE: dict[ConditionTest, ConditionTest] = {
    "one_of": "none_of", "none_of": "one_of", "at_least": "at_most", "at_most": "at_least",
}  # fmt: skip
_NUMBERS_ONLY = ("at_least", "at_most", "between", "driver_maximum", "sum_at_most")
# Kinds that may be in `applies_to` under their own name.
_SUBJECT_KINDS = tuple(kind for kind in KINDS if kind != "host")


def rule_of(located: Located, document: RuleDocument, pack: str, papers: Mapping[str, Paper]) -> Rule:
    """The checked rule of one document."""
    return _Resolver(located, document, pack, papers).rule()


class _Resolver:
    """Turns the document of one rule into the rule; it knows the line of each value, so that errors can name it."""

    def __init__(self, located: Located, document: RuleDocument, pack: str, papers: Mapping[str, Paper]) -> None:
        self.located = located
        self.document = document
        self.pack = pack
        self.papers = papers
        self.subject_kind = ""

    def rule(self) -> Rule:
        document = self.document
        self.subject_kind = self._subject_kind()
        expect = self._expect(document.expect, ("expect",))
        return Rule(
            pack=self.pack,
            id=document.id,
            kind=document.kind,
            title=document.title,
            summary=document.summary,
            why=document.why,
            subject_kind=self.subject_kind,
            applies_to=self._applies_to(document.applies_to),
            expect=expect,
            impact=document.impact,
            fix=self._fix(document.fix),
            evidence=tuple(self._evidence(each, ("evidence", index)) for index, each in enumerate(document.evidence)),
            covers=tuple(document.covers),
            same_as=tuple(document.same_as),
            retired=document.status.state == "retired",
            headline=headlines_of(self.located, document, expect),
            headline_unknown=unknown_headlines_of(self.located, document, expect),
        )

    # --- subject ---------------------------------------------------------------------------------------------------------------------

    def _subject_kind(self) -> str:
        """As written, or the one kind besides the host that `expect` and `applies_to` name."""
        if not isinstance(self.document.subject, UnsetType):
            if self.document.subject not in KINDS:
                raise self.located.wrong(("subject",), f"{self.document.subject!r} is no kind of subject ({', '.join(KINDS)})")
            return self.document.subject
        kinds = {kind for kind in _SUBJECT_KINDS if getattr(self.document.applies_to, kind, None)}
        kinds |= set(_kinds_of(self.document.expect))
        if len(kinds) > 1:
            raise self.located.wrong(("expect",), f"name the `subject`: this rule is about {' and '.join(sorted(kinds))}")
        return kinds.pop() if kinds else "host"

    # --- applies_to ------------------------------------------------------------------------------------------------------------------

    def _applies_to(self, document: AppliesToDocument) -> AppliesTo:
        host: list[HostClause] = list(self._conditions("host", document.host, ("applies_to", "host")))
        retired_on = self.document.status.retired_on
        if not isinstance(retired_on, UnsetType):
            host.extend(self._retired_on(retired_on.host, retired_on.why))
        for index, has in enumerate(document.has):
            steps: Steps = ("applies_to", "has", index)
            if has.kind not in KINDS:
                raise self.located.wrong(steps, f"{has.kind!r} is no kind of subject")
            where = self._conditions(has.kind, has.where, (*steps, "where"))
            modes: tuple[str, ...] = ()
            if not isinstance(has.initiator_mode, UnsetType):
                if has.kind != "adapter":
                    raise self.located.wrong(steps, "initiator_mode is for adapters")
                modes = self._modes(has.initiator_mode, (*steps, "initiator_mode")).modes
            host.append(Has(has.kind, where, has.id_contains, modes, _words(has.else_)))
        subject: list[SubjectClause] = []
        for kind in _SUBJECT_KINDS:
            written = getattr(document, kind)
            if not written:
                continue
            if kind != self.subject_kind:
                message = f"this rule applies to each {self.subject_kind}; a condition on another {kind} belongs under `has`"
                raise self.located.wrong(("applies_to", kind), message)
            subject.extend(self._conditions(kind, written, ("applies_to", kind)))
        if not isinstance(document.initiator_mode, UnsetType):
            subject.append(self._initiator_mode(document.initiator_mode))
        return AppliesTo(
            platform=None if isinstance(document.platform, UnsetType) else document.platform,
            host=tuple(host),
            subject=tuple(subject),
        )

    def _retired_on(self, written: dict[str, ConditionShorthand], why: str) -> list[Condition]:
        """The advice holds only while the condition is false: `at_least` n becomes `at_most` n - 1, and so on."""
        inverted = []
        for condition in self._conditions("host", written, ("status", "retired_on", "host")):
            if condition.test not in _OPPOSITE:
                raise self.located.wrong(("status", "retired_on"), f"{condition.test} can't define from when a rule is retired")
            values = condition.values
            if condition.test in ("at_least", "at_most"):
                values = (int(values[0]) + (-1 if condition.test == "at_least" else 1),)
            inverted.append(Condition(condition.key, _OPPOSITE[condition.test], values, why))
        return inverted

    def _initiator_mode(self, written: ConditionShorthand) -> InitiatorMode:
        steps: Steps = ("applies_to", "initiator_mode")
        if self.subject_kind != "adapter":
            raise self.located.wrong(steps, "initiator_mode is for rules that apply to each adapter")
        return self._modes(written, steps)

    def _modes(self, written: ConditionShorthand, steps: Steps) -> InitiatorMode:
        condition = self._condition("initiator.mode", written, steps)
        if condition.test == "one_of":
            modes = tuple(str(value) for value in condition.values)
        elif condition.test == "none_of":
            modes = tuple(mode for mode in MODES if mode not in condition.values)
        else:
            raise self.located.wrong(steps, "initiator_mode takes is, one_of or is_not")
        # NDIS in the papers is an ordinary adapter with the software initiator over it: one and the same thing.
        if "ndis" in modes and "software" not in modes:
            modes = (*modes, "software")
        return InitiatorMode(modes, condition.otherwise)

    def _conditions(self, kind: str, written: Mapping[str, ConditionShorthand], steps: Steps) -> tuple[Condition, ...]:
        # In the order of their names: a published pack comes back from the database with its mappings in another order.
        return tuple(self._condition(f"{kind}.{name}", written[name], (*steps, name)) for name in sorted(written))

    def _condition(self, key: str, written: ConditionShorthand, steps: Steps) -> Condition:
        entry = entry_of(self.located, key, steps)
        if isinstance(written, list):
            written = ConditionDocument(one_of=written)
        elif not isinstance(written, ConditionDocument):
            written = ConditionDocument(is_=written)
        given: list[tuple[ConditionTest, tuple[Scalar, ...]]] = []
        single: tuple[tuple[ConditionTest, Scalar | UnsetType], ...] = (
            ("one_of", written.is_), ("none_of", written.is_not), ("at_least", written.at_least), ("at_most", written.at_most),
            ("contains", written.contains), ("contains_value_of", written.contains_value_of),
        )  # fmt: skip
        for test, value in single:
            if not isinstance(value, UnsetType):
                given.append((test, (value,)))
        if not isinstance(written.one_of, UnsetType):
            given.append(("one_of", tuple(written.one_of)))
        if len(given) != 1:
            message = "a condition has exactly one of is, one_of, is_not, at_least, at_most, contains, contains_value_of"
            raise self.located.wrong(steps, message)
        test, values = given[0]
        if test == "contains_value_of":
            entry_of(self.located, str(values[0]), steps)
        if test in ("contains", "contains_value_of"):
            if entry.type != "list":
                raise self.located.wrong(steps, f"{key} is no list, so nothing can be contained in it")
        elif test in ("at_least", "at_most"):
            must_be_number(self.located, entry, steps)
        else:
            for value in values:
                must_fit(self.located, entry, value, steps)
        return Condition(key, test, values, _words(written.else_))

    # --- expect ----------------------------------------------------------------------------------------------------------------------

    def _expect(self, document: ExpectDocument, steps: Steps) -> Expectation:
        forms: dict[str, object] = {
            "all_of": document.all_of,
            "any_of": document.any_of,
            "attested": document.attested,
            **{operator: getattr(document, operator) for operator in _OPERATORS},
        }
        given = [name for name, value in forms.items() if value is not UNSET]
        if len(given) != 1:
            raise self.located.wrong(steps, f"an expectation has exactly one operator, this one has {', '.join(given) or 'none'}")
        form = given[0]
        if isinstance(document.all_of, list):
            return AllOf(tuple(self._expect(part, (*steps, "all_of", index)) for index, part in enumerate(document.all_of)))
        if isinstance(document.any_of, list):
            return AnyOf(tuple(self._expect(part, (*steps, "any_of", index)) for index, part in enumerate(document.any_of)))
        if isinstance(document.attested, str):
            return Attested(document.attested)
        for name, selection in (("present", document.present), ("absent", document.absent)):
            if isinstance(selection, SubjectSelection):
                return self._exists(document, selection, (*steps, name), wanted=name == "present")
        return self._check(document, form, steps)

    def _exists(self, document: ExpectDocument, selection: SubjectSelection, steps: Steps, *, wanted: bool) -> Exists:
        if document.setting is not UNSET:
            raise self.located.wrong(steps, "either a setting is present, or a whole subject; not both")
        if selection.kind not in KINDS:
            raise self.located.wrong(steps, f"{selection.kind!r} is no kind of subject")
        where = self._conditions(selection.kind, selection.where, (*steps, "where"))
        for condition in where:
            if condition.test == "contains_value_of" and str(condition.values[0]).split(".", 1)[0] not in (self.subject_kind, "host"):
                raise self.located.wrong(steps, f"contains_value_of may name a setting of the rule's own {self.subject_kind} only")
        return Exists(selection.kind, where, wanted, selection.words)

    def _check(self, document: ExpectDocument, form: str, steps: Steps) -> Check:
        if isinstance(document.setting, UnsetType):
            raise self.located.wrong(steps, f"{form} needs a `setting`")
        entry = entry_of(self.located, document.setting, (*steps, "setting"))
        operator = next(each for each in _OPERATORS if each == form)
        raw = getattr(document, operator)
        values: tuple[Scalar, ...] = ()
        if operator in ("equals", "one_of", "between"):
            values = tuple(raw) if isinstance(raw, list) else (raw,)
        elif operator in ("at_least", "at_most", "sum_at_most", "proves", "driver_maximum"):
            values = (raw,)
        if operator == "at_least" and entry.type == "version":
            must_be_version(self.located, entry, values[0], (*steps, operator))
        elif operator in _NUMBERS_ONLY:
            must_be_number(self.located, entry, steps)
            for value in values:
                must_fit(self.located, entry, value, (*steps, operator))
        elif operator in ("equals", "one_of", "proves"):
            for value in values:
                must_fit(self.located, entry, value, (*steps, operator))
        if operator == "equals" and isinstance(raw, list) != (entry.type == "list"):
            raise self.located.wrong((*steps, operator), f"{entry.key} is {'a' if entry.type == 'list' else 'no'} list")
        if operator == "between" and int(values[0]) > int(values[1]):
            raise self.located.wrong((*steps, operator), "the lower figure comes first")
        if operator == "driver_maximum":
            entry_of(self.located, f"{entry.key}_maximum", (*steps, operator))
        self._check_subject(entry, operator, steps)
        if document.where and operator not in ("distinct", "sum_at_most"):
            raise self.located.wrong((*steps, "where"), f"{operator} looks at one subject; `where` is for distinct and sum_at_most")
        return Check(
            operator=operator,
            key=entry.key,
            values=values,
            scope="host" if isinstance(document.same_across, UnsetType) else document.same_across,
            where=self._conditions(entry.kind, document.where, (*steps, "where")),
            tested="" if isinstance(document.tested, UnsetType) else str(document.tested),
        )

    def _check_subject(self, entry: Entry, operator: Operator, steps: Steps) -> None:
        if operator in ("distinct", "sum_at_most"):
            if entry.kind == "host":
                raise self.located.wrong(steps, f"{operator} looks at several subjects; a host has only one {entry.key}")
            return
        if operator == "same_across":
            scope = self.document_scope(steps)
            if entry.kind == "host" and scope != "cluster":
                raise self.located.wrong(steps, f"{entry.key} can be compared across a cluster only")
            if scope == "fabric" and self.subject_kind != "adapter":
                raise self.located.wrong(steps, "a fabric is a label on an adapter, so only adapter rules compare across it")
        if entry.kind not in ("host", self.subject_kind):
            message = f"{entry.key} is not a setting of the {self.subject_kind} that this rule applies to"
            raise self.located.wrong(steps, f"{message}; use `present` or `absent` with a subject")

    def document_scope(self, steps: Steps) -> str:
        """The `same_across` written at these steps."""
        node: Any = self.located.data
        for step in steps:
            node = node[step]
        return str(node["same_across"])

    # --- the rest --------------------------------------------------------------------------------------------------------------------

    def _fix(self, document: FixDocument) -> Fix:
        if bool(document.set) == bool(document.manual_only):
            raise self.located.wrong(("fix",), "a fix either sets something or is manual_only")
        if document.manual_only and not document.because:
            raise self.located.wrong(("fix",), "a manual fix needs `because`: why no step may do it")
        settings = []
        for index, each in enumerate(document.set):
            steps: Steps = ("fix", "set", index)
            entry = entry_of(self.located, each.setting, steps)
            to: SettingValue | None
            if each.to == "driver_maximum":
                entry_of(self.located, f"{entry.key}_maximum", steps)
                to = None
            else:
                to = tuple(each.to) if isinstance(each.to, list) else each.to
                for value in to if isinstance(to, tuple) else (to,):
                    must_fit(self.located, entry, value, (*steps, "to"))
            if entry.layer in ("identity", "operational"):
                raise self.located.wrong(steps, f"{entry.key} is {entry.layer} and can't be set")
            settings.append(FixSetting(entry.key, to, None if isinstance(each.fallback, UnsetType) else each.fallback))
        return Fix(tuple(settings), tuple(document.manual_only), document.because)

    def _evidence(self, document: EvidenceDocument, steps: Steps) -> Evidence:
        if document.paper not in self.papers:
            declared = ", ".join(self.papers) or "pack.yaml declares none"
            raise self.located.wrong((*steps, "paper"), f"{document.paper!r} is no paper of this pack ({declared})")
        figures = [document.change_percent, document.from_, document.to]
        has_figure = any(figure is not UNSET for figure in figures)
        if document.strength == "measured" and not has_figure:
            raise self.located.wrong(steps, "measured evidence states its figure (change_percent, or from and to)")
        if document.strength != "measured" and has_figure:
            raise self.located.wrong(steps, f"evidence of strength {document.strength} carries no figure: the text prints none")
        must_be_known(self.located, (*steps, "families"), document.families, FAMILIES, "adapter family")
        must_be_known(self.located, (*steps, "os_releases"), document.os_releases, BY_KEY["host.os_release"].values, "release")
        return Evidence(
            paper=document.paper,
            at=document.at,
            says=document.says,
            strength=document.strength,
            band=document.band,
            workload=document.workload,
            condition=document.condition,
            metric=document.metric,
            change_percent=_figure(document.change_percent),
            value_from=_figure(document.from_),
            value_to=_figure(document.to),
            families=tuple(document.families),
            os_releases=tuple(document.os_releases),
        )


def _figure(value: float | UnsetType) -> float | None:
    return None if isinstance(value, UnsetType) else float(value)


def _words(value: str | UnsetType) -> str:
    return "" if isinstance(value, UnsetType) else value


def _kinds_of(document: ExpectDocument) -> set[str]:
    """The subject kinds, besides the host, whose settings an expectation reads one at a time."""
    kinds: set[str] = set()
    for parts in (document.all_of, document.any_of):
        if isinstance(parts, list):
            for part in parts:
                kinds |= _kinds_of(part)
    over_several = document.distinct is not UNSET or document.sum_at_most is not UNSET
    if isinstance(document.setting, str) and not over_several:
        kinds.add(document.setting.split(".", 1)[0])
    return kinds & set(_SUBJECT_KINDS)
