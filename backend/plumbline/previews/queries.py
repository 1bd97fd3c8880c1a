"""Reading preview and past-state runs: one with its figures, the newest ones, and the result of each host."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import func, select, text, tuple_
from sqlmodel import Session

from plumbline.auth.actor import Actor
from plumbline.auth.people import people_of
from plumbline.auth.rights import can_read
from plumbline.auth.scope import GroupNode, group_name, in_scope, read_groups
from plumbline.configurations.read import Labels, read_labels
from plumbline.core.facts.configuration import Subject
from plumbline.infra import cursor
from plumbline.infra.errors import NotFound
from plumbline.infra.schemas import NamedHost, SubjectOut
from plumbline.models.hosts import HOST_GROUP, HostGroup
from plumbline.models.packs import PACK_VERSION
from plumbline.models.previews import PACK_DRAFT, PREVIEW_RUN, PREVIEW_RUN_HOST, PreviewRun, PreviewRunHost, RunKind, RunState
from plumbline.packs.library import read_library
from plumbline.previews.moved_groups import moved_since
from plumbline.previews.schemas import (
    ChosenVersion,
    PreviewRunOut,
    RunChange,
    RunFigures,
    RunGroup,
    RunHost,
    RunHostPage,
    RunRule,
    ScoreFigures,
)
from plumbline.previews.sums import Sums

MOST_LISTED = 30


def run_in_scope(session: Session, *, actor: Actor, run_id: int) -> PreviewRun:
    """A run about a group that this person may read. Raises `NotFound`."""
    run = session.get(PreviewRun, run_id)
    group = session.get(HostGroup, run.group_id) if run is not None else None
    if run is None or group is None or not can_read(actor, group.path):
        raise NotFound("Run not found. Only the newest are kept.")
    return run


def read_run(session: Session, *, actor: Actor, run_id: int) -> PreviewRunOut:
    """One run; its figures once it is ready."""
    run = run_in_scope(session, actor=actor, run_id=run_id)
    [out] = _runs_out(session, [run], with_figures=True)
    if run.kind == RunKind.PAST:
        out.moved_groups = moved_since(session, actor=actor, since=run.as_of)
    return out


def list_runs(session: Session, *, actor: Actor, kind: str) -> list[PreviewRunOut]:
    """The newest runs of a kind in scope, without their figures."""
    query = select(PreviewRun).join(HostGroup, HOST_GROUP.id == PREVIEW_RUN.group_id).where(PREVIEW_RUN.kind == kind, in_scope(actor))
    return _runs_out(session, session.scalars(query.order_by(PREVIEW_RUN.id.desc()).limit(MOST_LISTED)).all(), with_figures=False)


def _runs_out(session: Session, runs: Iterable[PreviewRun], *, with_figures: bool) -> list[PreviewRunOut]:
    runs = list(runs)
    nodes = read_groups(session)
    people = people_of(session, [run.requested_by for run in runs])
    epoch = int(session.execute(text("SELECT rules_epoch FROM installation")).scalar_one())
    chosen = _chosen(session, runs)
    return [
        PreviewRunOut(
            id=run.id or 0,
            kind=run.kind,
            group=group_name(nodes[run.group_id]),
            as_of=run.as_of,
            chosen=chosen[run.id or 0],
            state=run.state,
            error=run.error,
            hosts_total=run.hosts_total,
            hosts_done=run.hosts_done,
            requested_by=people.get(run.requested_by, ""),
            requested_at=run.requested_at,
            finished_at=run.finished_at,
            is_outdated=run.kind == RunKind.PREVIEW and run.rules_epoch != epoch,
            moved_groups=[],
            figures=_figures(session, run, nodes) if with_figures and run.state == RunState.READY else None,
        )
        for run in runs
    ]


def _chosen(session: Session, runs: list[PreviewRun]) -> dict[int, list[ChosenVersion]]:
    """The pack choices of each run, with version numbers."""
    every = [choice for run in runs for choice in run.choices]
    versions = dict(
        _pairs(
            session,
            select(PACK_VERSION.id, PACK_VERSION.version).where(
                PACK_VERSION.id.in_([each["version_id"] for each in every if each["version_id"]])
            ),
        )
    )
    drafts = dict(
        _pairs(
            session,
            select(PACK_DRAFT.id, PACK_DRAFT.version).where(PACK_DRAFT.id.in_([each["draft_id"] for each in every if each["draft_id"]])),
        )
    )
    return {
        run.id or 0: [
            ChosenVersion(
                pack=each["pack"],
                version=drafts.get(each["draft_id"], "discarded") if each["draft_id"] else versions.get(each["version_id"], ""),
                is_draft=each["draft_id"] is not None,
                in_grace=each["in_grace"],
            )
            for each in run.choices
        ]
        for run in runs
    }


def _pairs(session: Session, query: Any) -> list[tuple[int, str]]:
    return [(row[0], row[1]) for row in session.execute(query)]


def _titles(session: Session, run: PreviewRun) -> Mapping[str, str]:
    """Rule address -> title: of the rules in force, but as the run's own packs have them where they do."""
    found = {address: known.rule.title for address, known in read_library(session).by_address.items()}
    drafts = [choice["draft_id"] for choice in run.choices if choice["draft_id"]]
    versions = [choice["version_id"] for choice in run.choices if choice["version_id"]]
    documents = list(session.execute(select(PACK_DRAFT.pack, PACK_DRAFT.document).where(PACK_DRAFT.id.in_(drafts)))) if drafts else []
    documents += (
        list(session.execute(select(PACK_VERSION.pack, PACK_VERSION.document).where(PACK_VERSION.id.in_(versions)))) if versions else []
    )
    for pack, document in documents:
        for rule in document["rules"]:
            found[f"{pack}/{rule['id']}"] = str(rule.get("title", rule["id"]))
    return found


