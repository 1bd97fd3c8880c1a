"""A host of each paper checks in, and its score is computed again from the API's data and the rules' own texts.

Nothing of the product's scoring is used here: points, strengths and fits, as docs/writing-rules.md has them, test systems and caps are
written out below; findings, settings and rules come over HTTP as a reader of the pages sees them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from faults.sending import enrol, sender_of
from plumbline.evaluation import tasks
from tests.api.conftest import Ask
from tests.api.world import SAMPLES, World, read_sample
from tests.packs.files.lab_hosts import _lab_host, fleet, sections

POINTS = {"instability": 10, "effect_25_or_more": 8, "effect_10_to_25": 5, "retransmit": 3, "stated": 2}
STRENGTHS = {"measured": Fraction(1), "chart": Fraction(4, 5), "stated": Fraction(3, 5), "own_judgement": Fraction(2, 5)}
# The test system of each paper: releases and adapter families. The QLogic article's systems are older than any that is read here.
BEDS = {
    "bp1057": ({"2012"}, {"bcm57810", "x520"}),
    "bp1057r2": ({"2012", "2012r2"}, {"bcm57810", "x520"}),
    "esxi55": ({"5.5"}, {"bcm57810", "x520"}),
    "chelsio": ({"2016"}, {"t520"}),
    "qlogic": (set[str](), {"qle3142"}),
}
PLATFORMS = {"esxi55": {"esxi"}, "qlogic": {"windows", "esxi"}}
WEIGH_NOTHING = {"informational", "advisory", "attestation", "capability"}
PATHS_RULE = "plumbline-core/core.paths.two_healthy"


def of_the_lab(base: str, folder: Path) -> dict[str, bytes]:
    return sections(_lab_host(folder, fleet._base(base, fleet.FOLDER), {}))


@dataclass
class Told:
    """One host as the API shows it."""

    platform: str
    findings: list[dict[str, Any]]
    score: dict[str, Any]
    settings: dict[tuple[str, str, str], Any]
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)  # address -> the text of the rule

    def values(self, kind: str, key: str) -> dict[str, Any]:
        return {each[1]: value for each, value in self.settings.items() if (each[0], each[2]) == (kind, f"{kind}.{key}")}


# Published rules never change, so each text is read once.
_TEXTS: dict[str, dict[str, Any]] = {}


def asking(line: dict[str, Any]) -> list[str]:
    """The linked rules in one line of the score; the list of findings shows each such finding once."""
    return [f"{line['pack']}/{line['rule']}", *line["also_asked_by"]]


def read(ask: Ask, host: str) -> Told:
    def get(path: str) -> Any:
        answer = ask("viewer", "GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    settings = {
        (each["subject"]["kind"], each["subject"]["id"], each["key"]): each["value"]
        for each in get(f"/hosts/{host}/settings")["items"]
        if each["state"] == "value"
    }
    seen = Told(get(f"/hosts/{host}")["platform"], get(f"/hosts/{host}/findings")["items"], get(f"/hosts/{host}/score"), settings)
    for address in {each for line in seen.score["rules"] for each in asking(line)}:
        if address not in _TEXTS:
            _TEXTS[address] = yaml.safe_load(get(f"/rules/{address}")["yaml"])
        seen.rules[address] = _TEXTS[address]
    return seen


class Sum:
    """The score on paper."""

    def __init__(self, seen: Told) -> None:
        self.seen = seen
        self.families = seen.values("adapter", "family")
        self.sits_on = seen.values("initiator", "adapter")
        roles = seen.values("adapter", "role")
        san = [adapter for adapter, role in roles.items() if role in ("san_iscsi", "s2d_storage")] + list(self.sits_on.values())
        self.san = {self.families[adapter] for adapter in san if adapter in self.families}
        self.release = seen.values("host", "os_release")[""]
        self.groups: dict[str, list[dict[str, Any]]] = {}
        group = self._linked()
        for each in seen.findings:
            if each["outcome"] != "not_applicable" and each["kind"] not in WEIGH_NOTHING:
                self.groups.setdefault(group[f"{each['pack']}/{each['rule']}"], []).append(each)
        self.asking: dict[str, list[str]] = {group[asking(line)[0]]: asking(line) for line in seen.score["rules"]}
        self.weights = {name: self._weight(self.asking[name], members) for name, members in self.groups.items()}
        self.subjects = {name: self._subjects(members) for name, members in self.groups.items()}

    def _linked(self) -> dict[str, str]:
        """Rules joined by `same_as`, in either direction and through others, those that do not apply here among them."""
        links = {f"{each['pack']}/{each['rule']}": list(each["same_as"]) for each in self.seen.findings}
        for line in self.seen.score["rules"]:
            for address in asking(line):
                links.setdefault(address, []).extend(asking(line))
        group = {address: address for address in links}
        while True:
            before = dict(group)
            for address, others in links.items():
                for other in others:
                    if other in group:
                        group[address] = group[other] = min(group[address], group[other])
            if group == before:
                return group

    def _weight(self, addresses: list[str], members: list[dict[str, Any]]) -> Fraction:
        """The largest weight of all linked rules, for the families of the items to which they apply."""
        subjects = [each["subject"] for each in members]
        families = {self.families.get(each["id"]) for each in subjects if each["kind"] == "adapter"}
        families |= {self.families.get(self.sits_on.get(each["id"], "")) for each in subjects if each["kind"] == "initiator"}
        families = families - {None} or self.san
        found = []
        for address in addresses:
            evidence = self.seen.rules[address].get("evidence", ())
            products = [POINTS[each["band"]] * STRENGTHS[each["strength"]] * self._fit(each, families) for each in evidence]
            found.append(max(products, default=Fraction(1)))
        return max(found)

    def _fit(self, evidence: dict[str, Any], families: set[Any]) -> Fraction:
        releases, tested = BEDS[evidence["paper"]]
        releases, tested = set(evidence.get("os_releases", releases)), set(evidence.get("families", tested))
        if self.seen.platform not in PLATFORMS.get(evidence["paper"], {"windows"}) or not families & tested:
            return Fraction(1, 2)
        return Fraction(1) if self.release in releases else Fraction(4, 5)

    @staticmethod
    def _subjects(members: list[dict[str, Any]]) -> list[str]:
        """The status of each item: fail before unknown before pass; waived or excluded if all its findings are."""
        by_subject: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for each in members:
            by_subject.setdefault((each["subject"]["kind"], each["subject"]["id"]), []).append(each)
        words = []
        for said in by_subject.values():
            outcomes = {each["outcome"] for each in said}
            worst = next(word for word in ("fail", "unknown", "pass") if word in outcomes)
            standing = {each["standing"] for each in said if each["outcome"] == worst}
            if worst == "unknown" or worst in standing:
                words.append(worst)
            else:
                words.append("waived" if "waived" in standing else "excluded")
        return words

    def share(self, name: str) -> Fraction | None:
        passing, failing = self.subjects[name].count("pass"), self.subjects[name].count("fail")
        return Fraction(passing, passing + failing) if passing + failing else None

    @property
    def uncapped(self) -> int:
        judged = {name: share for name in self.groups if (share := self.share(name)) is not None}
        return int(100 * sum(self.weights[name] * share for name, share in judged.items()) / sum(self.weights[name] for name in judged))

    @property
    def counted(self) -> int:
        shares = [share for name in self.groups if (share := self.share(name)) is not None]
        return int(100 * sum(shares) / len(shares))

    @property
    def is_capped(self) -> bool:
        guard = any(each["kind"] == "guard_rail" and each["standing"] == "fail" for each in self.seen.findings)
        accepted = {
            each["subject"]["id"] for each in self.seen.findings
            if f"{each['pack']}/{each['rule']}" == PATHS_RULE and each["standing"] in ("waived", "excluded")
        }  # fmt: skip
        thin = {volume for volume, healthy in self.seen.values("volume", "paths_healthy").items() if healthy < 2} - accepted
        return guard or bool(thin)

    @property
    def coverage(self) -> Fraction:
        known = asked = Fraction(0)
        for name, words in self.subjects.items():
            each = self.weights[name] / len(words)
            known += each * sum(word in ("pass", "fail", "waived") for word in words)
            asked += each * sum(word in ("pass", "fail", "waived", "unknown") for word in words)
        return known / asked


@pytest.fixture(scope="module")
def check_in_client(address: str, world: World) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=30) as client:
        yield client


def checked_in(ask: Ask, check_in_client: httpx.Client, name: str, platform: str, bodies: dict[str, bytes]) -> str:
    asked = {"name": name, "group_id": 1, "platform": platform, "is_auto_approved": True}
    token = ask("admin", "POST", "/enrolment/tokens", json=asked).json()["token"]
    sender = sender_of(enrol(check_in_client, token, name, platform), platform, sections=bodies)
    assert sender.send(check_in_client).status_code == 200
    for _ in range(2):
        tasks.reevaluate_peers()
    return sender.host_id


def waive_one(ask: Ask, host: str) -> None:
    """The heaviest failing rule, requested by one person and approved by another."""
    line = max(read(ask, host).score["rules"], key=lambda each: each["points_lost"])
    asked = {
        "pack": line["pack"], "rule": line["rule"], "host_ids": [host], "reason": "the array's vendor asks for it",
        "expires_at": (datetime.now(UTC) + timedelta(days=20)).isoformat(),
    }  # fmt: skip
    waiver = ask("operator", "POST", "/waivers", json=asked)
    assert waiver.status_code == 201, waiver.text
    assert ask("approver", "POST", f"/waivers/{waiver.json()['id']}/approve").status_code == 200


def hold(seen: Told) -> None:
    """Every figure of the page equals the sum."""
    on_paper, score = Sum(seen), seen.score
    assert score["uncapped"] == on_paper.uncapped
    assert score["score"] == (min(59, on_paper.uncapped) if on_paper.is_capped else on_paper.uncapped)
    assert bool(score["caps"]) == on_paper.is_capped
    assert score["count_based"] == on_paper.counted
    lines = {f"{each['pack']}/{each['rule']}": each for each in score["rules"]}
    linked = on_paper._linked()
    assert {linked[address] for address in lines} == set(on_paper.groups)
    total = sum(on_paper.weights[name] for name in on_paper.groups if on_paper.share(name) is not None)
    for address, line in lines.items():
        name = linked[address]
        words, weight, share = on_paper.subjects[name], on_paper.weights[name], on_paper.share(name)
        assert line["weight"] == pytest.approx(float(weight)), address
        assert line["band_points"] * line["strength_factor"] * line["fit"] == pytest.approx(float(weight)), address
        for shown, word in (("passing", "pass"), ("failing", "fail"), ("unknown", "unknown"), ("waived", "waived")):
            assert line[shown] == words.count(word), (address, shown)
        lost = 0.0 if share is None else float(100 * weight * (1 - share) / total)
        assert line["points_lost"] == pytest.approx(lost), address
    assert score["rule_coverage"] == pytest.approx(float(on_paper.coverage))


# What each paper's host must contain, so that the arithmetic is not trivial: the paper, and a weight that only it gives.
PAPERS = {
    "BP1057, 2013 edition, at its defaults": ("windows", "bcm57810-2012-default", "dell-bp1057-2012"),
    "BP1057, 2013 edition, as recommended": ("windows", "bcm57810-2012-recommended", "dell-bp1057-2012"),
    "BP1057, later edition": ("windows", "x520-2012r2-default", "dell-bp1057-2012r2"),
    "ESXi 5.5": ("esxi", "5.5", "dell-esxi55"),
    "ESXi 5.5, iSOE": ("esxi", "5.5-isoe", "dell-esxi55"),
    "Chelsio": ("windows", "t520-2016-s2d", "chelsio-s2d-qos"),
    "QLogic": ("windows", "", "qlogic-qle3142"),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_score_of_a_host_of_each_paper_is_the_sum_on_paper(ask: Ask, check_in_client: httpx.Client, tmp_path: Path, paper: str) -> None:
    platform, sample, pack = PAPERS[paper]
    bodies = read_sample(SAMPLES / platform / f"{sample}.checkin")[1] if sample else of_the_lab("windows-2012-qle3142", tmp_path)
    host = checked_in(ask, check_in_client, paper.replace(" ", "-").replace(",", "").lower(), platform, bodies)
    seen = read(ask, host)
    assert any(each["pack"] == pack and each["outcome"] in ("pass", "fail") for each in seen.findings)
    hold(seen)
    if any(each["points_lost"] for each in seen.score["rules"]):
        waive_one(ask, host)
        after = read(ask, host)
        hold(after)
        assert after.score["without_waivers"] == seen.score["score"]
        assert sum(each["waived"] for each in after.score["rules"]) > 0
