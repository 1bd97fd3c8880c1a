"""What one finding's fix becomes on a host: the host's own text, its own mechanism, or the reason why nothing is planned."""

import pytest

from plumbline.core.facts.catalogue import BY_KEY
from plumbline.core.facts.configuration import HOST, Configuration, NotOffered, Platform, SettingValue, Subject, Unknown
from plumbline.core.planning.element_builder import Draft
from plumbline.core.planning.elements import drafts_of
from plumbline.core.planning.inputs import Chosen
from plumbline.core.planning.plan import ABSENT
from plumbline.core.planning.refusals import ManualOnly, Refused
from plumbline.packs.files import load_builtin
from tests.core.planning.hosts import MACS, a_rule, esxi_host, facts, manual_rule, on, raw, the_settings, windows_adapter, windows_host
from tests.core.rules.builders import configuration

SAN1 = on(MACS[0])
VMK1 = Subject("vnic", "vmk1")
INITIATOR = Subject("initiator", "iqn.host")
TARGET = Subject("target", "iqn.host>iqn.2001-05.com.equallogic:vol-a")


def made(key: str, to: SettingValue | None, subject: Subject, held: Configuration, fallback: int | None = None) -> list[Draft]:
    """The drafts of a fix that must be possible."""
    found = drafts_of(facts(held=held), Chosen(a_rule(key, to, fallback=fallback), subject), the_settings())
    assert isinstance(found, list), found
    return found


def left_out(key: str, to: SettingValue | None, subject: Subject, held: Configuration) -> Refused | ManualOnly:
    """Why a fix is not possible."""
    found = drafts_of(facts(held=held), Chosen(a_rule(key, to), subject), the_settings())
    assert not isinstance(found, list), found
    return found


def texts(drafts: list[Draft]) -> list[tuple[str, str, str]]:
    """Setting, seen and target of each; the inverse is always what was seen."""
    assert all(draft.element.inverse == draft.element.seen for draft in drafts)
    return [(draft.element.setting, draft.element.seen, draft.element.target) for draft in drafts]


def windows(**keys: object) -> Configuration:
    """One adapter with these readings."""
    return windows_host({MACS[0]: windows_adapter("SAN1", **keys)})


def test_flow_control_is_written_in_the_drivers_own_figures() -> None:
    (draft,) = made("adapter.flow_control", "rx_tx", SAN1, windows())
    assert texts([draft]) == [(f"adapter/{MACS[0]}/flow_control", "0", "3")]
    assert (draft.element.shown_seen, draft.element.shown_target, draft.element.expects) == ("off", "Rx & Tx", "rx_tx")


@pytest.mark.parametrize(("raw_frame", "mtu", "wanted"), [("1514", 1500, "9014"), ("1500", 1500, "9000"), ("4088", 4074, "9014")])
def test_a_frame_keeps_the_distance_to_the_l3_mtu_that_the_driver_counts_in(raw_frame: str, mtu: int, wanted: str) -> None:
    assert texts(made("adapter.mtu", 9000, SAN1, windows(mtu=raw(mtu, raw_frame)))) == [(f"adapter/{MACS[0]}/mtu", raw_frame, wanted)]


def test_a_driver_that_numbers_its_frames_or_buffers_is_left_to_people() -> None:
    assert isinstance(left_out("adapter.mtu", 9000, SAN1, windows(mtu=raw(1500, "0"))), ManualOnly)
    assert isinstance(left_out("adapter.receive_buffers", 4096, SAN1, windows(receive_buffers=raw(1024, "2"))), ManualOnly)


def test_the_drivers_maximum_is_required_and_the_papers_figure_if_it_is_unknown() -> None:
    assert texts(made("adapter.receive_buffers", None, SAN1, windows(), 3000))[0][2] == "4096"
    unread = windows(receive_buffers_maximum=Unknown("driver reports no maximum"))
    assert texts(made("adapter.receive_buffers", None, SAN1, unread, 3000))[0][2] == "3000"
    refused = left_out("adapter.receive_buffers", None, SAN1, unread)
    assert isinstance(refused, Refused)
    assert refused.gate == "facts_known"


def test_more_than_the_driver_offers_is_refused_with_its_figure() -> None:
    refused = left_out("adapter.mtu", 9614, SAN1, windows())
    assert isinstance(refused, Refused)
    assert refused.gate == "driver_limit"
    assert "at most 9600" in refused.words
    assert "SAN1" in refused.words


