"""Names by which drivers count pause frames; each is counted once, and per-priority figures are left out."""

import pytest

from tests.agents.esxi.workbench import agent


@pytest.mark.parametrize(
    ("text", "received", "sent"),
    [
        ("     rx_flow_control_xoff: 3\n     tx_flow_control_xoff: 4\n", "3", "4"),
        ("   rx_pause_frames:5\n   tx_pause_frames:6\n", "5", "6"),
        # nmlx5_core
        ("   [0]: rxPauseCtrlPhy: 7\n   [1]: txPauseCtrlPhy: 8\n", "7", "8"),
        ("   rx_global_pause: 9\n   rx_prio0_pause: 1\n   tx_global_pause: 10\n", "9", "10"),
        ("   rx_prio3_pause: 1\n   rx_global_pause_duration: 2\n", None, None),
    ],
)
def test_pause_frames_are_found_by_the_drivers_names(text: str, received: str | None, sent: str | None) -> None:
    found = {name: pattern.search(text) for name, pattern in agent.PAUSE_COUNTERS}
    assert {name: match.group(1) if match else None for name, match in found.items()} == {"pause_received": received, "pause_sent": sent}
