"""Rego and JSON Schema, given the same rules, give the same outcomes: an evaluation by engines that we did not write."""

from bench.rules.fleet import documents, hosts, packs
from bench.rules.rego import Rego
from bench.rules.schemas import Schemas
from plumbline.core.rules.compile import compile_packs

RULES = packs()
COMPILED = compile_packs(RULES, "windows")


def test_rego_answers_the_same() -> None:
    rego = Rego(RULES, {})
    for host in hosts(3, seed=7):
        ours = {(each.rule.address, each.subject.kind, each.subject.id, each.outcome) for each in COMPILED.evaluate(host)}
        assert rego.answers(rego.findings(documents(host))) == ours


def test_json_schema_answers_the_same() -> None:
    schemas = Schemas(RULES, {})
    seen = set()
    for host in hosts(100, seed=7):
        ours = {
            (each.rule.address, each.subject.kind, each.subject.id, each.outcome)
            for each in COMPILED.evaluate(host)
            if each.outcome in ("fail", "unknown")
        }
        seen |= {outcome for *_, outcome in ours}
        assert schemas.answers(schemas.findings(schemas.prepared(documents(host)))) == ours
    assert seen == {"fail", "unknown"}
