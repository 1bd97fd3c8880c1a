"""Hosts and rules of tests as the records of a bundle, for the checking program."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.core.facts.attestations import PREFIX
from plumbline.core.facts.configuration import HOST, Configuration, Unknown, Value
from plumbline.core.rules.peers import Peers
from plumbline.core.rules.rule import Pack
from plumbline.evidence import verify_bundle
from plumbline.evidence.forms import pack_form
from plumbline.evidence.hosts import _peers, _reading


def host_of(configuration: Configuration, peers: Peers, unread: Mapping[str, str]) -> verify_bundle.Host:
    """The host as it is read from a bundle: through JSON and back."""
    attested: dict[str, bool | None] = {}
    settings = []
    for subject, key, reading in configuration:
        if subject == HOST and key.startswith(PREFIX):
            if isinstance(reading, Value) and isinstance(reading.value, tuple):
                attested[key.removeprefix(PREFIX)] = bool(reading.value[0])
            elif isinstance(reading, Unknown):
                attested[key.removeprefix(PREFIX)] = None
            continue
        settings.append([subject.kind, subject.id, key, *_reading(reading)])
    record = {
        "id": "h1", "name": "h1", "platform": configuration.platform, "unread": dict(unread), "unlisted": dict(configuration.unlisted),
        "attested": attested, "peers": _peers(peers),
    }  # fmt: skip
    subjects = [[subject.kind, subject.id] for subject in configuration.all_subjects()]
    return verify_bundle.Host(*json.loads(json.dumps([record, {"settings": settings, "subjects": subjects}])))


def rules_of(packs: Sequence[Pack], **more: Any) -> verify_bundle.Rules:
    """The rules of these packs as they are read from a bundle."""
    forms = {f"{pack.id} {pack.version}": json.loads(json.dumps(pack_form(pack, version=pack.version, document={}))) for pack in packs}
    record = {"packs": list(forms), "grace": [], "decisions": {}, "contradictions": [], **more}
    return verify_bundle.Rules(record, forms)


def verdicts_of(rules: verify_bundle.Rules, host: verify_bundle.Host) -> verify_bundle.Verdicts:
    """Every outcome on the host."""
    return {
        (address, subject): outcome for address, rule in rules.rules.items() for subject, outcome in verify_bundle.evaluate_rule(rule, host)
    }
