"""What a ticket system is sent, and how its answer is read."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.infra.resources import CHECKOUT
from plumbline.notify.ticket_form import LONGEST_NUMBER, PLACEHOLDERS, FormInvalid, TicketForm

SERVICENOW = TicketForm(
    '{"short_description": "{{title}}", "description": "{{ description }}", "correlation_id": "{{id}}"}',
    "result.number",
    "https://site.service-now.com/incident.do?sysparm_query=number={{number}}",
)
JIRA = TicketForm(
    '{"fields": {"project": {"key": "OPS"}, "summary": "{{title}}", "labels": ["plumbline", "{{group}}"], "priority": {"id": 3}}}',
    "key",
    "https://site.atlassian.net/browse/{{number}}",
)
VALUES = {name: f"<{name}>" for name in PLACEHOLDERS}


def test_placeholders_are_filled_in_texts_at_any_depth_and_nothing_else_changes() -> None:
    assert json.loads(JIRA.filled(VALUES)) == {
        "fields": {"project": {"key": "OPS"}, "summary": "<title>", "labels": ["plumbline", "<group>"], "priority": {"id": 3}}
    }
    assert json.loads(SERVICENOW.filled(VALUES))["description"] == "<description>"


@given(st.text(max_size=60))
def test_no_value_can_change_what_the_request_means(value: str) -> None:
    filled = json.loads(SERVICENOW.filled({**VALUES, "title": value, "description": value}))
    assert filled == {"short_description": value, "description": value, "correlation_id": "<id>"}


@pytest.mark.parametrize(
    ("form", "answer", "number", "link"),
    [
        (SERVICENOW, b'{"result": {"number": "INC0010002", "sys_id": "9c"}}', "INC0010002",
         "https://site.service-now.com/incident.do?sysparm_query=number=INC0010002"),
        (JIRA, b'{"id": "10000", "key": "OPS-24", "self": "https://x"}', "OPS-24", "https://site.atlassian.net/browse/OPS-24"),
        (TicketForm("{}", "items.1.id", "https://t.example.com/{{number}}"), b'{"items": [{"id": 1}, {"id": 22}]}', "22", "https://t.example.com/22"),
        (TicketForm("{}", "", ""), b'"4711"', "4711", ""),
        (JIRA, b'{"key": "A/../B?x=1#y"}', "A/../B?x=1#y", "https://site.atlassian.net/browse/A%2F..%2FB%3Fx%3D1%23y"),
        (JIRA, b'{"key": true}', "", ""),
        (JIRA, b'{"key": null}', "", ""),
        (JIRA, b'{"key": {"deep": 1}}', "", ""),
        (JIRA, b'{"key": "a\\u0000b"}', "", ""),
        (JIRA, b"<html>signed out</html>", "", ""),
        (JIRA, b"\xff\xfe", "", ""),
        (JIRA, json.dumps({"key": "9" * (LONGEST_NUMBER + 1)}).encode(), "", ""),
        (TicketForm("{}", "items.7.id", ""), b'{"items": []}', "", ""),
    ],
)  # fmt: skip
def test_the_number_is_read_where_it_is_and_nothing_else_is_taken_for_it(form: TicketForm, answer: bytes, number: str, link: str) -> None:
    assert form.number_in(answer) == number
    assert form.link_to(number) == link


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (TicketForm("{", "", ""), "Body: not JSON"),
        (TicketForm('["{{title}}"]', "", ""), "Body: enter a JSON object"),
        (TicketForm('{"a": "{{titel}}"}', "", ""), "{{titel}} is no placeholder. Use {{title}}, {{description}}"),
        (TicketForm('{"a": "x"}', "", ""), "put {{title}} or {{description}}"),
        (TicketForm('{"{{title}}": "x"}', "", ""), "put {{title}} or {{description}}"),
        (TicketForm('{"a": "{{title}}"}', "", "http://x.example.com/{{number}}"), "Link: enter an https address"),
        (TicketForm('{"a": "{{title}}"}', "", "https://x.example.com/"), "Link: enter an https address"),
        (TicketForm('{"a": "{{title}}"}', "", "javascript:{{number}}"), "Link: enter an https address"),
        (TicketForm('{"a": "{{title}}"}', "", "https://{{number}}.example.com/"), "can't be part of the host's name"),
        (TicketForm("[" * 100_000, "", ""), "Body: nested too deeply"),
    ],
)
def test_a_form_that_cannot_work_says_what_is_wrong(form: TicketForm, words: str) -> None:
    with pytest.raises(FormInvalid) as found:
        form.check()
    assert words in str(found.value)


def test_both_examples_of_the_documentation_are_forms_that_work() -> None:
    rows = {}
    for line in (CHECKOUT / "docs" / "notices.md").read_text(encoding="utf-8").splitlines():
        name, *cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        rows[name] = cells
    for example, number in ((0, "INC0010002"), (1, "OPS-24")):
        body, place, link = (rows[name][example] for name in ("body", "number", "link"))
        form = TicketForm(body, place, re.sub("<.*?>", "ours", link))
        form.check()
        # Each answer is read by its own form, and by none other.
        answers = [b'{"result": {"number": "INC0010002"}}', b'{"id": "10000", "key": "OPS-24"}']
        assert [form.number_in(answer) for answer in answers] == [number if each == example else "" for each in (0, 1)]
        assert form.link_to(number).endswith(number)
