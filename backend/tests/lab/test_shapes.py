"""The comparison of shapes itself."""

from tests.lab.shapes import closest, differing, kind_of

REAL = [{"Name": "vmnic0", "MTU": "1500", "Up": "true", "Note": ""}, {"Name": "vmnic1", "MTU": "9000", "Up": "false", "Note": "N/A"}]


def test_kinds_of_values() -> None:
    texts = ["true", "10", "-1", "0.5", "1500 bytes", " ", "N/A", "vmnic0"]
    assert [kind_of(text) for text in texts] == ["flag", "figure", "figure", "figure", "text", "nothing", "nothing", "text"]
    assert [kind_of(value) for value in (None, True, 3, [], ["a"], {"a": 1})] == ["nothing", "flag", "figure", "nothing", "list", "object"]


def test_the_same_shape_with_other_values() -> None:
    assert differing([{"Name": "a", "MTU": 1, "Up": True, "Note": "words"}], REAL) == []


def test_each_difference_is_named() -> None:
    assert differing([{"MTU": "1500", "Name": "a", "Note": "", "Duplex": "Full"}], REAL) == [
        "Up: missing",
        "Duplex: not in the real output",
        "MTU: stands where Name really does",
    ]
    assert differing([{"Name": "a", "MTU": "big", "Up": "true", "Note": ""}], REAL) == ["MTU: text, really figure"]


def test_fields_that_are_known_to_differ_are_left_out() -> None:
    assert differing([{"Name": "a", "MTU": "1", "Note": ""}], REAL, known=("Up",)) == []


def test_the_closest_of_several() -> None:
    other = [{"Name": "vmnic0", "Link": "Up"}]
    assert closest([{"Name": "x", "Link": "Down"}], {"old": other, "new": REAL}) == ("old", [])
    assert closest([{"Name": "x"}], {}) == ("", [])
