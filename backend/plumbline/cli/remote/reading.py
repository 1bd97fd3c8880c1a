"""Commands that read: hosts, findings, drift, and the Ansible inventory."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from plumbline.infra.errors import BadInput

app = typer.Typer()

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, as the API has it.")]
Group = Annotated[str, typer.Option(help="Name or id of a group; with its subgroups.")]
SEVERITIES = ("low", "medium", "high", "critical")


@app.command()
def connect(
    url: Annotated[str, typer.Option(prompt="Address of the server", help="https://plumbline.example.com")],
    token: Annotated[str, typer.Option(prompt="API token", hide_input=True, help="Leave out to be asked, so that it is in no history.")],
    ca: Annotated[Path | None, typer.Option(help="PEM file of the server's CA, where that is not a public one.")] = None,
) -> None:
    """Keep a server's address and an API token in a file that only you can read. Prompts for the token."""
    from plumbline.cli.remote.connection import Place, Server, write_place

    place = Place(url.rstrip("/"), token, str(ca.resolve()) if ca else "")
    groups = Server(place).get("/groups")
    print(f"{len(groups)} group{'' if len(groups) == 1 else 's'} in reach. Kept in {write_place(place)}.")


@app.command()
def hosts(
    q: Annotated[str, typer.Argument(help="Part of a name.")] = "",
    group: Group = "",
    platform: Annotated[Literal["windows", "esxi", ""], typer.Option(help="windows or esxi.")] = "",
    below: Annotated[int | None, typer.Option(help="Only hosts with a score below this.")] = None,
    as_json: AsJson = False,
) -> None:
    """List hosts, the worst first."""
    from plumbline.cli.remote.connection import server
    from plumbline.cli.remote.output import print_json, print_table

    remote = server()
    filters: dict[str, Any] = {"q": q, "group": remote.group_id(group), "platform": platform, "score_below": below}
    found = list(remote.pages("/hosts", sort="score", limit=500, **filters))
    if as_json:
        print_json(found)
        return
    rows = [
        [row["name"], row["score"], row["n_fail"], row["n_unknown"], row["freshness"], row["group_name"],
         (row["worst"] or {}).get("headline") or row["capped_by"] or ""]
        for row in found
    ]  # fmt: skip
    print_table(["Host", "Score", "Failing", "Unknown", "Check-ins", "Group", "Worst"], rows, empty="No host matches.")


@app.command()
def findings(
    host: Annotated[list[str] | None, typer.Argument(help="Names or ids of hosts; by default all, or those of a group.")] = None,
    group: Group = "",
    status: Annotated[
        list[str] | None,
        typer.Option(help="fail, unknown, waived, excluded, advice, pass or not_applicable; several times. By default fail and unknown."),
    ] = None,
    fail_on: Annotated[
        str, typer.Option(help="Exit code 1 if something fails with this severity or a higher one: low, medium, high, critical; or never.")
    ] = "low",
    as_json: AsJson = False,
    junit: Annotated[Path | None, typer.Option(help="Also write all findings as JUnit XML into this file.")] = None,
    sarif: Annotated[Path | None, typer.Option(help="Also write all findings as SARIF 2.1.0 into this file.")] = None,
) -> None:
    """List findings. Exit code 1 if one fails, for pipelines."""
    from plumbline.cli.remote import formats
    from plumbline.cli.remote.connection import FOUND, server
    from plumbline.cli.remote.output import print_json, print_table, write_file

    if fail_on not in (*SEVERITIES, "never"):
        raise BadInput(f"--fail-on is one of {', '.join(SEVERITIES)}, never")
    remote = server()
    chosen = remote.hosts(names=host, group=remote.group_id(group))
    read = [(each, remote.get(f"/hosts/{each['id']}/findings")["items"]) for each in chosen]
    wanted = set(status or ["fail", "unknown"])
    shown = [(each["name"], row) for each, rows in read for row in rows if row["standing"] in wanted]
    if junit is not None:
        write_file(junit, formats.junit(read))
    if sarif is not None:
        write_file(sarif, formats.sarif(read, url=remote.place.url))
    if as_json:
        print_json([{"host": name, **row} for name, row in shown])
    else:
        rows = [
            [name, row["standing"], row["severity"] if row["standing"] == "fail" else "", f"{row['pack']}/{row['rule']}",
             "" if row["subject"]["kind"] == "host" else row["subject"]["label"], row["headline"] if row["standing"] == "fail" else row["reason"]]
            for name, row in shown
        ]  # fmt: skip
        print_table(["Host", "Status", "Severity", "Rule", "Item", "What"], rows, empty="Finding not found.")
    if fail_on != "never":
        least = SEVERITIES.index(fail_on)
        failing = [row for _, rows in read for row in rows if row["standing"] == "fail"]
        if any(row["severity"] in SEVERITIES and SEVERITIES.index(row["severity"]) >= least for row in failing):
            raise typer.Exit(FOUND)


@app.command()
def drift(
    group: Group = "",
    hours: Annotated[int, typer.Option(help="How far back.")] = 24,
    fail_on_change: Annotated[
        bool, typer.Option("--fail-on-change", help="Exit code 1 if anything changed that was not marked as expected.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List changed settings, equal changes of several hosts in one line."""
    from plumbline.cli.remote.connection import FOUND, server
    from plumbline.cli.remote.output import print_json, print_table

    remote = server()
    page = remote.get("/drift", group=remote.group_id(group), hours=hours)
    if as_json:
        print_json(page)
    else:
        rows = [
            [row["last_at"][:16].replace("T", " "), row["label"], row["old"], row["new"], row["cause"].replace("_", " "), row["host_count"],
             [each["name"] for each in row["hosts"][:4]]]
            for row in page["groups"]
        ]  # fmt: skip
        print_table(["Time (UTC)", "Setting", "Was", "Is", "Cause", "Hosts", "Which"], rows, empty=f"No change in {hours} h.")
        if page["more"]:
            print(f"… and {page['more']} more; narrow the time or the group.")
    if fail_on_change and any(not row["is_expected"] for row in page["groups"]):
        raise typer.Exit(FOUND)


@app.command()
def inventory(
    group: Group = "",
    of_host: Annotated[str, typer.Option("--host", help="Print the variables of one host, as Ansible asks a dynamic inventory.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="Print everything; the default.")] = False,  # noqa: ARG001
) -> None:
    """Print the hosts as an Ansible inventory: groups by group, platform, cluster and state of compliance."""
    from plumbline.cli.remote.ansible import inventory_of
    from plumbline.cli.remote.connection import server

    remote = server()
    document = inventory_of(remote.hosts(group=remote.group_id(group)))
    shown = document["_meta"]["hostvars"].get(of_host, {}) if of_host else document
    print(json.dumps(shown, indent=1, ensure_ascii=False, sort_keys=True))
