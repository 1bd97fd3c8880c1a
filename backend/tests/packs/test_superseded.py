"""The newer edition of a paper is active by default; the older one is published, and active only where a person activates it."""

from pathlib import Path

import pytest
from sqlmodel import Session, select

from plumbline.infra.database import session_scope
from plumbline.infra.errors import RulesetInvalid
from plumbline.models.packs import PackVersion
from plumbline.ops import embedded_servers
from plumbline.packs.files import load_builtin
from plumbline.packs.files.load import load_folder
from plumbline.packs.in_force import read_active
from plumbline.packs.publish import PackChoice, activate, install_builtin
from tests.conftest import own_database, pointed_at
from tests.packs import site

OLDER, NEWER = "dell-bp1057-2012", "dell-bp1057-2012r2"


def _active(session: Session) -> set[str]:
    return {pack.id for pack in read_active(session).by_group[1].packs}


def test_a_new_installation_activates_the_newer_edition_only(cluster: embedded_servers.PostgresCluster) -> None:
    with own_database(cluster) as name, pointed_at(cluster, name), session_scope() as session:
        install_builtin(session)
        assert _active(session) == {pack.id for pack in load_builtin()} - {OLDER}
        older = session.exec(select(PackVersion).where(PackVersion.pack == OLDER)).one()
        activate(session, group_id=1, pack=OLDER, choice=PackChoice(older.id))
        # The next start leaves it as the site wants it.
        install_builtin(session)
        assert {OLDER, NEWER} <= _active(session)


def test_each_rule_of_the_superseded_edition_for_windows_has_one_in_the_newer() -> None:
    packs = {pack.id: pack for pack in load_builtin()}
    assert packs[NEWER].supersedes == (OLDER,)
    linked = {address for rule in packs[NEWER].rules for address in rule.same_as} | {
        f"{OLDER}/{rule.id}" for rule in packs[OLDER].rules if any(address.startswith(f"{NEWER}/") for address in rule.same_as)
    }
    alone = {rule.id for rule in packs[OLDER].rules if f"{OLDER}/{rule.id}" not in linked}
    assert alone == set()


def test_a_pack_cannot_supersede_itself(tmp_path: Path) -> None:
    for name, text in site.files().items():
        path = tmp_path / "site-array" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + ("supersedes: [site-array]\n" if name == "pack.yaml" else ""))
    with pytest.raises(RulesetInvalid, match=r"pack\.yaml:5: a pack can't supersede itself"):
        load_folder(tmp_path)