def test_a_setting_read_by_a_cmdlet_is_written_by_its_keyword() -> None:
    assert texts(made("adapter.rss", "enabled", SAN1, windows())) == [(f"adapter/{MACS[0]}/rss", "0", "1")]


@pytest.mark.parametrize("reading", [Unknown("section properties failed"), NotOffered("driver does not offer it")])
def test_a_setting_without_a_value_is_refused_and_named(reading: Unknown | NotOffered) -> None:
    refused = left_out("adapter.flow_control", "rx_tx", SAN1, windows(flow_control=reading))
    assert isinstance(refused, Refused)
    assert refused.about == f"adapter/{MACS[0]}/flow_control"
    assert reading.reason in refused.words


def test_a_value_that_could_not_be_put_back_is_never_planned() -> None:
    refused = left_out("adapter.flow_control", "rx_tx", SAN1, windows(flow_control=raw("auto", "7; rm")))
    assert isinstance(refused, Refused)
    assert "'7; rm'" in refused.words


def test_an_id_of_another_form_than_the_runner_accepts_is_left_to_people_with_the_command() -> None:
    odd = Subject("adapter", "pci\\ven_14e4")
    held = configuration({"adapter/pci\\ven_14e4": windows_adapter("It's one"), "host": {"os_release": "2019"}})
    found = drafts_of(facts(held=held), Chosen(a_rule("adapter.flow_control", "rx_tx"), odd), the_settings())
    assert isinstance(found, ManualOnly)
    assert "-Name 'It''s one'" in found.steps[0]


def test_a_rule_that_only_people_can_put_right_gives_its_steps() -> None:
    found = drafts_of(facts(), Chosen(manual_rule(), HOST), the_settings())
    assert found == ManualOnly("it is theirs", ("Do it.",))


# --- Delayed ACK on Windows -------------------------------------------------------------------------------------------------------------


def test_on_2012_delayed_ack_goes_by_the_registry_and_what_was_absent_is_deleted_again() -> None:
    adapters = {
        MACS[0]: windows_adapter("SAN1", delayed_ack_registry=raw("enabled", "absent", "tcp")),
        MACS[1]: windows_adapter("SAN2", delayed_ack_registry=raw("enabled", "2", "tcp")),
    }
    held = windows_host(adapters, os_release="2012", tcp__delayed_ack_iscsi="enabled")
    drafts = made("host.tcp.delayed_ack_iscsi", "disabled", HOST, held)
    assert texts(drafts) == [
        (f"adapter/{MACS[0]}/delayed_ack_registry", ABSENT, "1"),
        (f"adapter/{MACS[1]}/delayed_ack_registry", "2", "1"),
    ]
    assert drafts[0].undo[0].text.startswith("Remove-ItemProperty")
    assert drafts[1].undo[0].text.endswith("-Value 2")


def delayed(release: str = "2019", **subjects: dict[str, object]) -> Configuration:
    """A host of a release with its templates, and these transport filters."""
    templates = {name: {"delayed_ack_frequency": 2} for name in ("DatacenterCustom", "InternetCustom", "Datacenter")}
    of_release = {"os_release": release} if release else {}
    return configuration(
        {
            "host": {**of_release, "tcp.delayed_ack_iscsi": "enabled"},
            **{f"tcp_template/{name}": keys for name, keys in templates.items()},
            **subjects,
        }
    )


