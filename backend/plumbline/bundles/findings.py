"""The findings of one host under packs from files, without a database: for `plumbline evaluate` and for assessments."""

from collections.abc import Iterable, Iterator, Mapping

from plumbline.configurations.read import label_of
from plumbline.core.facts import esxi, windows
from plumbline.core.facts.assemble import Assembled
from plumbline.core.facts.configuration import SectionReading
from plumbline.core.rules.evaluate import Finding, evaluate_rule
from plumbline.core.rules.headlines import headline
from plumbline.core.rules.rule import Pack, Rule
from plumbline.evaluation.evaluate import unread_of


def findings_of(assembled: Assembled, sections: Mapping[str, SectionReading], packs: Iterable[Pack]) -> Iterator[tuple[Rule, Finding]]:
    """Each finding with its rule, of the rules for the host's platform. A section that is not there was not collected."""
    platform = assembled.configuration.platform
    states = dict.fromkeys((windows if platform == "windows" else esxi).SECTIONS, ("failed", "not collected"))
    states |= {name: (section.status, section.error) for name, section in sections.items()}
    unread = unread_of(platform, states)
    for pack in packs:
        for rule in pack.rules:
            if rule.applies_to.platform in (None, platform):
                for finding in evaluate_rule(rule, assembled.configuration, unread=unread):
                    yield rule, finding


def headline_of(assembled: Assembled, rule: Rule, finding: Finding) -> str:
    """What is wrong and where, or what could not be checked; else the rule's title."""
    labels = [label_of(assembled.configuration, finding.subject)]
    return headline(rule, finding.subject, finding.outcome, finding.reason, finding.observed, labels)
