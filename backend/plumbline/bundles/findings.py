"""The findings of one host under packs from files, without a database: for `plumbline evaluate` and for assessments."""

from collections.abc import Iterable, Iterator, Mapping

from plumbline.core.facts import esxi, windows
from plumbline.core.facts.assemble import Assembled
from plumbline.core.facts.configuration import Configuration, Platform, SectionReading, label_of
from plumbline.core.rules.evaluate import Finding, evaluate_rule
from plumbline.core.rules.headlines import headline
from plumbline.core.rules.rule import Pack, Rule
from plumbline.core.rules.unlisted_kinds import unlisted_kinds


def findings_of(assembled: Assembled, sections: Mapping[str, SectionReading], packs: Iterable[Pack]) -> Iterator[tuple[Rule, Finding]]:
    """Each finding with its rule, of the rules for the host's platform. A section that is not there was not collected."""
    return findings_on(assembled.configuration, unread_of(assembled.configuration.platform, sections), packs)


def unread_of(platform: Platform, sections: Mapping[str, SectionReading]) -> dict[str, str]:
    """Kinds of items that could not be listed because of a whole section, each with the reason."""
    missing = SectionReading("failed", error="not collected")
    return unlisted_kinds(platform, {**dict.fromkeys((windows if platform == "windows" else esxi).SECTIONS, missing), **sections})


def findings_on(configuration: Configuration, unread: Mapping[str, str], packs: Iterable[Pack]) -> Iterator[tuple[Rule, Finding]]:
    """The same of a configuration, and of the kinds of items that its sections did not list (`unread_of`)."""
    for pack in packs:
        for rule in pack.rules:
            if rule.applies_to.platform in (None, configuration.platform):
                for finding in evaluate_rule(rule, configuration, unread=unread):
                    yield rule, finding


def headline_of(assembled: Assembled, rule: Rule, finding: Finding) -> str:
    """What is wrong and where, or what could not be checked; else the rule's title."""
    labels = [label_of(assembled.configuration, finding.subject)]
    return headline(rule, finding.subject, finding.outcome, finding.reason, finding.observed, labels)
