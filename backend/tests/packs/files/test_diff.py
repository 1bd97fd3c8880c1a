"""What a published pack is when it is read back, and what changed between two versions."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import Session

from plumbline.infra.errors import BadInput
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.diff import compare, needed_version, summary
from plumbline.packs.files.load import LoadedPack, load_folder, load_pack, pack_from_document
from tests.packs.files.test_load import PACK, RULE, write_pack


def mine(folder: Path, version: str = "1.0.0", rule: str = RULE) -> LoadedPack:
    folder.mkdir(exist_ok=True)
    return load_pack(write_pack(folder, rule, PACK.replace("1.0.0", version)))


def test_what_was_published_is_read_back_as_it_was(session: Session) -> None:
    """The database gives a document's mappings back in another order; the pack must be the same all the same."""
    for loaded in load_folder(RULESETS):
        data = json.dumps(loaded.document)
        stored = session.execute(text("SELECT CAST(:data AS jsonb)"), {"data": data}).scalar_one()
        assert list(stored["rules"][0]) != list(loaded.document["rules"][0])
        assert pack_from_document(stored) == loaded.pack


@pytest.mark.parametrize(
    ("old", "new", "change", "version"),
    [
        ("why: Because.", "why: Therefore.", "words", "1.0.1"),
        ("at_least: 9000", "at_least: 9600", "expectation", "2.0.0"),
        ("family: x520", "family: bcm57810", "scope", "1.1.0"),
        ("strength: stated", "strength: own_judgement", "weight", "1.1.0"),
        ("kind: recommended", "kind: guard_rail", "weight", "1.1.0"),
        ("state: active", "state: retired", "retired", "1.1.0"),
    ],
)
def test_a_change_needs_its_version(tmp_path: Path, old: str, new: str, change: str, version: str) -> None:
    first = mine(tmp_path / "a").pack
    changed = mine(tmp_path / "b", "1.0.1", RULE.replace(old, new, 1)).pack
    assert [(each.rule, each.change) for each in compare(first, changed)] == [("mine.jumbo", change)]
    assert needed_version(first, changed) == version


def test_added_and_removed_rules(tmp_path: Path) -> None:
    pack = mine(tmp_path).pack
    more = replace(pack, rules=(*pack.rules, replace(pack.rules[0], id="mine.second")), content_hash="other")
    assert [(each.rule, each.change) for each in compare(pack, more)] == [("mine.second", "added")]
    assert (needed_version(pack, more), needed_version(more, pack)) == ("1.1.0", "2.0.0")
    assert needed_version(pack, pack) == "1.0.0"
    with pytest.raises(BadInput, match="different packs"):
        compare(pack, replace(pack, id="other"))


def test_what_the_command_prints(tmp_path: Path) -> None:
    first = mine(tmp_path / "a").pack
    stricter = mine(tmp_path / "b", "1.0.1", RULE.replace("at_least: 9000", "at_least: 9600")).pack
    assert summary(first, stricter) == ["mine.jumbo: requirement changed (expect)", "mine 1.0.0 -> 1.0.1; needs 2.0.0 or higher"]
    assert summary(first, first) == ["mine: no rule differs", "mine 1.0.0 -> 1.0.0"]
