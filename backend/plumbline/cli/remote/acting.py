"""Commands that ask for something: plans, jobs, reports, waivers, evidence bundles. A token approves nothing: people do."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from plumbline.cli.remote.reading import AsJson, Group
from plumbline.infra.errors import BadInput
from plumbline.reports.period import Preset
from plumbline.reports.templates import TemplateName

app = typer.Typer()
plan_app = typer.Typer(no_args_is_help=True, help="Plans: what would be changed on which hosts.")
job_app = typer.Typer(no_args_is_help=True, help="Jobs: a plan at work on one host.")
report_app = typer.Typer(no_args_is_help=True, help="Reports of a group.")
evidence_app = typer.Typer(no_args_is_help=True, help="Signed evidence bundles of a group.")
app.add_typer(plan_app, name="plan")
app.add_typer(job_app, name="job")
app.add_typer(report_app, name="report")
app.add_typer(evidence_app, name="evidence")

Rule = Annotated[str, typer.Argument(help="Rule as pack/rule.")]
HostNames = Annotated[list[str], typer.Option("--host", help="Name or id of a host; several times.")]
Reason = Annotated[str, typer.Option(help="Why; shown to the approver and kept in the audit log.")]
Ticket = Annotated[str, typer.Option(help="Ticket number.")]
WaitSeconds = Annotated[int, typer.Option(help="How long --wait waits.")]


def _rule(address: str) -> tuple[str, str]:
    pack, slash, rule = address.partition("/")
    if not slash or not pack or not rule:
        raise BadInput(f"{address!r} is no rule: name it as pack/rule, as `plumbline findings` prints it")
    return pack, rule


@plan_app.command("list")
def list_plans(state: Annotated[list[str] | None, typer.Option(help="Only plans in this state.")] = None, as_json: AsJson = False) -> None:
    """List plans, newest first."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json, print_table

    found = server().get("/plans", state=state or [], limit=200)["items"]
    if as_json:
        print_json(found)
        return
    rows = [
        [row["id"], row["state"], row["title"], row["author"], row["group_name"], row["hosts"], row["created_at"][:16]] for row in found
    ]
    print_table(["Plan", "State", "Title", "Author", "Group", "Hosts", "Created (UTC)"], rows, empty="No plan.")


