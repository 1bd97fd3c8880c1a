"""Words that no text for people uses any more: those of machines that speak, riddles, and older spellings.

Searched are the texts of rules and packs, and all strings of the backend: problem details, notifications, reports, command line. The pages
have the same test (`frontend/src/retired-words.test.ts`) over the same list (`docs/retired-words.json`). A word that a text needs is a line
of `EXCEPTIONS`, with the reason.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from plumbline.core.rules import value_words, words
from plumbline.fleet import worse
from plumbline.notify import kinds
from plumbline.oncall import find, problems
from plumbline.packs.files import load_builtin
from plumbline.packs.rule_text import effect_of
from plumbline.packs.rule_words import IMPACT_WORDS
from tests import shown_texts

_LIST = json.loads((Path(__file__).parents[2] / "docs" / "retired-words.json").read_text())["words"]
_RETIRED = re.compile(rf"(?<![\w-])(?:{'|'.join(_LIST)})(?![\w-])", re.IGNORECASE)

# (module or "rules", word): why the text needs it.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("rules", "test bed"): "texts of published packs; they change with the next version of their pack",
    ("rules", "proven"): "the same",
    ("rules", "no such"): "the same",
    ("rules", "said"): "the same",
    ("core/proof/reference_runs.py", "says"): "a paper says something in words of its own",
    ("core/facts/captures/windows_text/names.py", "slot"): "a property of Windows by its name",
}


def _of_rules() -> Iterator[tuple[str, str]]:
    for pack in load_builtin():
        yield f"{pack.id}", pack.title
        yield f"{pack.id}", pack.summary
        for paper in pack.papers:
            yield f"{pack.id} {paper.id}", paper.notes
        for none in pack.no_rules:
            yield f"{pack.id} {none.id}", none.because
        for rule in pack.rules:
            clauses = [clause.otherwise for clause in (*rule.applies_to.host, *rule.applies_to.subject)]
            texts = [rule.title, rule.summary, rule.why, *rule.headline, *(text for _, text in rule.headline_unknown), *clauses]
            texts += [*rule.fix.manual_steps, rule.fix.because, words.expected(rule.expect), effect_of(rule)]
            for text in texts:
                yield rule.address, text


def _of_messages() -> Iterator[tuple[str, str]]:
    for name, texts in {
        "on-call kinds": problems.KIND_WORDS.values(),
        "on-call paths": [text for lost in ([("v", 0, 2)], [("v", 1, 2)], [("v", 2, 3)]) for text in problems.path_words(lost)],
        "on-call jobs": find._LOST_BY_JOB.values(),
        "notification kinds": kinds.KIND_WORDS.values(),
        "disruption": IMPACT_WORDS.values(),
        "got worse": [*worse._WITHOUT_CHANGE.values(), worse._OTHERWISE],
        "values": value_words.IN_WORDS.values(),
        "core/rules/words.py": [
            words.NOT_SUPPORTED, words.INEFFECTIVE_BOTH, words.INEFFECTIVE_ALL, words.MEETS, words.NO_PEER, words.PEERS_NOT_KNOWN,
            words.NEEDS_ATTESTATION, words.CANNOT_TELL, words.attested(False, "attested by X"),
            *(words.unproven("adapter.frame_probe", value) for value in ("silent", "not_run")),
            *(words.kind_unread(kind, "why") for kind in ("adapter", "vnic", "qos_policy")),
        ],
    }.items():  # fmt: skip
        for text in texts:
            yield name, text


TEXTS = [
    *(("rules", text) for _, text in _of_rules()),
    *_of_messages(),
    *((where.partition(":")[0], text) for where, text in shown_texts.texts()),
]


def retired_in(where: str, text: str) -> list[str]:
    """The retired words of a text that no exception allows."""
    return [found for found in _RETIRED.findall(text) if (where, found.lower()) not in EXCEPTIONS]


def test_no_text_uses_a_retired_word() -> None:
    assert len(TEXTS) > 5_000
    found = {(where, text): bad for where, text in TEXTS if (bad := retired_in(where, text))}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "a guard-rail fails",
        "Login time-out",
        "nobody knows yet",
        "−30 % reads",
        "over {} % full",
        "it stands so",
        "path lost",
        "there is no such host",
        "{} is on record",
    ],
)
def test_the_search_finds_what_it_is_for(text: str) -> None:
    assert retired_in("", text)


def test_strings_and_the_help_of_commands_are_searched_and_logs_and_sql_are_not() -> None:
    source = """
@app.command()
def stop() -> None:
    \"\"\"Stop it.\"\"\"
    log.warning("it was told", why="a bell rang")
    raise Conflict(f"the gate {name} " "is shut")
    session.execute("SELECT slot FROM job WHERE id = 1")
"""
    assert [shown.text for shown in shown_texts.texts_of("a.py", source)] == ["Stop it.", "the gate {} is shut"]


def test_each_exception_is_needed() -> None:
    used = {(where, found.lower()) for where, text in TEXTS for found in _RETIRED.findall(text)}
    assert set(EXCEPTIONS) <= used
