"""What an upload becomes: a draft with what it differs in, a refusal, or mistakes with their lines."""

from plumbline.packs.files.editions import compared
from tests.api.conftest import Ask
from tests.packs import site
from tests.packs.conftest import Publish

ZIP = {"headers": {"content-type": "application/zip"}}


def test_a_published_version_is_never_rewritten(ask: Ask, publish: Publish) -> None:
    publish(version="2.0.0")
    changed = site.archive(site.files(version="2.0.0", title="Other words under the same number"))
    result = ask("admin", "POST", "/pack-drafts/archive", content=changed, **ZIP).json()
    assert "Raise the version" in result["draft"]["obstacle"]
    refused = ask("admin", "POST", f"/pack-drafts/{result['draft']['id']}/publish", json={"note": ""})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    same = ask("admin", "POST", "/pack-drafts/archive", content=site.archive(site.files(version="2.0.0")), **ZIP).json()
    assert same["draft"]["obstacle"] == "This content is already published."
    assert ask("admin", "DELETE", f"/pack-drafts/{same['draft']['id']}").status_code == 204
    assert ask("admin", "GET", f"/pack-drafts/{same['draft']['id']}").status_code == 404


def test_packs_of_the_papers_and_taken_rule_ids_are_refused(ask: Ask, publish: Publish) -> None:
    publish(version="2.1.0")
    mine = ask("admin", "POST", "/pack-drafts/archive", content=site.archive(site.files(pack="dell-esxi55")), **ZIP)
    assert (mine.status_code, "is a built-in pack" in mine.json()["detail"]) == (409, True)
    other = ask("admin", "POST", "/pack-drafts/archive", content=site.archive(site.files(pack="other-array")), **ZIP)
    assert (other.status_code, "is taken by pack site-array" in other.json()["detail"]) == (409, True)


def test_files_can_be_uploaded_one_by_one_and_mistakes_come_back_with_their_lines(ask: Ask) -> None:
    made = site.files(version="3.0.0")
    files = [{"path": name, "text": content} for name, content in made.items()]
    assert ask("admin", "POST", "/pack-drafts/files", json={"files": files}).json()["draft"]["rules"] == 1
    files[1]["text"] = files[1]["text"].replace("san_iscsi", "storage")
    result = ask("admin", "POST", "/pack-drafts/files", json={"files": files}).json()
    assert result["draft"] is None
    assert (result["mistakes"][0]["file"], result["mistakes"][0]["line"]) == ("site-array/rules/site.flow_control.off.yaml", 9)
    for nonsense in ({"files": []}, {"files": [files[0], files[0]]}, {"files": [{"path": "pack.yaml", "text": "x", "more": 1}]}, []):
        assert ask("admin", "POST", "/pack-drafts/files", json=nonsense).status_code == 422
    assert ask("admin", "POST", "/pack-drafts/archive", content=b"", **ZIP).status_code == 422
    assert ask("admin", "POST", "/pack-drafts/archive", content=b"x" * (1024 * 1024 + 1), **ZIP).status_code == 413


def test_the_difference_names_what_changed(ask: Ask, publish: Publish) -> None:
    old = publish(version="4.0.0", rss="enabled")
    new = publish(version="4.0.1", rss="disabled", flow_control="rx")
    found = ask("viewer", "GET", "/packs/site-array/difference", params={"old": old, "new": new}).json()
    assert (found["old_version"], found["new_version"], found["needs"], found["is_enough"]) == ("4.0.0", "4.0.1", "5.0.0", False)
    assert [(rule["rule"], rule["change"]) for rule in found["rules"]] == [
        ("site.flow_control.off", "expectation"),
        ("site.rss.on", "expectation"),
    ]
    fields = {each["field"]: each for each in found["rules"][1]["fields"]}
    assert ("enabled" in fields["expect"]["old"], "disabled" in fields["expect"]["new"]) == (True, True)
    every = ask("viewer", "GET", "/packs/site-array/difference", params={"new": new}).json()
    assert {rule["change"] for rule in every["rules"]} == {"added"}
    for wrong in ({"old": old}, {"new": 999_999}, {"new": new, "draft": 1}):
        assert ask("viewer", "GET", "/packs/site-array/difference", params=wrong).status_code in (404, 422)


def test_two_editions_are_laid_side_by_side(ask: Ask) -> None:
    detail = ask("viewer", "GET", "/packs/dell-bp1057-2012").json()
    assert "dell-bp1057-2012r2" in detail["linked_packs"]
    shown = ask("viewer", "GET", "/packs/dell-bp1057-2012/beside/dell-bp1057-2012r2").json()
    # The same as the command line prints for the files.
    lines = compared("dell-bp1057-2012", "dell-bp1057-2012r2")
    alone = lines[lines.index("Asked by dell-bp1057-2012r2 alone:") + 1 :]
    assert [f"  {each['title']} ({each['rule']}, {each['kind']})" for each in shown["only_second"]] == [
        line for line in alone[: alone.index("")] if line.endswith(")") and line.startswith("  ") and not line.startswith("   ")
    ]
    assert shown["only_first"] == []
    changed = [each for each in shown["both"] if each["differences"]]
    assert all(f"  {each['title']}" in lines for each in changed)
    assert f"Alike in both: {shown['alike']} of {shown['alike'] + len(shown['both'])} rules that both have." in lines
    assert ask("viewer", "GET", "/packs/dell-bp1057-2012/beside/no-such").status_code == 404
