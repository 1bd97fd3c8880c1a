"""The lab's Windows runner and the real ESXi runner tell the same story alike: a job tested against one holds against the other."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab import fleet
from lab.host import LabHost
from tests.agents.runner.workbench import Answer, esxi
from tests.lab.test_windows_runner import Asked

# (verb, what differs from the plain request); `first` and `second` stand for two settings, `step` for both of them.
Story = list[tuple[str, dict[str, Any]]]
STORIES: dict[str, Story] = {
    "no fence": [("read", {}), ("begin", {"step": "both"}), ("confirm", {}), ("revert", {}), ("receipt", {})],
    "done and confirmed": [
        ("fence", {}),
        ("begin", {"step": "both"}),
        ("settled", {}),
        ("begin", {"step": "both"}),
        ("confirm", {}),
        ("confirm", {}),
        ("revert", {}),
        ("begin", {"step": "both"}),
    ],
    "reverted": [
        ("fence", {}),
        ("begin", {"step": "both"}),
        ("settled", {}),
        ("revert", {}),
        ("settled", {}),
        ("confirm", {}),
        ("revert", {}),
    ],
    "lower fences": [
        ("fence", {"gen": 8}),
        ("fence", {}),
        ("begin", {"step": "both"}),
        ("confirm", {"attempt": 0}),
        ("fence", {"gen": 8, "attempt": 0}),
        ("begin", {"step": "both", "gen": 8}),
        ("settled", {}),
    ],
    "late": [
        ("fence", {}),
        ("begin", {"step": "both", "not_after_uptime_s": 1}),
        ("begin", {"step": "both", "boot_id": "0" * 32}),
        ("receipt", {}),
    ],
    "conflict": [("fence", {}), ("begin", {"step": "conflict"}), ("receipt", {}), ("begin", {"step": "both"}), ("settled", {})],
    "another step": [
        ("fence", {}),
        ("refuse", {}),
        ("begin", {"step": "both"}),
        ("settled", {}),
        ("begin", {"step": "first"}),
        ("receipt", {}),
    ],
    "killed and resumed": [
        ("fence", {}),
        ("die_after_set", {}),
        ("begin", {"step": "both"}),
        ("settled", {}),
        ("confirm", {}),
        ("fence", {"attempt": 2}),
        ("begin", {"step": "both", "attempt": 2}),
        ("settled", {}),
        ("confirm", {"attempt": 2}),
    ],
    "killed and reverted": [
        ("fence", {}),
        ("die_after_set", {}),
        ("begin", {"step": "both"}),
        ("settled", {}),
        ("revert", {}),
        ("settled", {}),
    ],
    "lying driver": [
        ("fence", {}),
        ("lie", {}),
        ("begin", {"step": "first"}),
        ("settled", {}),
        ("begin", {"step": "first"}),
        ("settled", {}),
    ],
    "dead-man stands": [
        ("fence", {}),
        ("begin", {"step": "first", "deadman_s": 600}),
        ("settled", {}),
        ("other", {}),
        ("begin", {"step": "second"}),
        ("back", {}),
        ("confirm", {}),
        ("other", {}),
        ("begin", {"step": "second"}),
        ("settled", {}),
    ],
    "already there": [("fence", {}), ("begin", {"step": "there"}), ("settled", {}), ("revert", {}), ("settled", {})],
    "nonsense": [
        ("fence", {}),
        ("begin", {"step": []}),
        ("begin", {"step": [{"setting": "host//firewall", "seen": "1", "target": "0", "inverse": "1"}]}),
        ("confirm", {"deadman_s": 5}),
        ("read", {"step": [{"setting": "nothing"}]}),
    ],
}


def _step(kind: Any, pair: list[tuple[str, str, str]]) -> Any:
    if not isinstance(kind, str):
        return kind
    step = [{"setting": name, "seen": old, "target": new, "inverse": old} for name, old, new in pair]
    if kind == "conflict":
        # What it reads is neither seen nor wanted: both say the other value.
        return [step[0], step[1] | {"seen": step[1]["target"]}]
    if kind == "there":
        return [{"setting": name, "seen": new, "target": old, "inverse": new} for name, old, new in pair]
    return {"both": step, "first": step[:1], "second": step[1:]}[kind]


def _tell(
    story: Story, pair: list[tuple[str, str, str]], lab: LabHost, ask: Callable[..., Answer], settled: Callable[[], Answer], op: Any
) -> list[Any]:
    shown = []
    own = op.op
    for verb, change in story:
        if verb in ("refuse", "die_after_set", "lie"):
            lab.set(f"fault.{verb}", 1, cause="test")
            continue
        if verb in ("other", "back"):
            op.op = secrets.token_hex(16) if verb == "other" else own
            continue
        if verb == "settled":
            answer = settled()
        else:
            given = change | ({"step": _step(change["step"], pair)} if "step" in change else {})
            answer = ask(verb, **given)
        settled()
        names = [name for name, _, _ in pair]
        wrote = sorted(names.index(name) for name in answer["wrote"] if name in names)
        # What a step has written by the time of its first word depends on the machine's speed.
        shown.append((verb, answer["state"], answer["reason"], answer["deadman"], wrote if verb == "settled" else None, answer["fence"]))
    return shown


@pytest.mark.parametrize("name", sorted(STORIES))
def test_both_tell_the_same(name: str, tmp_path: Path) -> None:
    spec = next(spec for spec in fleet.load() if spec.name == "sql-05")
    windows = Asked(LabHost(spec, tmp_path / "sql-05"))
    pair = [("host//tcp.rss", "Enabled", "Disabled"), ("host//tcp.task_offload", "Enabled", "Disabled")]
    on_windows = _tell(STORIES[name], pair, windows.host, windows.ask, windows.settled, windows)
    with esxi(tmp_path) as host:
        read = host.ask("read")
        host.good = {"boot_id": read["boot_id"], "not_after_uptime_s": read["uptime_s"] + 600}

        def ask(verb: str, **given: Any) -> Answer:
            return host.send(host.request(verb, **given))

        pair = [("host//net.lro", "1", "0"), ("host//net.hw_tso", "1", "0")]
        on_esxi = _tell(STORIES[name], pair, host.host, ask, host.settled, host)
    assert on_windows == on_esxi
