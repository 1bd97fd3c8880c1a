"""A host beside another host, and beside the majority of its peers."""

from plumbline.core.drift.beside import beside, majority_of, matched
from plumbline.core.facts.configuration import HOST, Configuration, Reading, SettingValue, Source, Subject, Unknown, Value

SOURCE = Source("s", "c", "f", "")


def host(name: str, adapters: dict[str, dict[str, SettingValue]], **settings: SettingValue) -> Configuration:
    readings: dict[Subject, dict[str, Reading]] = {HOST: {"name": Value(name, SOURCE)}}
    readings[HOST] |= {key.replace("__", "."): Value(value, SOURCE) for key, value in settings.items()}
    for number, (adapter, values) in enumerate(adapters.items()):
        keys = {"name": adapter, "role": "san_iscsi", "mac": f"{name}-{number}", **values}
        readings[Subject("adapter", f"{name}-{number}")] = {key: Value(value, SOURCE) for key, value in keys.items()}
    return Configuration("windows", readings)


def test_adapters_are_matched_by_name_and_then_by_their_place_among_those_alike() -> None:
    left = host("a", {"SAN1": {}, "SAN2": {}, "LAN": {"role": "management"}})
    right = host("b", {"SAN2": {}, "iSCSI A": {}, "Team": {"role": "management"}})
    pairs = {(mine.id if mine else None, theirs.id if theirs else None) for mine, theirs in matched(left, right)}
    assert pairs == {("", ""), ("a-0", "b-1"), ("a-1", "b-0"), ("a-2", "b-2")}


def test_only_what_two_hosts_can_share_is_compared() -> None:
    left = host("a", {"SAN1": {"mtu": 9000, "link_up": True}}, tcp__rss="enabled")
    right = host("b", {"SAN1": {"mtu": 1500, "link_up": False}}, tcp__rss="enabled")
    rows = {(row.key, row.differs) for row in beside(left, right)}
    assert rows == {("mtu", True), ("role", False), ("tcp.rss", False)}


def test_an_item_that_one_side_lacks_is_one_row() -> None:
    rows = [row for row in beside(host("a", {"SAN1": {}, "SAN2": {}}), host("b", {"SAN1": {}})) if row.differs]
    assert [(row.left.id if row.left else None, row.right, row.key) for row in rows] == [("a-1", None, "")]


def test_what_is_not_known_does_not_differ() -> None:
    left = Configuration("windows", {HOST: {"tcp.rss": Unknown("section failed"), "tcp.rsc": Value("enabled", SOURCE)}})
    right = Configuration("windows", {HOST: {"tcp.rss": Value("enabled", SOURCE)}})
    assert not any(row.differs for row in beside(left, right))


def test_an_earlier_configuration_of_the_same_host_is_matched_by_identity() -> None:
    before = host("a", {"SAN1": {"mtu": 9000}})
    after = host("a", {"renamed": {"mtu": 1500}})
    assert [(row.key, row.differs) for row in beside(before, after, is_same_host=True) if row.differs] == [("mtu", True)]


def test_the_majority_names_the_odd_ones_out() -> None:
    peers = {name: host(name, {"SAN1": {"mtu": 1500 if name == "d" else 9000}}) for name in ("b", "c", "d")}
    found = majority_of(host("a", {"SAN1": {"mtu": 1500}}), peers)
    majority = found[Subject("adapter", "a-0"), "mtu"]
    assert (majority.value, majority.agreeing, majority.hosts, majority.odd) == (9000, 2, 3, (("d", 1500),))


def test_without_agreement_there_is_no_majority() -> None:
    mtus = {"b": 9000, "c": 1500}
    peers = {name: host(name, {"SAN1": {"mtu": mtu}}) for name, mtu in mtus.items()}
    assert (Subject("adapter", "a-0"), "mtu") not in majority_of(host("a", {"SAN1": {"mtu": 1500}}), peers)
    assert not majority_of(host("a", {"SAN1": {}}), {"b": peers["b"]})
