"""Why a setting changed: the nearest explanation wins, and a job of ours is one."""

from plumbline.core.drift.causes import Cause, JobWork, causes_of, job_work
from plumbline.core.drift.changes import Change
from plumbline.core.facts.configuration import HOST, Reading, SettingValue, Source, Subject, Unknown, Value

SOURCE = Source("s", "c", "f", "")
SAN1, VOLUME = Subject("adapter", "a0"), Subject("volume", "naa.6")
KNOWN = {HOST, SAN1, VOLUME}


def changed(subject: Subject, key: str, old: SettingValue | None, new: SettingValue | None) -> Change:
    sides: list[Reading] = [Unknown("not read") if value is None else Value(value, SOURCE) for value in (old, new)]
    return Change(subject, key, *sides)


def cause(change: Change, *others: Change, jobs: tuple[JobWork, ...] = (), is_rebooted: bool = False) -> Cause:
    return causes_of([change, *others], KNOWN, is_rebooted=is_rebooted, jobs=jobs)[0]


def element(setting: str, catalogue: str, expects: str) -> dict[str, str]:
    return {"setting": setting, "catalogue": catalogue, "expects": expects}


def mtu_job(*, is_undo: bool = False, is_recent: bool = True) -> JobWork:
    steps = [{"elements": [element("adapter/a0/mtu", "adapter/a0/mtu", "9000")], "adapters": ["a0"]}]
    return job_work(7, "plan 3, requested by ana", steps, is_undo=is_undo, is_recent=is_recent)


def test_what_a_job_set_is_its_work_and_so_is_the_running_value() -> None:
    job = mtu_job()
    for change in (changed(SAN1, "mtu", 1500, 9000), changed(SAN1, "mtu_operational", 1500, 9000)):
        assert cause(change, jobs=(job,)) == Cause("our_job", "plan 3, requested by ana", 7)


def test_another_value_than_the_job_set_is_not_its_work() -> None:
    assert cause(changed(SAN1, "mtu", 9000, 4000), jobs=(mtu_job(),)).cause == "unknown"
    # Of an undo it is the value from before, which only the job's own record says.
    assert cause(changed(SAN1, "mtu", 9000, 1500), jobs=(mtu_job(is_undo=True),)).cause == "our_job"


def test_paths_lost_while_a_job_restarts_an_adapter_are_its_work() -> None:
    lost = changed(VOLUME, "paths_healthy", 4, 2)
    assert cause(lost, jobs=(mtu_job(),)).cause == "our_job"
    assert cause(lost, jobs=(mtu_job(is_recent=False),)).cause == "unknown"
    # A setting that the job did not write is not.
    assert cause(changed(SAN1, "flow_control", "rx_tx", "off"), jobs=(mtu_job(),)).cause == "unknown"
    assert cause(changed(Subject("adapter", "b1"), "link_up", True, False), jobs=(mtu_job(),)).cause == "unknown"


def test_the_newest_job_that_wrote_it_counts() -> None:
    undo = job_work(
        8,
        "undo of plan 3",
        [{"elements": [element("adapter/a0/mtu", "adapter/a0/mtu", "9000")], "adapters": []}],
        is_undo=True,
        is_recent=True,
    )
    assert cause(changed(SAN1, "mtu", 9000, 1500), jobs=(mtu_job(), undo)).job_id == 8


def test_a_setting_under_another_name_is_the_jobs_work_too() -> None:
    written = element("tcp_template/Datacenter/delayed_ack_frequency", "host//tcp.delayed_ack_iscsi", "disabled")
    job = job_work(9, "plan 4", [{"elements": [written], "adapters": []}], is_undo=False, is_recent=True)
    assert cause(changed(HOST, "tcp.delayed_ack_iscsi", "enabled", "disabled"), jobs=(job,)).job_id == 9
    assert cause(changed(Subject("tcp_template", "Datacenter"), "delayed_ack_frequency", 2, 1), jobs=(job,)).cause != "unknown"


def test_updates_explain_what_came_with_them() -> None:
    driver = changed(SAN1, "driver_version", "1.78", "1.79")
    assert cause(changed(SAN1, "flow_control", "rx_tx", "off"), driver) == Cause("driver_update", "driver version 1.78 to 1.79")
    system = changed(HOST, "os_version", "10.0.17763.1", "10.0.17763.2")
    assert cause(changed(HOST, "tcp.rss", "enabled", "disabled"), system, is_rebooted=True).cause == "os_update"
    toolkit = changed(HOST, "hit_kit", "4.0", "4.7")
    assert cause(changed(HOST, "mpio.retry_count", 3, 10), toolkit) == Cause("toolkit", "Host Integration Toolkit 4.0 to 4.7")
    assert cause(changed(HOST, "tcp.rss", "enabled", "disabled"), is_rebooted=True).cause == "reboot"


def test_group_policy_explains_the_value_it_decides_only() -> None:
    source = changed(HOST, "tcp.auto_tuning_from", "local", "group_policy")
    assert cause(changed(HOST, "tcp.auto_tuning", "normal", "disabled"), source).cause == "group_policy"
    assert cause(changed(HOST, "tcp.rss", "enabled", "disabled"), source).cause == "unknown"


def test_another_agent_explains_what_it_reads_for_the_first_time_and_no_value_that_both_read() -> None:
    agent = changed(HOST, "agent_version", "1.0.0", "1.1.0")
    assert cause(changed(SAN1, "vlan", None, 10), agent) == Cause("agent_upgrade", "agent 1.0.0 to 1.1.0")
    assert cause(changed(SAN1, "mtu", 9000, 1500), agent).cause == "unknown"
    assert cause(agent).cause == "agent_upgrade"


def test_a_new_item_is_a_first_sighting_whatever_else_happened() -> None:
    new = Change(Subject("adapter", "new"), "mtu", None, Value(1500, SOURCE))
    assert cause(new, changed(HOST, "os_build", 1, 2), is_rebooted=True).cause == "first_seen"