@plan_app.command("draft")
def draft_plan(
    rule: Rule,
    host: HostNames,
    reason: Reason = "",
    ticket: Ticket = "",
    submit: Annotated[bool, typer.Option("--submit", help="Request approval once it is planned.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draft a plan that fixes one rule on these hosts, and wait until it is planned. Exit code 1 if there is nothing to change."""
    from plumbline.cli.remote.connection import FOUND, server
    from plumbline.cli.remote.output import print_json

    pack, name = _rule(rule)
    remote = server()
    ids = [each["id"] for each in remote.hosts(names=host)]
    body = {"rules": [{"pack": pack, "rule": name, "host_ids": ids}], "reason": reason, "ticket": ticket}
    plan = remote.post("/plans", body)
    deadline = time.monotonic() + 120
    while plan["state"] in ("DRAFT", "PLANNING") and time.monotonic() < deadline:
        time.sleep(1)
        plan = remote.get(f"/plans/{plan['id']}")
    if submit and plan["state"] == "PLANNED":
        plan = remote.post(f"/plans/{plan['id']}/submit", {"reason": reason or None})
    if as_json:
        print_json(plan)
    else:
        print(f"Plan {plan['id']}: {plan['state_label']}{'. ' + plan['state_words'] if plan['state_words'] else ''}")
        print(f"{remote.place.url}/plans/{plan['id']}")
    if plan["state"] not in ("PLANNED", "AWAITING_APPROVAL", "APPROVED"):
        raise typer.Exit(FOUND)


@plan_app.command("text")
def plan_text(
    plan: Annotated[int, typer.Argument(help="Number of the plan.")],
    form: Annotated[Literal["script", "ansible"], typer.Option(help="A script to run manually, or an Ansible playbook.")] = "script",
    undo: Annotated[bool, typer.Option("--undo", help="The commands that revert it.")] = False,
) -> None:
    """Print the commands of a plan."""
    from plumbline.cli.remote.connection import server

    print(server().download(f"/plans/{plan}/text", form=form, undo="true" if undo else None).decode("utf-8"), end="")


@job_app.command("list")
def list_jobs(
    plan: Annotated[int | None, typer.Option(help="Only jobs of this plan.")] = None,
    state: Annotated[list[str] | None, typer.Option(help="Only jobs in this state.")] = None,
    as_json: AsJson = False,
) -> None:
    """List jobs, newest first."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json, print_table

    found = server().get("/jobs", plan=plan, state=state or [], limit=200)["items"]
    if as_json:
        print_json(found)
        return
    rows = [[row["id"], row["host"]["name"], row["state"], f"{row['steps_done']}/{row['steps_total']}", row["plan_id"], row["state_words"]]
            for row in found]  # fmt: skip
    print_table(["Job", "Host", "State", "Steps", "Plan", "Reason"], rows, empty="No job.")


@job_app.command("follow")
def follow_job(job: Annotated[int, typer.Argument(help="Number of the job.")]) -> None:
    """Print what happens in a job until it has ended. Exit code 0 only if it succeeded."""
    from plumbline.cli.remote.connection import FOUND, server
    from plumbline.cli.remote.output import plain

    remote, after = server(), 0
    while True:
        found = remote.get(f"/jobs/{job}/events", after=after or None)
        for event in found["items"]:
            after = event["number"]
            step = f"step {event['step_no']}" if event["step_no"] else ""
            print(
                f"{event['at'][:19].replace('T', ' ')}  {event['state'] or event['kind']:<14} {step:<8} {plain(event['words'])}".rstrip(),
                flush=True,
            )
        if found["is_over"] and not found["items"]:
            break
        if not found["items"]:
            time.sleep(1)
    ended = remote.get(f"/jobs/{job}")
    print(
        f"Job {job} on {plain(ended['host']['name'])}: {ended['state_label']}{'. ' + plain(ended['state_words']) if ended['state_words'] else ''}"
    )
    if ended["state"] != "SUCCEEDED":
        raise typer.Exit(FOUND)


@report_app.command("make")
def make_report(
    group: Group,
    output: Annotated[Path, typer.Option(help="File to write.")],
    form: Annotated[Literal["pdf", "xlsx", "csv", "json"], typer.Option("--format", help="pdf, xlsx, csv or json.")] = "pdf",
    template: Annotated[TemplateName, typer.Option(help="What it is for.")] = "executive",
    view: Annotated[str, typer.Option(help="Only hosts of this saved view of the hosts page, by name or id.")] = "",
    period: Annotated[Preset, typer.Option(help="Which days; custom with --from and --to.")] = "last_90_days",
    first_day: Annotated[str, typer.Option("--from", help="First day, 2026-07-01.")] = "",
    last_day: Annotated[str, typer.Option("--to", help="Last day, 2026-09-30.")] = "",
    time_zone: Annotated[str, typer.Option(help="Time zone of the days, such as Europe/Berlin.")] = "UTC",
    wait_seconds: WaitSeconds = 300,
) -> None:
    """Make a report of a group, or of a saved view in it, and save it."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import write_file

    days = {"first_day": first_day, "last_day": last_day}
    preset = "custom" if first_day or last_day else period
    remote = server()
    body: dict[str, Any] = {
        "template": template,
        "group_id": remote.group_id(group),
        "view_id": remote.view_id(view),
        "period": {"preset": preset, "time_zone": time_zone, **{name: day for name, day in days.items() if day}},
    }
    made = remote.post("/reports", body)
    ready = remote.wait(lambda: dict(remote.get(f"/reports/{made['id']}")), seconds=wait_seconds)
    content = remote.download(f"/reports/{ready['id']}/files/{form}")
    write_file(output, content)
    print(f"Report {ready['id']} as of {ready['as_of']}: {output} ({len(content):,} bytes)")


@report_app.command("list")
def list_reports(as_json: AsJson = False) -> None:
    """List reports, newest first."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json, print_table

    found = server().get("/reports")
    if as_json:
        print_json(found)
        return
    rows = [
        [row["id"], row["template"], row["state"], row["view_name"] or row["group_name"], row["as_of"][:16], row["requested_by"]]
        for row in found
    ]
    print_table(["Report", "Template", "State", "Group or view", "As of (UTC)", "Requested by"], rows, empty="No report.")


@app.command()
def waive(
    rule: Rule,
    host: HostNames,
    reason: Reason,
    days: Annotated[int, typer.Option(help="For how many days.")] = 90,
    ticket: Ticket = "",
    as_json: AsJson = False,
) -> None:
    """Request a waiver of one rule on these hosts. Another person approves it."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json

    if days < 1:
        raise BadInput("--days: at least 1")
    pack, name = _rule(rule)
    remote = server()
    body: dict[str, Any] = {
        "pack": pack,
        "rule": name,
        "host_ids": [each["id"] for each in remote.hosts(names=host)],
        "reason": reason,
        "ticket": ticket,
        "expires_at": (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds"),
    }
    made = remote.post("/waivers", body)
    if as_json:
        print_json(made)
    else:
        print(
            f"Waiver {made['id']} is requested until {made['expires_at'][:10]}. An approver decides: {remote.place.url}/waivers/{made['id']}"
        )


@evidence_app.command("make")
def make_evidence(
    group: Group,
    output: Annotated[Path, typer.Option(help="File to write.")],
    view: Annotated[str, typer.Option(help="Only hosts of this saved view of the hosts page, by name or id.")] = "",
    as_of: Annotated[str, typer.Option(help="Time in the past, 2026-03-31T23:59:59Z; by default now.")] = "",
    period_days: Annotated[int, typer.Option(help="How many days of plans, jobs and audit log.")] = 90,
    wait_seconds: WaitSeconds = 600,
) -> None:
    """Make an evidence bundle of a group, or of a saved view in it, and save it. Check it with `plumbline verify-bundle`."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import write_file

    remote = server()
    body: dict[str, Any] = {"group_id": remote.group_id(group), "view_id": remote.view_id(view), "period_days": period_days}
    made = remote.post("/evidence-bundles", body | ({"as_of": as_of} if as_of else {}))
    ready = remote.wait(lambda: dict(remote.get(f"/evidence-bundles/{made['id']}")), seconds=wait_seconds)
    content = remote.download(f"/evidence-bundles/{ready['id']}/file")
    write_file(output, content)
    print(f"Evidence bundle {ready['id']} as of {ready['as_of']}: {output} ({len(content):,} bytes), key {ready['key_id']}")


@evidence_app.command("list")
def list_evidence(as_json: AsJson = False) -> None:
    """List evidence bundles, newest first."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json, print_table

    found = server().get("/evidence-bundles")
    if as_json:
        print_json(found)
        return
    rows = [
        [row["id"], row["state"], row["view_name"] or row["group_name"], row["as_of"][:16], row["hosts"], row["key_id"]] for row in found
    ]
    print_table(["Bundle", "State", "Group or view", "As of (UTC)", "Hosts", "Key"], rows, empty="No evidence bundle.")
