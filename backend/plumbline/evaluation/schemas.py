"""API schemas of a host's score taken apart."""

from plumbline.infra.schemas import Schema


class ScoreCap(Schema):
    """A cap that holds the score down."""

    limit: int
    because: str


class ScoreRule(Schema):
    """What one rule brings to the score: `points_possible` and `points_lost` of 100, weighed by evidence; `counted_*` the same if every
    rule counted alike. weight = `band_points` x `strength_factor` x `fit`; 1 where no evidence stands behind the rule.
    """

    pack: str
    rule: str
    title: str
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