def test_from_2012_r2_on_delayed_ack_makes_a_filter_that_undo_deletes() -> None:
    drafts = made("host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed())
    assert texts(drafts) == [
        ("tcp_template/DatacenterCustom/delayed_ack_frequency", "2", "1"),
        ("transport_filter/TCP,0-65535,3260-3260,*/template", ABSENT, "DatacenterCustom"),
    ]
    assert {draft.element.catalogue for draft in drafts} == {"host//tcp.delayed_ack_iscsi"}
    assert {draft.element.expects for draft in drafts} == {"disabled"}
    assert drafts[1].do[0].text.startswith("New-NetTransportFilter -SettingName DatacenterCustom -Protocol TCP")
    assert "Remove-NetTransportFilter" in drafts[1].undo[0].text


def test_a_filter_that_covers_the_san_already_is_used_as_it_is() -> None:
    covering = {"template": "InternetCustom", "covers_iscsi": True}
    drafts = made(
        "host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed(**{"transport_filter/TCP,0-65535,3260-3260,10.1.0.0/16": covering})
    )
    assert texts(drafts) == [("tcp_template/InternetCustom/delayed_ack_frequency", "2", "1")]


def test_2012_r2_does_not_edit_the_templates_of_the_system() -> None:
    own = {"transport_filter/TCP,0-65535,3260-3260,*": {"template": "Datacenter", "covers_iscsi": True}}
    left = left_out("host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed("2012r2", **own))
    assert isinstance(left, ManualOnly)
    assert "2012 R2 does not let the template Datacenter be edited" in left.because
    assert "DatacenterCustom" in left.steps[0]
    # Later releases do, and 2012 R2 edits its custom ones.
    assert texts(made("host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed("2019", **own)))[0][1:] == ("2", "1")
    assert texts(made("host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed("2012r2")))[0][0].startswith("tcp_template/DatacenterCustom")


def test_without_a_known_release_delayed_ack_is_refused() -> None:
    left = left_out("host.tcp.delayed_ack_iscsi", "disabled", HOST, delayed(""))
    assert isinstance(left, Refused)
    assert (left.gate, left.about) == ("release", "host//os_release")


def test_2012_has_no_delayed_ack_in_its_templates() -> None:
    found = the_settings().get("windows", "tcp_template.delayed_ack_frequency")
    assert found is not None
    assert "2012" in found.not_on


# --- The rest of Windows ----------------------------------------------------------------------------------------------------------------


def test_the_receive_window_is_one_level_up_to_2012_r2_and_a_template_later() -> None:
    old = configuration({"host": {"os_release": "2012r2", "tcp.auto_tuning": "disabled", "tcp.auto_tuning_from": "local"}})
    assert texts(made("host.tcp.auto_tuning", "normal", HOST, old)) == [("host//tcp.auto_tuning", "Disabled", "Normal")]
    new = configuration(
        {
            "host": {"os_release": "2022", "tcp.auto_tuning": "disabled", "tcp.auto_tuning_from": "local", "tcp.san_template": "Internet"},
            "tcp_template/Internet": {"auto_tuning": "disabled"},
            "tcp_template/Datacenter": {"auto_tuning": "disabled"},
        }
    )
    assert texts(made("host.tcp.auto_tuning", "normal", HOST, new)) == [("tcp_template/Internet/auto_tuning", "Disabled", "Normal")]


def test_what_group_policy_decides_is_refused() -> None:
    held = configuration({"host": {"os_release": "2022", "tcp.auto_tuning": "disabled", "tcp.auto_tuning_from": "group_policy"}})
    refused = left_out("host.tcp.auto_tuning", "normal", HOST, held)
    assert isinstance(refused, Refused)
    assert refused.gate == "group_policy"


def test_chimney_is_not_automated_where_it_is_gone() -> None:
    held = configuration({"host": {"os_release": "2019", "tcp.chimney": "disabled"}})
    assert left_out("host.tcp.chimney", "enabled", HOST, held) == ManualOnly("Chimney offload is gone", ())


def test_bindings_are_one_element_each_and_never_the_internet_protocol() -> None:
    held = windows(bindings=["ms_client", "ms_msclient", "ms_server", "ms_tcpip"])
    refused = left_out("adapter.bindings", ("ms_tcpip",), SAN1, held)
    assert isinstance(refused, ManualOnly)
    assert "ms_client" in refused.because
    drafts = made("adapter.bindings", ("ms_tcpip",), SAN1, windows(bindings=["ms_msclient", "ms_server", "ms_tcpip"]))
    assert texts(drafts) == [
        (f"adapter/{MACS[0]}/binding.ms_msclient", "True", "False"),
        (f"adapter/{MACS[0]}/binding.ms_server", "True", "False"),
    ]
    assert drafts[0].do[0].text == "Set-NetAdapterBinding -Name 'SAN1' -ComponentID ms_msclient -Enabled $False"
    without = left_out("adapter.bindings", (), SAN1, windows(bindings=["ms_tcpip"]))
    assert isinstance(without, ManualOnly)


def test_bindings_of_a_storage_or_management_adapter_are_left_to_people() -> None:
    assert isinstance(left_out("adapter.bindings", ("ms_tcpip",), SAN1, windows(role="s2d_storage", bindings=["ms_server"])), ManualOnly)


def test_a_qos_policy_and_class_are_written_whole() -> None:
    held = configuration(
        {
            "host": {"os_release": "2016"},
            "qos_policy/rdma": {"priority": 3, "net_direct_port": 445},
            "qos_class/rdma": {"algorithm": "ets", "bandwidth_percent": 30, "priorities": [3, 5]},
        }
    )
    (policy,) = made("qos_policy.priority", 5, Subject("qos_policy", "rdma"), held)
    assert texts([policy]) == [("qos_policy/rdma/rule", "445:3", "445:5")]
    assert [command.text for command in policy.do] == [
        "Remove-NetQosPolicy -Name 'rdma' -Confirm:$false",
        "New-NetQosPolicy -Name 'rdma' -NetDirectPortMatchCondition 445 -PriorityValue 5",
    ]
    (share,) = made("qos_class.bandwidth_percent", 50, Subject("qos_class", "rdma"), held)
    assert texts([share]) == [("qos_class/rdma/share", "ets:30:3,5", "ets:50:3,5")]
    assert share.do[1].text == "New-NetQosTrafficClass -Name 'rdma' -Algorithm ETS -BandwidthPercentage 50 -Priority 3,5"


def test_other_windows_settings_are_written_in_the_words_of_their_cmdlets() -> None:
    held = configuration(
        {
            "host": {"os_release": "2019", "qos.dcbx_willing": True, "mpio.policy": "none", "tcp.rss": "disabled"},
            f"adapter/{MACS[0]}": {"name": "SAN1", "netbios": "enabled", "interface_guid": "0a" * 4 + "-0b0b-0c0c-0d0d-0e0e0e0e0e0e"},
        }
    )
    assert texts(made("host.qos.dcbx_willing", False, HOST, held)) == [("host//qos.dcbx_willing", "True", "False")]
    assert texts(made("host.mpio.policy", "least_queue_depth", HOST, held)) == [("host//mpio.policy", "None", "LQD")]
    (rss,) = made("host.tcp.rss", "enabled", HOST, held)
    assert rss.do[0].text == "Set-NetOffloadGlobalSetting -ReceiveSideScaling Enabled"
    (netbios,) = made("adapter.netbios", "disabled", SAN1, held)
    assert texts([netbios]) == [(f"adapter/{MACS[0]}/netbios", "1", "2")]
    assert "@{TcpipNetbiosOptions = [uint32]2}" in netbios.do[0].text


# --- ESXi -------------------------------------------------------------------------------------------------------------------------------


def test_pause_on_esxi_keeps_all_three_flags_for_the_undo() -> None:
    held = esxi_host(
        {f"adapter/{MACS[0]}": {"name": "vmnic2", "flow_control": raw("rx_tx", "rx true, tx true, auto-negotiation true", "nics")}}
    )
    (draft,) = made("adapter.flow_control", "rx_tx", SAN1, held)
    assert texts([draft]) == [(f"adapter/{MACS[0]}/flow_control", "true,true,true", "false,true,true")]
    assert draft.element.until_restart.startswith("until the next restart of the host. To keep it, put the command before")
    (lasting,) = made("vnic.mtu", 1400, VMK1, esxi_host())
    assert lasting.element.until_restart == ""
    assert draft.do[0].text == "esxcli network nic pauseParams set -n vmnic2 -a false -r true -t true"
    assert draft.undo[0].text == "esxcli network nic pauseParams set -n vmnic2 -a true -r true -t true"


def test_pause_flags_in_another_form_are_refused() -> None:
    refused = left_out("adapter.flow_control", "rx_tx", SAN1, esxi_host({f"adapter/{MACS[0]}": {"name": "vmnic2", "flow_control": "off"}}))
    assert isinstance(refused, Refused)
    assert "can't be restored" in refused.words


def test_on_5_5_pause_and_rings_are_left_to_people() -> None:
    held = esxi_host(os_release="5.5")
    assert left_out("adapter.flow_control", "rx_tx", SAN1, held) == ManualOnly("ethtool does not keep its values over a restart", ())
    unknown = esxi_host(os_release=Unknown("the release was not read"))
    refused = left_out("adapter.flow_control", "rx_tx", SAN1, unknown)
    assert isinstance(refused, Refused)
    assert refused.gate == "release"


def test_the_frame_size_of_an_esxi_adapter_is_that_of_its_switch() -> None:
    assert texts(made("adapter.mtu", 9000, SAN1, esxi_host())) == [("vswitch/vSwitch1/mtu", "1500", "9000")]
    distributed = esxi_host({"vswitch/vSwitch1": {"mtu": 1500, "type": "distributed"}})
    found = left_out("adapter.mtu", 9000, SAN1, distributed)
    assert isinstance(found, ManualOnly)
    assert "vCenter" in found.because


def test_an_interface_brings_its_switch_along_where_that_carries_less() -> None:
    assert texts(made("vnic.mtu", 9000, VMK1, esxi_host())) == [("vswitch/vSwitch1/mtu", "1500", "9000"), ("vnic/vmk1/mtu", "1500", "9000")]
    wide = esxi_host({"vswitch/vSwitch1": {"mtu": 9000, "type": "standard"}})
    assert texts(made("vnic.mtu", 9000, VMK1, wide)) == [("vnic/vmk1/mtu", "1500", "9000")]


def test_a_target_that_inherits_inherits_again_when_undone() -> None:
    (draft,) = made("target.delayed_ack", "disabled", TARGET, esxi_host())
    assert texts([draft]) == [(f"target/{TARGET.id}/delayed_ack", "inherit", "false")]
    of_target = "-n iqn.2001-05.com.equallogic:vol-a -k DelayedAck"
    assert [command.text for command in draft.do] == [
        f"esxcli iscsi adapter target portal param set -A vmhba64 -a 10.9.0.{at}:3260 {of_target} -v false" for at in (0, 1)
    ]
    assert all(command.text.endswith("-k DelayedAck -I") for command in draft.undo)
    own = esxi_host({f"target/{TARGET.id}": {"delayed_ack": "enabled", "delayed_ack_inherited": False, "address": "10.9.0.0:3260"}})
    assert texts(made("target.delayed_ack", "disabled", TARGET, own))[0][1] == "true"


def test_initiator_and_advanced_settings_of_esxi() -> None:
    held = esxi_host(net__lro="disabled")
    (login,) = made("initiator.login_timeout_seconds", 60, INITIATOR, held)
    assert login.do[0].text == "esxcli iscsi adapter param set -A vmhba64 -k LoginTimeout -v 60"
    (lro,) = made("host.net.lro", "enabled", HOST, held)
    assert lro.do[0].text == "esxcli system settings advanced set -o /Net/TcpipDefLROEnabled -i 1"


# --- The whole list ---------------------------------------------------------------------------------------------------------------------


def test_every_automatable_fix_of_every_pack_has_a_runner_setting_on_its_platforms() -> None:
    missing = []
    for pack in load_builtin():
        for rule in pack.rules:
            for wanted in rule.fix.set:
                platforms: tuple[Platform, ...] = (rule.applies_to.platform,) if rule.applies_to.platform else ("windows", "esxi")
                for platform in platforms:
                    key = (
                        _OWN_WAY.get(wanted.key, wanted.key)
                        if platform == "windows"
                        else {"adapter.mtu": "vswitch.mtu"}.get(wanted.key, wanted.key)
                    )
                    if the_settings().get(platform, key) is None:
                        missing.append(f"{rule.address} on {platform}: {wanted.key}")
    assert not missing


_OWN_WAY = {
    "host.tcp.delayed_ack_iscsi": "transport_filter.template",
    "adapter.bindings": "adapter.binding.ms_server",
    "qos_policy.priority": "qos_policy.rule",
    "qos_policy.net_direct_port": "qos_policy.rule",
    "qos_class.bandwidth_percent": "qos_class.share",
    "qos_class.priorities": "qos_class.share",
    "qos_class.algorithm": "qos_class.share",
}


@pytest.mark.parametrize("platform", ["windows", "esxi"])
def test_every_word_of_the_list_is_a_value_of_the_catalogue(platform: Platform) -> None:
    for key in the_settings().keys(platform):
        setting = the_settings().get(platform, key)
        entry = BY_KEY.get(key)
        assert setting is not None
        if entry is not None and entry.values and setting.words:
            assert set(setting.words) <= set(entry.values), key
        if entry is not None and not setting.cuts and setting.restart == "none":
            assert setting.takes_effect in (entry.takes_effect, "reboot"), key