def _scores(counted: Mapping[str, int], capped: int) -> ScoreFigures:
    """Figures of scores counted by point."""
    points = sorted((int(point), hosts) for point, hosts in counted.items())
    scored = sum(hosts for _, hosts in points)
    bands = [0] * 10
    for point, hosts in points:
        bands[min(point // 10, 9)] += hosts
    flat = [point for point, hosts in points for _ in range(hosts)]
    median = None
    if flat:
        middle = len(flat) // 2
        median = float(flat[middle]) if len(flat) % 2 else (flat[middle - 1] + flat[middle]) / 2
    mean = round(sum(point * hosts for point, hosts in points) / scored, 1) if scored else None
    return ScoreFigures(hosts=scored, mean=mean, median=median, bands=bands, capped=capped)


def _figures(session: Session, run: PreviewRun, nodes: Mapping[int, GroupNode]) -> RunFigures:
    sums = Sums.of(run.sums)
    rules = _rule_lines(sums, _titles(session, run))
    return RunFigures(
        hosts_judged=sums.judged,
        hosts_absent=sums.absent,
        hosts_changed=sums.changed,
        newly_failing=sum(line[0] for line in sums.rules.values()),
        newly_failing_hosts=sums.newly_failing_hosts,
        no_longer_failing=sum(line[2] for line in sums.rules.values()),
        no_longer_failing_hosts=sums.no_longer_failing_hosts,
        newly_capped=sums.newly_capped,
        no_longer_capped=sums.no_longer_capped,
        newly_undecided=sums.newly_undecided,
        in_grace=sums.in_grace,
        before=_scores(sums.scores_before, sums.capped_before),
        after=_scores(sums.scores_after, sums.capped_after),
        words=sums.words,
        rule_coverage=round(sums.coverage_sum / sums.coverage_hosts / 1000, 3) if sums.coverage_hosts else None,
        rules=rules,
        groups=[_group_line(nodes[int(each)], line) for each, line in sums.groups.items() if int(each) in nodes],
    )


def _rule_lines(sums: Sums, titles: Mapping[str, str]) -> list[RunRule]:
    lines = []
    for address in sums.rules.keys() | sums.rule_words.keys():
        pack, _, rule = address.partition("/")
        newly, newly_hosts, no_longer, no_longer_hosts = sums.rules.get(address, [0, 0, 0, 0])
        lines.append(
            RunRule(
                pack=pack,
                rule=rule,
                title=titles.get(address, rule),
                newly_failing=newly,
                newly_failing_hosts=newly_hosts,
                no_longer_failing=no_longer,
                no_longer_failing_hosts=no_longer_hosts,
                words=sums.rule_words.get(address, {}),
                hosts=sums.rule_hosts.get(address, {}),
            )
        )
    return sorted(lines, key=lambda line: (-line.newly_failing_hosts, -line.no_longer_failing_hosts, -line.hosts.get("fail", 0), line.rule))


def _group_line(node: GroupNode, line: list[int]) -> RunGroup:
    hosts, changed, newly, no_longer, sum_before, scored_before, sum_after, scored_after = line
    return RunGroup(
        id=node.id,
        name=node.name,
        path=node.path,
        hosts=hosts,
        hosts_changed=changed,
        newly_failing=newly,
        no_longer_failing=no_longer,
        score_before=round(sum_before / scored_before, 1) if scored_before else None,
        score_after=round(sum_after / scored_after, 1) if scored_after else None,
    )


def list_run_hosts(session: Session, *, actor: Actor, run_id: int, after: str | None, limit: int) -> RunHostPage:
    """The results of a run by host, the greatest loss of score first. A preview has only hosts that would change."""
    run = run_in_scope(session, actor=actor, run_id=run_id)
    loss = func.coalesce(PREVIEW_RUN_HOST.score_after, 101) - func.coalesce(
        PREVIEW_RUN_HOST.score_before, PREVIEW_RUN_HOST.score_after, 101
    )
    order = (loss, -PREVIEW_RUN_HOST.newly_failing, func.coalesce(PREVIEW_RUN_HOST.score_after, 101), PREVIEW_RUN_HOST.host_id)
    query = select(PreviewRunHost).where(PREVIEW_RUN_HOST.run_id == run.id).order_by(*order).limit(limit + 1)
    if after:
        query = query.where(tuple_(*order) > tuple_(*cursor.decode(after, (int, int, int, str))))
    found = session.scalars(query).all()
    total = session.scalar(select(func.count()).select_from(PreviewRunHost).where(PREVIEW_RUN_HOST.run_id == run.id)) or 0
    rows = found[:limit]
    titles = _titles(session, run)
    labels = read_labels(session, [row.host_id for row in rows if row.changes])
    groups = {node.id: node.name for node in read_groups(session).values()}
    following = _cursor(rows[-1]) if len(found) > limit else None
    return RunHostPage(items=[_host(row, titles, labels.get(row.host_id, Labels()), groups) for row in rows], next=following, total=total)


def _host(row: PreviewRunHost, titles: Mapping[str, str], labels: Labels, groups: Mapping[int, str]) -> RunHost:
    changes = []
    for address, kind, subject_id, before, after in row.changes:
        pack, _, rule = address.partition("/")
        subject = Subject(kind, subject_id)
        out = SubjectOut.of(subject, labels.of_subject(subject))
        changes.append(RunChange(pack=pack, rule=rule, title=titles.get(address, rule), subject=out, before=before, after=after))
    return RunHost(
        host=NamedHost(id=row.host_id, name=row.name),
        group=groups.get(row.group_id, ""),
        score_before=row.score_before,
        score_after=row.score_after,
        capped_before=row.capped_before,
        capped_after=row.capped_after,
        newly_failing=row.newly_failing,
        no_longer_failing=row.no_longer_failing,
        absent=row.absent,
        counts=row.counts,
        changes=changes,
    )


def _cursor(row: PreviewRunHost) -> str:
    """Where the next page begins: the values that `order` sorts by."""
    after = 101 if row.score_after is None else row.score_after
    before = after if row.score_before is None else row.score_before
    return cursor.encode([after - before, -row.newly_failing, after, row.host_id])
