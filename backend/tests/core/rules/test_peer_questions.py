"""The peers of a host, from the answers of the others in its domain."""

from plumbline.core.rules.peer_questions import NAMED, NOT_ANSWERED, SILENT, Domain, Member, Question, questions_of
from plumbline.packs.files import load_builtin

ASKED = questions_of(load_builtin())
FABRIC = next(question for question in ASKED.items if question.scope == "fabric")
CLUSTER = next(question for question in ASKED.items if question.scope == "cluster")


def member(name: str, value: object, question: Question = FABRIC, *, domain: str = "fabric:A", is_silent: bool = False) -> Member:
    adapters = {"mac": domain} if question.scope == "fabric" else {}
    return Member(f"id of {name}", name, is_silent, adapters, {question.mark: [("mac", value)]})  # type: ignore[list-item]


def said(domain: Domain, host: str, question: Question = FABRIC) -> list[tuple[str, object, str, int]]:
    return [(each.host, each.value, each.why, each.more) for each in domain.others(question, f"id of {host}")]


def test_hosts_of_one_value_are_named_by_name_and_the_rest_are_counted() -> None:
    domain = Domain("fabric:A", 1, [member(name, 9000) for name in ("e", "d", "c", "b", "a")])
    assert said(domain, "b") == [("a", 9000, "", 0), ("c", 9000, "", 0), ("d", 9000, "", 1)]
    assert len(said(domain, "nobody")) == NAMED


def test_true_is_not_one_and_neither_is_text() -> None:
    domain = Domain("fabric:A", 1, [member("a", True), member("b", 1), member("c", "1"), member("d", 1)])
    assert said(domain, "nobody") == [("a", True, "", 0), ("b", 1, "", 0), ("d", 1, "", 0), ("c", "1", "", 0)]


def test_an_adapter_on_another_fabric_is_no_peer() -> None:
    both = Member("id of b", "b", False, {"one": "fabric:A", "two": "fabric:B"}, {FABRIC.mark: [("one", 9000), ("two", 1500)]})
    assert said(Domain("fabric:A", 1, [member("a", 9000), both]), "a") == [("b", 9000, "", 0)]
    assert said(Domain("fabric:B", 1, [both]), "a") == [("b", 1500, "", 0)]


def test_in_a_cluster_every_adapter_counts() -> None:
    shown = Member("id of b", "b", False, {"one": "group:1"}, {CLUSTER.mark: [("one", "x"), ("two", "y")]})
    assert said(Domain("cluster:c", 1, [shown]), "a", CLUSTER) == [("b", "x", "", 0), ("b", "y", "", 0)]


def test_answers_of_a_silent_host_and_of_a_new_one_are_unknown() -> None:
    silent, other = member("silent", 9000, is_silent=True), Member("id of other", "other", False, {"mac": "fabric:A"}, {})
    nothing = Member("id of none", "none", True, {"mac": "fabric:A"}, {FABRIC.mark: []})
    domain = Domain("fabric:A", 1, [silent, other, nothing])
    assert said(domain, "nobody") == [("other", None, NOT_ANSWERED, 0), ("silent", None, SILENT, 0)]


def test_hosts_are_named_in_the_order_of_their_names() -> None:
    domain = Domain("fabric:A", 1, [member("b", 9000), member("a", 9000)])
    assert said(domain, "nobody") == [("a", 9000, "", 0), ("b", 9000, "", 0)]
    assert domain.size == 2
