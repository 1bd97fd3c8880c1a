"""API schemas of a host's score taken apart."""

from plumbline.infra.schemas import Schema


class ScoreCap(Schema):
    """A cap that holds the score down."""

    limit: int
    because: str


class ScoreRule(Schema):
    """The part of one rule in the score: `points_possible` and `points_lost` of 100, weighted by evidence; `counted_*` the same if all
    rules had equal weight. weight = `band_points` x `strength_factor` x `fit`; 1 for a rule without evidence.
    """

    pack: str
    rule: str
    title: str
    # What is wrong and where; empty where nothing fails.
    headline: str
    kind: str
    weight: float
    band: str
    band_points: float
    strength: str
    strength_factor: float
    fit: float
    source: str
    passing: int
    failing: int
    judged: int
    points_possible: float
    points_lost: float
    counted_possible: float
    counted_lost: float
    waived: int
    excluded: int
    unknown: int
    has_capped: bool
    also_asked_by: list[str]


class HostScore(Schema):
    """The score taken apart. `uncapped` is what the parts make, rounded down, before caps; `count_based` what it would be if every rule
    counted the same (rounded down, not capped).
    """

    score: int | None
    uncapped: int | None
    capped_by: str
    caps: list[ScoreCap]
    rule_coverage: float | None
    without_waivers: int | None
    count_based: int | None
    rules: list[ScoreRule]
