"""Whatever is uploaded, a reader returns runs or says what is wrong; it raises nothing else and takes no longer than it may."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plumbline.core.benchmarks import UnreadableBenchmark, read_benchmark
from tests.core.benchmarks import samples

WHOLE = (
    samples.vdbench(samples.vdbench_run(), samples.vdbench_run(name="rd2")),
    samples.diskspd(),
    samples.diskspd_xml(),
    samples.NTTTCP_WINDOWS,
    samples.NTTTCP_LINUX,
    samples.IOMETER,
)


def _is_answered(content: bytes, parameters: bytes | None = None) -> bool:
    """Whether it was read; False if it was refused. Anything else fails the test."""
    try:
        runs = read_benchmark(content, parameter_file=parameters)
    except UnreadableBenchmark as error:
        if error.line < 1 or not error.reason:
            pytest.fail(f"refused without a place or a reason: {error!r}")
        return False
    assert runs
    return True


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=2000))
def test_bytes(content: bytes) -> None:
    _is_answered(content)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(WHOLE), st.randoms(use_true_random=False))
def test_damaged_outputs(text: str, chance: random.Random) -> None:
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                del lines[place]
            case 1:
                lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
            case 2:
                lines.insert(place, lines[chance.randrange(len(lines))])
            case 3:
                words = lines[place].split(" ")
                words[chance.randrange(len(words))] = chance.choice(
                    ["", "NaN", "-1", "9" * 40, "1e400", "\u0663", "<", ">", "|", "=", "'", '"']
                )
                lines[place] = " ".join(words)
            case _:
                lines = lines[: place + 1]
        if not lines:
            break
    _is_answered("\n".join(lines).encode())


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="wdrf=()*,10ak \n\"'-x", max_size=400))
def test_any_parameter_file(text: str) -> None:
    _is_answered(WHOLE[0].encode(), text.encode() or None)


@pytest.mark.parametrize("text", WHOLE, ids=["vdbench", "diskspd", "diskspd-xml", "ntttcp", "ntttcp-linux", "iometer"])
def test_cut_anywhere_is_refused_or_whole(text: str) -> None:
    """A file cut before its last figure is never read as if it were whole."""
    count = len(read_benchmark(text.encode()))
    for place in range(0, len(text), 7):
        try:
            runs = read_benchmark(text[:place].encode())
        except UnreadableBenchmark:
            continue
        assert len(runs) <= count


@pytest.mark.parametrize(
    "content",
    [
        b"Starting RD=" * 40_000,
        b"<" * 15_000 + b"\n" + b"Starting RD=x; elapsed=1" + b"a" * 15_000,
        b"<Results><TimeSpan>" * 20_000,
        b"<Results><TimeSpan><TestTimeSeconds>1</TestTimeSeconds></TimeSpan></Results>" * 20_000,
        b"<Results>" + b"<a>" * 100_000 + b"</Results>",
        b"Copyright Version 5.40\n" * 90_000,
        b"NTTTCP for Linux 1\n#####  Totals:\n" * 40_000,
        b"'Results\n" + b"1," * 9_000 + b"\n",
        b"'Results\n" * 90_000,
        b"Command Line: diskspd\nInput parameters:\n" * 40_000,
        b"tod timestamp Run Interval\n" + b"a b c avg_1-2\n" * 90_000,
        b"wd=" + b"(" * 15_000 + b"\ninterval i/o MB/sec\n",
    ],
    ids=range(12),
)
def test_large_nonsense_ends_soon(content: bytes) -> None:
    begun = time.process_time()
    assert not _is_answered(content)
    assert time.process_time() - begun < 5
