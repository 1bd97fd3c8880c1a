"""The application and its small fleet, as the tests of the API have them; and what packs need besides."""

from collections.abc import Callable

import pytest

from plumbline.evaluation import tasks
from plumbline.infra.database import session_scope
from plumbline.previews.runs import advance_run
from tests.api.conftest import Ask, address, api_database, app, ask, world
from tests.packs import site

__all__ = ["address", "api_database", "app", "ask", "world"]

Publish = Callable[..., int]


def work_off(run_id: int) -> None:
    """Does what the background does with a run."""
    while True:
        with session_scope() as session:
            if not advance_run(session, run_id):
                return


def judge_all() -> None:
    """Does the background work for hosts whose rules or peers changed."""
    tasks.reevaluate_lagging()
    tasks.mark_silent()
    # The peer answers of a re-evaluated host may be new to its peers.
    for _ in range(3):
        tasks.reevaluate_peers()


@pytest.fixture
def publish(ask: Ask) -> Publish:
    """`publish(version="1.1.0")`: a version of the site's pack, published through the API; answers its id."""

    def published(**more: str) -> int:
        content = site.archive(site.files(**more))
        answer = ask("admin", "POST", "/pack-drafts/archive", content=content, headers={"content-type": "application/zip"})
        assert answer.status_code == 200, answer.text
        assert answer.json()["mistakes"] == []
        draft = answer.json()["draft"]
        done = ask("admin", "POST", f"/pack-drafts/{draft['id']}/publish", json={"note": "for a test"})
        assert done.status_code == 200, done.text
        return int(done.json()["published_version_id"])

    return published
