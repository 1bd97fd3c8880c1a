"""Published versions never change, rule numbers are kept, and the nearest group's newest activation counts."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlmodel import Session

from plumbline.errors import BadInput, Conflict, NotFound
from plumbline.hosts.models import HostGroup
from plumbline.resources import RULESETS
from plumbline.rulesets.diff import compare, needed_version, what_would_change
from plumbline.rulesets.load import LoadedPack, load_folder, load_pack
from plumbline.rulesets.publish import (
    PackVersionExists,
    activate,
    active_versions,
    deactivate,
    publish,
    publish_all,
    rule_numbers,
    stored_pack,
)
from plumbline.scoring.rule import Check
from tests.rulesets.test_load import PACK, RULE, write_pack
from tests.scoring.builders import san_host


def mine(folder: Path, version: str = "1.0.0", rule: str = RULE) -> LoadedPack:
    folder.mkdir(exist_ok=True)
    return load_pack(write_pack(folder, rule, PACK.replace("1.0.0", version)))


def test_publishing_the_builtin_packs_twice_does_nothing_new(session: Session) -> None:
    packs = load_folder(RULESETS)
    first = publish_all(session, packs)
    numbers = rule_numbers(session)
    assert [version.id for version in publish_all(session, packs)] == [version.id for version in first]
    assert rule_numbers(session) == numbers
    assert set(numbers) == {rule.address for loaded in packs for rule in loaded.pack.rules}


def test_what_was_published_is_read_back_as_it_was(session: Session) -> None:
    for loaded, version in zip(load_folder(RULESETS), publish_all(session, load_folder(RULESETS)), strict=True):
        assert version.id is not None
        session.expire(version)
        assert stored_pack(session, version.id) == loaded.pack


def test_a_version_that_does_not_exist(session: Session) -> None:
    with pytest.raises(NotFound):
        stored_pack(session, 30_000)


def test_other_content_under_a_published_version_is_refused(session: Session, tmp_path: Path) -> None:
    publish(session, mine(tmp_path / "a"))
    with pytest.raises(PackVersionExists, match="raise the version"):
        publish(session, mine(tmp_path / "b", rule=RULE.replace("Because.", "Therefore.")))


def test_a_rule_keeps_its_number_over_versions(session: Session, tmp_path: Path) -> None:
    publish(session, mine(tmp_path / "a"))
    before = rule_numbers(session)["mine/mine.jumbo"]
    publish(session, mine(tmp_path / "b", "2.0.0", RULE.replace("9000}", "9600}")))
    assert rule_numbers(session)["mine/mine.jumbo"] == before


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
def test_a_change_asks_for_its_version(session: Session, tmp_path: Path, old: str, new: str, change: str, version: str) -> None:
    first = mine(tmp_path / "a")
    publish(session, first)
    changed = mine(tmp_path / "b", "1.0.1", RULE.replace(old, new, 1))
    assert [(each.rule, each.change) for each in compare(first.pack, changed.pack)] == [("mine.jumbo", change)]
    assert needed_version(first.pack, changed.pack) == version
    if version == "1.0.1":
        publish(session, changed)
    else:
        with pytest.raises(Conflict, match=f"need version {version} or higher"):
            publish(session, changed)


def test_added_and_removed_rules(tmp_path: Path) -> None:
    pack = mine(tmp_path).pack
    more = replace(pack, rules=(*pack.rules, replace(pack.rules[0], id="mine.second")), content_hash="other")
    assert [(each.rule, each.change) for each in compare(pack, more)] == [("mine.second", "added")]
    assert (needed_version(pack, more), needed_version(more, pack)) == ("1.1.0", "2.0.0")
    assert needed_version(pack, pack) == "1.0.0"
    with pytest.raises(BadInput, match="different packs"):
        compare(pack, replace(pack, id="other"))


def test_what_would_change_on_hosts(tmp_path: Path) -> None:
    pack = mine(tmp_path).pack
    stricter = replace(pack, rules=(replace(pack.rules[0], expect=Check("at_least", "adapter.mtu", (9600,))),), content_hash="other")
    hosts = [("h1", san_host(a1={"mtu": 9000}, a2={"mtu": 9600})), ("h2", san_host(a1={"role": "management"}))]
    changes = [(each.host, each.subject.id, each.old, each.new) for each in what_would_change(pack, stricter, hosts)]
    assert changes == [("h1", "a1", "pass", "fail")]
    fresh = [(each.host, each.subject.kind, each.old, each.new) for each in what_would_change(None, pack, hosts)]
    assert fresh == [("h1", "adapter", None, "pass"), ("h1", "adapter", None, "pass"), ("h2", "host", None, "not_applicable")]


def test_the_nearest_group_decides(session: Session, tmp_path: Path) -> None:
    one = publish(session, mine(tmp_path / "a"))
    two = publish(session, mine(tmp_path / "b", "2.0.0", RULE.replace("9000}", "9600}")))
    root, site, row = (HostGroup(name=name, path=f"/{name}") for name in ("root", "site", "row"))
    session.add_all([root, site, row])
    session.flush()
    assert root.id
    assert site.id
    assert row.id
    chain = [row.id, site.id, root.id]
    assert active_versions(session, chain) == {}
    activate(session, group_id=root.id, version=one)
    assert active_versions(session, chain)["mine"].pack_version_id == one.id
    activate(session, group_id=site.id, version=two)
    assert active_versions(session, chain)["mine"].pack_version_id == two.id
    assert active_versions(session, [root.id])["mine"].pack_version_id == one.id
    activate(session, group_id=site.id, version=one)
    assert active_versions(session, chain)["mine"].pack_version_id == one.id
    deactivate(session, group_id=row.id, pack="mine")
    assert active_versions(session, chain) == {}
    assert active_versions(session, [site.id, root.id])["mine"].pack_version_id == one.id
