"""`plumbline ruleset check`: everything that is wrong with the packs of a folder, each with file and line."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from plumbline.core.rules.headlines import of_cases, problems_of
from plumbline.infra.errors import RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.cases import Case, error_of, evaluate_case, load_cases, missing_outcomes
from plumbline.packs.files.coverage import check_coverage, read_papers
from plumbline.packs.files.load import LoadedPack, check_together, load_folder, load_leniently, pack_folders


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. It is good when `problems` is empty.

    `warnings` are about texts: such a pack works, and reads worse than it could. `headlines` has a line for each failing case.
    """

    packs: tuple[LoadedPack, ...]
    cases: int
    problems: tuple[RulesetInvalid, ...]
    warnings: tuple[str, ...] = ()
    headlines: tuple[str, ...] = ()


def check_folder(folder: Path) -> Checked:
    """Checks schema, meaning, links and cases of all packs in a folder (or of the one pack that it is).

    Links may lead to packs that come with Plumbline. Where the folder has a `papers.yaml`, every item of it must be accounted for.
    """
    problems: list[RulesetInvalid] = []
    loaded: list[LoadedPack] = []
    for each in pack_folders(folder):
        problems += _unread_files(each)
        pack = load_leniently(each, problems)
        if pack is not None:
            loaded.append(pack)
    names = {pack.pack.id for pack in loaded}
    others = [] if folder == RULESETS else [pack for pack in load_folder(RULESETS) if pack.pack.id not in names]
    if not problems:
        try:
            check_together([*others, *loaded])
            papers = read_papers(folder)
            if papers is not None:
                problems += check_coverage(papers, loaded)
        except RulesetInvalid as error:
            problems.append(error)
    count = 0
    headlines: list[str] = []
    for pack in loaded:
        cases = _check_cases(pack, problems)
        count += len(cases)
        headlines += _headlines(pack, cases)
    return Checked(tuple(loaded), count, tuple(problems), tuple(_warnings(loaded)), tuple(headlines))


def _warnings(loaded: list[LoadedPack]) -> list[str]:
    """What is wrong with titles and headlines, each with file and line."""
    return [
        pack.located[rule.id].wrong(("headline",) if "headline" in pack.located[rule.id].data else ("title",), words).message
        for pack in loaded
        for rule in pack.pack.rules
        for words in problems_of(rule)
    ]


def _headlines(loaded: LoadedPack, cases: list[Case]) -> list[str]:
    """The headline of each failing case, so that an author reads it before anyone on call does."""
    lines = []
    for case in cases:
        rule = loaded.pack.rule(case.rule)
        if rule is None or case.outcome != "fail":
            continue
        failing = [each for each in evaluate_case(case, rule) if each.outcome == "fail"]
        lines += [
            f"{case.path}: {text}"
            for text in of_cases(rule, [(each.subject, each.outcome, each.reason, each.observed) for each in failing])
        ]
    return lines


def _unread_files(folder: Path) -> list[RulesetInvalid]:
    """The files that are left out of the pack because of their ending, which would go unnoticed."""
    found = sorted(path for place in ("rules", "cases") for path in (folder / place).glob("*.yml"))
    shown = [f"{folder.name}/{path.parent.name}/{path.name}" for path in found]
    return [RulesetInvalid(f"{name}:1: is not read; files of a pack end in .yaml", file=name, line=1) for name in shown]


def _check_cases(loaded: LoadedPack, problems: list[RulesetInvalid]) -> list[Case]:
    """Evaluates the cases of a pack and returns them. While a case is invalid, missing cases are not reported."""
    broken: list[RulesetInvalid] = []
    cases = load_cases(loaded.folder, loaded.pack, broken)
    problems += broken
    for rule in () if broken else loaded.pack.rules:
        missing = missing_outcomes(rule, cases)
        if missing:
            wanted = ", ".join(f"cases/{rule.id}.<what>.{outcome}.yaml" for outcome in missing)
            problems.append(loaded.located[rule.id].wrong(("id",), f"no case shows {', '.join(missing)}; write {wanted}"))
    for case in cases:
        rule_of_case = loaded.pack.rule(case.rule)
        wrong = error_of(case, rule_of_case) if rule_of_case is not None else None
        if wrong is not None:
            problems.append(wrong)
    return cases


def summary(checked: Checked, *, with_headlines: bool = False) -> list[str]:
    """The lines that the command prints; `with_headlines` adds the headline of each failing case."""
    if checked.problems:
        return [problem.message for problem in checked.problems]
    lines = []
    for loaded in checked.packs:
        kinds = Counter(rule.kind for rule in loaded.pack.rules)
        by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        rules = "1 rule" if len(loaded.pack.rules) == 1 else f"{len(loaded.pack.rules)} rules"
        lines.append(f"{loaded.pack.id} {loaded.pack.version}: {rules} ({by_kind}), {loaded.pack.content_hash[:12]}")
    lines.append(f"{checked.cases} cases, each with its expected result")
    lines += [f"warning: {words}" for words in checked.warnings]
    if with_headlines and checked.headlines:
        lines += ["headlines of the failing cases:", *(f"  {line}" for line in checked.headlines)]
    return lines
