"""Packs from files: `<folder>/<pack>/pack.yaml`, `no-rule.yaml`, `rules/<rule-id>.yaml` and `cases/<rule-id>.<what>.<outcome>.yaml`.

Every error is a `RulesetInvalid` whose message begins with file and line. `load_folder` stops at the first; `check.py` collects all of
them for `plumbline ruleset check`.
"""

import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plumbline.core.rules.rule import NoRule, Pack, Rule
from plumbline.infra.errors import RulesetInvalid
from plumbline.infra.resources import RULESETS
from plumbline.packs.files.links import check_links
from plumbline.packs.files.pack_file import check_pack, no_rules_of, pack_document, papers_of, rule_document
from plumbline.packs.files.resolve import rule_of
from plumbline.packs.files.yaml_lines import Located, read


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack with the lines of its files, for errors and cases."""

    pack: Pack
    folder: Path
    document: dict[str, Any]  # the whole pack as plain data: what is published
    located: dict[str, Located]  # by rule id
    no_rule: Located | None = None  # no-rule.yaml, where the pack has one


@functools.cache
def load_builtin() -> tuple[Pack, ...]:
    """The packs that come with Plumbline, in the order of their names."""
    return tuple(loaded.pack for loaded in load_folder(RULESETS))


def load_folder(folder: Path, others: Iterable[LoadedPack] = ()) -> tuple[LoadedPack, ...]:
    """All packs in a folder, checked one by one and together with the `others`, which their `same_as` may name."""
    loaded = tuple(load_pack(each) for each in pack_folders(folder))
    check_together([*others, *loaded])
    return loaded


def pack_folders(folder: Path) -> list[Path]:
    """The packs of a folder, or the folder itself where it is one pack."""
    if (folder / "pack.yaml").is_file():
        return [folder]
    found = sorted(each.parent for each in folder.glob("*/pack.yaml"))
    if not found:
        raise RulesetInvalid(f"{folder}:1: no pack.yaml in it or in a folder below it", file=str(folder), line=1)
    return found


def load_pack(folder: Path) -> LoadedPack:
    """One pack, checked by itself."""
    problems: list[RulesetInvalid] = []
    loaded = load_leniently(folder, problems)
    if problems or loaded is None:
        raise problems[0]
    return loaded


def load_leniently(folder: Path, problems: list[RulesetInvalid]) -> LoadedPack | None:
    """Reads one pack and collects what is wrong with it; None where nothing can be made of pack.yaml."""
    try:
        head = read(folder / "pack.yaml", _shown(folder, "pack.yaml"))
        pack = pack_document(head)
        check_pack(head, pack)
        if pack.pack != folder.name:
            raise head.wrong(("pack",), f"the pack is called {pack.pack!r} and its folder {folder.name!r}")
    except RulesetInvalid as error:
        problems.append(error)
        return None
    papers = papers_of(pack)
    by_name = {paper.id: paper for paper in papers}
    rules: list[Rule] = []
    located: dict[str, Located] = {}
    for path in sorted((folder / "rules").glob("*.yaml")):
        try:
            located_rule = read(path, _shown(folder, "rules", path.name))
            document = rule_document(located_rule)
            if document.id != path.stem:
                raise located_rule.wrong(("id",), f"the rule is called {document.id!r} and its file {path.name!r}")
            rules.append(rule_of(located_rule, document, pack.pack, by_name))
            located[document.id] = located_rule
        except RulesetInvalid as error:
            problems.append(error)
    if not rules and not problems:
        problems.append(head.wrong((), "the pack has no rules"))
    document_of_all: dict[str, Any] = {"pack": head.data, "rules": [located[rule.id].data for rule in rules]}
    no_rules: tuple[NoRule, ...] = ()
    no_rule = _no_rule_file(folder, problems)
    if no_rule is not None:
        try:
            no_rules = no_rules_of(no_rule)
            document_of_all["no_rule"] = no_rule.data
        except RulesetInvalid as error:
            problems.append(error)
    built = Pack(
        id=pack.pack,
        version=pack.version,
        title=pack.title,
        summary=pack.summary,
        papers=papers,
        rules=tuple(rules),
        no_rules=no_rules,
        content_hash=content_hash(document_of_all),
        supersedes=tuple(pack.supersedes),
    )
    return LoadedPack(built, folder, document_of_all, located, no_rule)


def _no_rule_file(folder: Path, problems: list[RulesetInvalid]) -> Located | None:
    if not (folder / "no-rule.yaml").is_file():
        return None
    try:
        return read(folder / "no-rule.yaml", _shown(folder, "no-rule.yaml"))
    except RulesetInvalid as error:
        problems.append(error)
        return None


def _shown(folder: Path, *rest: str) -> str:
    return "/".join((folder.name, *rest))


def content_hash(document: dict[str, Any]) -> str:
    """SHA-256 over the canonical JSON of a pack's documents."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


def pack_from_document(document: dict[str, Any]) -> Pack:
    """A published pack as it was stored: the same checks, with errors that name the rule instead of the line."""
    name = document["pack"].get("pack", "?")
    head = Located(f"{name}/pack.yaml", {key: value for key, value in document["pack"].items() if key != "no_rule"}, {})
    pack = pack_document(head)
    papers = papers_of(pack)
    by_name = {paper.id: paper for paper in papers}
    rules = []
    for data in document["rules"]:
        located_rule = Located(f"{pack.pack}/rules/{data.get('id', '?')}.yaml", data, {})
        rules.append(rule_of(located_rule, rule_document(located_rule), pack.pack, by_name))
    no_rules = no_rules_of(Located(f"{name}/no-rule.yaml", document.get("no_rule", {}), {}))
    # Packs published before no-rule.yaml was a file of its own carry it as a list in their head.
    no_rules += tuple(NoRule(each["id"], each["because"]) for each in document["pack"].get("no_rule", []))
    return Pack(
        pack.pack, pack.version, pack.title, pack.summary, papers, tuple(rules), no_rules, content_hash(document), tuple(pack.supersedes)
    )


def check_together(packs: Iterable[LoadedPack]) -> None:
    """What can only be checked of several packs together: rule ids are unique, `same_as` leads to rules that can be linked."""
    rules: dict[str, tuple[Located, Rule]] = {}
    owner: dict[str, str] = {}
    for loaded in packs:
        for rule in loaded.pack.rules:
            located_rule = loaded.located[rule.id]
            if rule.id in owner:
                raise located_rule.wrong(("id",), f"the id {rule.id!r} is taken by pack {owner[rule.id]}")
            owner[rule.id] = loaded.pack.id
            rules[rule.address] = (located_rule, rule)
    check_links(rules)
