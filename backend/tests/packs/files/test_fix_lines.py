"""What the API says of a rule's fix: the setting, the value, and what the host forgets of it when it restarts."""

from plumbline.packs.files import load_builtin
from plumbline.packs.rule_text import fix_lines


def test_only_pause_frames_of_esxi_are_forgotten_at_a_restart() -> None:
    lines = {rule.address: fix_lines(rule) for pack in load_builtin() for rule in pack.rules if rule.fix.set}
    forgotten = {address for address, each in lines.items() if any(line.until_restart for line in each)}
    assert forgotten == {"dell-esxi55/esxi55.flow_control"}
    (line,) = lines["dell-esxi55/esxi55.flow_control"]
    assert (line.setting, line.to) == ("adapter.flow_control", "Rx & Tx")
    assert line.until_restart.startswith("until the next restart of the host. To keep it, put the command")
    assert len(lines) > 30
