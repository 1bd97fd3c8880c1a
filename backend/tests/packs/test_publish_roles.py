"""What the background may do with packs under its own role of the database, and what it may not; what lists cost."""

from collections.abc import Iterator

import pytest
from sqlalchemy import event
from sqlalchemy.exc import ProgrammingError
from sqlmodel import Session, text

from plumbline.infra.database import get_engine, session_scope
from plumbline.models.previews import PreviewRun
from plumbline.ops import embedded_servers
from plumbline.packs import drafts, queries
from plumbline.packs.activation import end_grace
from plumbline.previews.runs import advance_run
from tests.api.conftest import Ask
from tests.api.world import World, first_samples, install_builtin
from tests.conftest import own_database, pointed_at
from tests.packs import site
from tests.packs.conftest import Publish, work_off


@pytest.fixture
def background(cluster: embedded_servers.PostgresCluster) -> Iterator[Session]:
    """A session of the background worker's role on a database with one host in grace and one run waiting."""
    from tests.api.world import add_host

    with own_database(cluster) as name, pointed_at(cluster, name):
        with session_scope() as session:
            install_builtin(session)
            add_host(session, "h1", group_id=1, sample=first_samples()[0])
            session.execute(text("UPDATE pack_activation SET grace_until = clock_timestamp() - interval '1 s'"))
            now = session.execute(text("SELECT clock_timestamp()")).scalar_one()
            choice = {"pack": "plumbline-core", "version_id": None, "draft_id": None, "in_grace": False}
            for kind in ("preview", "past"):
                session.add(PreviewRun(kind=kind, group_id=1, as_of=now, choices=[choice], sums={}, requested_by=1))
        engine = get_engine(cluster.url("plumbline_background", name))
        with Session(engine) as session:
            yield session
        engine.dispose()


def test_the_desk_works_runs_off_and_ends_grace_and_publishes_nothing(background: Session) -> None:
    for run in (1, 2):
        while advance_run(background, run):
            background.commit()
    background.commit()
    assert [row[0] for row in background.execute(text("SELECT state FROM preview_run ORDER BY id"))] == ["ready", "ready"]
    # The older edition of a paper is not active where its newer one is.
    in_grace = background.execute(text("SELECT count(*) FROM pack_activation WHERE grace_until IS NOT NULL")).scalar_one()
    assert in_grace > 4
    assert end_grace(background) == in_grace
    background.commit()
    for forbidden in (
        "UPDATE pack_activation SET pack_version_id = 1",
        "INSERT INTO pack_activation (group_id, pack) VALUES (1, 'x')",
        "DELETE FROM pack_version",
        "UPDATE conflict_decision SET state = 'active'",
        "DELETE FROM pack_draft",
    ):
        with pytest.raises(ProgrammingError, match="permission denied"), background.begin_nested():
            background.execute(text(forbidden))


def queries_of(act: object, session: Session) -> int:
    """How many statements an act sends."""
    seen: list[str] = []

    def note(_c: object, _cur: object, statement: str, *_: object) -> None:
        seen.append(statement)

    event.listen(session.get_bind(), "before_cursor_execute", note)
    try:
        act()  # type: ignore[operator]
    finally:
        event.remove(session.get_bind(), "before_cursor_execute", note)
    return len(seen)


def test_lists_cost_as_many_queries_for_many_as_for_few(ask: Ask, world: World, publish: Publish) -> None:
    from plumbline.auth.actor import Actor, Grant

    actor = Actor(1, "viewer", grants=(Grant("viewer", 1, "1/"),))

    def counted() -> tuple[int, int, int]:
        with session_scope() as session:
            return (
                queries_of(lambda: queries.list_packs(session, actor=actor), session),
                queries_of(lambda: queries.read_pack(session, actor=actor, pack="site-array"), session),
                queries_of(lambda: drafts.list_drafts(session), session),
            )

    def draft(version: str) -> None:
        content = site.archive(site.files(version=version))
        headers = {"content-type": "application/zip"}
        assert ask("admin", "POST", "/pack-drafts/archive", content=content, headers=headers).json()["draft"]

    publish(version="1.0.0")
    draft("9.0.0")
    few = counted()
    for number in range(1, 4):
        version = publish(version=f"1.{number}.0")
        asked = {"group_id": world.groups["lab"], "what": "version", "version_id": version, "reason": "for a test"}
        assert ask("admin", "POST", "/packs/site-array/activations", json=asked).status_code == 201
        draft(f"9.{number}.0")
    assert counted() == few
    run = ask("viewer", "POST", "/past-runs", json={"group_id": 1, "as_of": "2020-01-01T00:00:00Z"}).json()
    work_off(run["id"])
    assert ask("viewer", "GET", f"/judging-runs/{run['id']}").json()["figures"]["hosts_judged"] == 0
