"""What may be uploaded as a pack, and how everything else is refused: with words, never with a fault."""

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.infra.errors import BadInput
from plumbline.packs.uploads import LARGEST_FILE, MOST_FILES, check_archive, check_files
from tests.packs import site


def test_a_valid_pack_is_loaded_from_any_folder_of_the_archive() -> None:
    for folder in ("", "site-array/", "some-name-of-the-download/"):
        checked = check_archive(site.archive(site.files(rss="enabled"), folder))
        assert checked.mistakes == ()
        assert checked.loaded is not None
        assert (checked.loaded.pack.id, checked.loaded.pack.version, len(checked.loaded.pack.rules), checked.cases) == (
            "site-array",
            "1.0.0",
            2,
            8,
        )
    hashes = {check_archive(site.archive(site.files(), folder)).loaded.pack.content_hash for folder in ("", "x/")}  # type: ignore[union-attr]
    assert len(hashes) == 1


def test_what_archivers_add_of_their_own_is_left_out() -> None:
    assert check_archive(site.archive(site.files() | {"__MACOSX/._pack.yaml": "x", ".DS_Store": "x"})).mistakes == ()


def test_a_mistake_is_reported_with_file_and_line() -> None:
    made = site.files()
    made["rules/site.flow_control.off.yaml"] = made["rules/site.flow_control.off.yaml"].replace(
        "adapter.flow_control", "adapter.flow_controll"
    )
    checked = check_archive(site.archive(made))
    assert checked.loaded is None
    first = checked.mistakes[0]
    assert (first.file, first.line) == ("site-array/rules/site.flow_control.off.yaml", 10)
    assert "adapter.flow_controll" in first.message
    assert not first.message.startswith("site-array/")


def test_a_case_with_another_outcome_than_its_name_is_a_mistake() -> None:
    made = site.files()
    made["cases/site.flow_control.off.wrong.fail.yaml"] = made["cases/site.flow_control.off.right.pass.yaml"]
    assert any("wrong.fail" in mistake.file for mistake in check_archive(site.archive(made)).mistakes)


def encrypted() -> bytes:
    content = bytearray(site.archive(site.files()))
    for at in range(len(content) - 4):
        if content[at : at + 4] == b"PK\x01\x02":
            content[at + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a zip archive"),
        (b"PK\x03\x04 but then nothing", "not a zip archive"),
        (site.archive({"../pack.yaml": "x"}), "no path in a pack"),
        (site.archive({"/etc/pack.yaml": "x"}), "no path in a pack"),
        (site.archive({"..\\..\\pack.yaml": "x"}), "no path in a pack"),
        (site.archive({"C:/pack.yaml": "x"}), "no path in a pack"),
        (site.archive(site.files() | {"rules/../../x.yaml": "x"}), "nothing else"),
        (site.archive(site.files() | {"run.py": "print(1)"}), "nothing else"),
        (site.archive({"a/pack.yaml": "x", "b/pack.yaml": "x"}), "one pack at a time"),
        (site.archive({"rules/a.yaml": "x"}), "pack.yaml is missing"),
        (site.archive({"pack.yaml": "x" * (LARGEST_FILE + 1)}), "larger than 256 KiB"),
        (site.archive({f"rules/{number}.yaml": "" for number in range(MOST_FILES + 1)}), "at most 4,000"),
        (site.archive({"pack.yaml": "[" * 100_000}), "nested deeper"),
        (site.archive({"pack.yaml": "a:\n" + "".join(" " * depth + "- \n" for depth in range(500))}), "nested deeper"),
        (encrypted(), "encrypted"),
    ],
)
def test_what_is_no_pack_is_refused_in_words(content: bytes, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        check_archive(content)


def test_an_archive_that_unpacks_to_far_more_than_declared_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as opened:
        for number in range(100):
            opened.writestr(f"rules/r{number}.yaml", b" " * LARGEST_FILE)
    assert len(content.getvalue()) < 100_000
    with pytest.raises(BadInput, match="larger than 16 MiB"):
        check_archive(content.getvalue())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pack: [",
        "a: &x [1]\nb: *x",
        "!!python/object/apply:os.system [id]",
        "? [a]\n: b",
        "pack: site-array\nversion: 9" + "9" * 5000,
        "\0",
        "- " * 50,
    ],
)
def test_a_meaningless_pack_yaml_is_reported_as_a_mistake(text: str) -> None:
    checked = check_files({"pack.yaml": text.encode()})
    assert checked.loaded is None
    assert checked.mistakes


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(["pack.yaml", "rules/a.b.yaml", "cases/a.b.c.pass.yaml"]), st.binary(max_size=200), min_size=1))
def test_no_bytes_whatever_make_a_fault(files: dict[str, bytes]) -> None:
    try:
        checked = check_files(files)
    except BadInput:
        return
    assert checked.mistakes


def test_a_name_that_damage_left_empty_is_refused() -> None:
    content = bytearray(site.archive(site.files()))
    # The second directory record's file name: a NUL at its beginning ends it there.
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    content[second + 46] = 0
    with pytest.raises(BadInput):
        check_archive(bytes(content))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_damage_to_a_good_archive_makes_a_fault(data: st.DataObject) -> None:
    content = bytearray(site.archive(site.files()))
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        check_archive(bytes(content))
    except BadInput:
        return
