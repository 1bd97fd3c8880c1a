"""Which of Plumbline's hosts a vCenter's hosts are: where it is unclear, nothing is linked and the reason is given."""

from hypothesis import given
from hypothesis import strategies as st

from plumbline.collection.vcenter_match import BY_HAND, KnownHost, Match, VCenterEntry, match_hosts

A, B = KnownHost("a" * 32, "esx-a03", ("10.0.0.3",)), KnownHost("b" * 32, "esx-b08.example.net", ("esx-b08.example.net",))


def test_by_name_then_by_short_name_then_by_address() -> None:
    found = match_hosts(
        [VCenterEntry("host-1", "ESX-A03"), VCenterEntry("host-2", "esx-b08.prod.example.net"), VCenterEntry("host-3", "10.9.9.9")], [A, B]
    )
    assert found["host-1"] == Match(A.id, "the same name")
    assert found["host-2"] == Match(B.id, "the same short name")
    assert found["host-3"] == Match(None, "no host with its name or address")
    assert match_hosts([VCenterEntry("host-4", "renamed", ("127.0.0.1", "10.0.0.3"))], [A, B])["host-4"] == Match(A.id, "the same address")


def test_addresses_that_only_begin_alike_are_no_short_name() -> None:
    assert match_hosts([VCenterEntry("host-1", "10.0.0.3")], [KnownHost("c" * 32, "10.7.7.7")])["host-1"].host_id is None


def test_loopback_is_everybody_s_and_proves_nothing() -> None:
    ours = [KnownHost("c" * 32, "x", ("127.0.0.1",))]
    assert match_hosts([VCenterEntry("host-1", "y", ("127.0.0.1", "::1"))], ours)["host-1"].host_id is None


def test_two_candidates_are_a_doubt() -> None:
    twins = [KnownHost("c" * 32, "esx.berlin.example.net"), KnownHost("d" * 32, "esx.paris.example.net")]
    found = match_hosts([VCenterEntry("host-1", "esx")], twins)["host-1"]
    assert found == Match(None, "2 hosts have the same short name. Link the right one")
    # The full name decides where it is told.
    assert match_hosts([VCenterEntry("host-1", "esx.paris.example.net")], twins)["host-1"].host_id == "d" * 32


def test_two_of_theirs_are_never_one_of_ours() -> None:
    found = match_hosts([VCenterEntry("host-1", "esx-a03"), VCenterEntry("host-9", "esx-a03.old.example.net")], [A, B])
    assert [match.host_id for match in found.values()] == [None, None]
    assert "esx-a03.old.example.net match the same host esx-a03" in found["host-1"].words


def test_what_a_person_linked_stands() -> None:
    found = match_hosts([VCenterEntry("host-1", "other", linked=A.id), VCenterEntry("host-2", "esx-a03")], [A, B])
    assert found["host-1"] == Match(A.id, BY_HAND)
    assert found["host-2"].host_id is None
    assert match_hosts([VCenterEntry("host-1", "x", linked="e" * 32)], [A])["host-1"].host_id is None


_names = st.sampled_from(["esx-1", "ESX-1", "esx-1.a", "esx-1.b", "esx-2", "10.0.0.1", "10.0.0.2", ""])
_addresses = st.lists(st.sampled_from(["10.0.0.1", "10.0.0.2", "127.0.0.1", "esx-2.a", "nonsense"]), max_size=2).map(tuple)


@given(
    st.lists(st.tuples(_names, _addresses, st.sampled_from([None, "0", "1"])), max_size=5),
    st.lists(st.tuples(_names, _addresses), max_size=4),
)
def test_no_host_of_ours_is_linked_twice_unless_a_person_did(theirs: list, ours: list) -> None:
    shown = [VCenterEntry(f"host-{n}", name, addresses, linked) for n, (name, addresses, linked) in enumerate(theirs)]
    found = match_hosts(shown, [KnownHost(str(n), name, addresses) for n, (name, addresses) in enumerate(ours)])
    assert set(found) == {each.moid for each in shown}
    automatic = [match.host_id for match in found.values() if match.host_id is not None and match.words != BY_HAND]
    by_hand = {match.host_id for match in found.values() if match.words == BY_HAND}
    assert len(automatic) == len(set(automatic))
    assert not by_hand & set(automatic)
    assert all(match.words for match in found.values())
