"""Whether a bundle is of a host of the fleet: by name and by the MAC addresses of the adapters, and said where it cannot be known."""

import pytest

from plumbline.core.facts.configuration import Configuration, Source, Subject, Value
from plumbline.core.facts.same_host import is_same_name, likely_same

A, B, C = "90e2ba0b0710", "90e2ba0b0711", "90e2ba0b0740"


def with_adapters(*ids: str) -> Configuration:
    return Configuration("esxi", {Subject("adapter", each): {"name": Value("vmnic0", Source("", "", ""))} for each in ids})


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("esx-01", "ESX-01", True),
        ("esx-01", "esx-01.lab.example", True),
        ("esx-01.lab.example", "esx-01.prod.example", False),
        ("esx-01", "esx-011", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("10", "10.0.0.1", False),
        ("fe80::1", "fe80::1", True),
        ("", "", False),
    ],
)
def test_a_name_is_the_same_with_or_without_its_domain(one: str, other: str, is_same: bool) -> None:
    assert is_same_name(one, other) is is_same
    assert is_same_name(other, one) is is_same


@pytest.mark.parametrize(
    ("name", "bundle", "host", "likeness", "is_candidate", "words"),
    [
        ("esx-01", (A, B), (A, C), "same", True, "same name, and 1 of 2 adapters has the same MAC address"),
        ("old-01", (A, B), (A, B, C), "same", True, "another name, but 2 of 2 adapters have the same MAC address"),
        ("old-01", (A, B), (A, C), "unsure", True, "another name, and 1 of 2 adapters has the same MAC address"),
        ("esx-01", (), (A,), "unsure", True, "same name; the bundle lists no adapters, so that MAC addresses cannot be compared"),
        ("esx-01", (A,), (), "unsure", True, "same name; the adapters of the host are not known, so that MAC addresses cannot be compared"),
        ("esx-01", (A,), (B,), "other", True, "same name, but no adapter in the bundle has a MAC address of this host"),
        ("old-01", (A,), (B,), "other", False, "another name, and no adapter in the bundle has a MAC address of this host"),
        ("old-01", (), (B,), "unsure", False, "another name; the bundle lists no adapters, so that MAC addresses cannot be compared"),
    ],
)
def test_what_the_marks_say(
    name: str, bundle: tuple[str, ...], host: tuple[str, ...], likeness: str, is_candidate: bool, words: str
) -> None:
    found = likely_same(with_adapters(*bundle), name, with_adapters(*host), "esx-01")
    assert (found.likeness, found.is_candidate, found.words) == (likeness, is_candidate, words)


def test_an_adapter_that_is_known_by_another_id_is_no_mark() -> None:
    found = likely_same(with_adapters("0000:3b:00.0"), "esx-01", with_adapters("0000:3b:00.0"), "esx-01")
    assert found.likeness == "unsure"
