"""Each tool's output, read: figures worked out by hand, and what is refused with its line and reason."""

from datetime import UTC, datetime

import pytest

from plumbline.core.benchmarks import UnreadableBenchmark, read_benchmark
from plumbline.core.benchmarks.run import BenchmarkRun
from tests.core.benchmarks import samples


def _read(text: str, parameters: str = "") -> list[BenchmarkRun]:
    return read_benchmark(text.encode(), parameter_file=parameters.encode() or None)


def _refused(text: str) -> UnreadableBenchmark:
    with pytest.raises(UnreadableBenchmark) as refused:
        _read(text)
    return refused.value


def test_vdbench_averages_count_and_not_intervals() -> None:
    (run,) = _read(samples.vdbench(samples.vdbench_run()))
    assert (run.tool, run.label, run.load.block_bytes, run.load.read_percent) == ("vdbench", "rd1", 8192, 66.9)
    # 8,000 requests of 8,192 bytes are 62.5 MiB a second, as the column prints it.
    assert (run.results.iops, run.results.bytes_per_second) == (8000.0, 62.5 * 1024 * 1024)
    assert (run.results.latency_ms, run.results.latency_max_ms, run.results.cpu_percent) == (2.5, 50.0, 6.1)
    # 240 intervals of 5 s; the averages begin with the second.
    assert (run.planned_seconds, run.measured_seconds) == (1200.0, 1195.0)


def test_vdbench_does_not_say_the_order_and_the_parameter_file_does() -> None:
    text = samples.vdbench(samples.vdbench_run(), samples.vdbench_run(name="rd2", block=262_144, read=100.0, rate=1000.0))
    plain, _ = _read(text)
    assert plain.load.access == "unknown"
    assert "parameter file" in plain.notes[0]
    mix, sequential = _read(text, samples.BP1057_PARAMETERS)
    assert (mix.load.access, mix.load.read_percent, mix.notes) == ("random", 67.0, ())
    assert (sequential.load.access, sequential.load.block_bytes) == ("sequential", 262_144)


def test_vdbench_decimal_commas() -> None:
    (with_points,) = _read(samples.vdbench(samples.vdbench_run(rate=123.4)))
    lines = samples.vdbench(samples.vdbench_run(rate=123.4)).split("\n")
    commas = [line[:13] + line[13:].replace(".", ",") if " avg_" in line or line[19:24].strip().isdigit() else line for line in lines]
    assert "123,4" in "\n".join(commas)
    (with_commas,) = _read("\n".join(commas))
    assert with_commas.results == with_points.results


def test_vdbench_stopped_run_refuses_the_whole_file() -> None:
    text = samples.vdbench(samples.vdbench_run(), samples.vdbench_run(name="rd2", finished=False))
    refused = _refused(text)
    assert text.split("\n")[refused.line - 1].endswith("Starting RD=rd2; I/O rate: Uncontrolled MAX; elapsed=1200; For loops: None")
    assert "run rd2 has no line of averages" in refused.reason
    assert "Nothing was imported" in refused.reason


def test_vdbench_cut_averages_are_refused_with_their_line() -> None:
    lines = samples.vdbench(samples.vdbench_run()).split("\n")
    number = next(place for place, line in enumerate(lines, 1) if "avg_" in line)
    lines[number - 1] = lines[number - 1][:60]
    refused = _refused("\n".join(lines))
    assert refused.line == number
    assert "the line is cut" in refused.reason


def test_vdbench_failure_names_what_the_tool_said() -> None:
    text = samples.vdbench(samples.vdbench_run()) + "10:30:00.000 java.lang.RuntimeException: Slave hd1-0 terminated\n"
    refused = _refused(text)
    assert refused.line == text.count("\n")
    assert "java.lang.RuntimeException" in refused.reason


def test_vdbench_preparation_is_no_measurement() -> None:
    prepares = samples.vdbench_run(name="SD_format", elapsed=5).replace("avg_2-1 ", "avg_2-1 ")
    runs = _read(samples.vdbench(prepares, samples.vdbench_run()))
    assert [run.label for run in runs] == ["rd1"]
    assert "only prepared" in _refused(samples.vdbench(prepares)).reason


def test_diskspd_text() -> None:
    (run,) = _read(samples.diskspd())
    assert (run.load.block_bytes, run.load.read_percent, run.load.access) == (8192, 67.0, "random")
    assert (run.load.threads, run.load.outstanding, run.planned_seconds, run.measured_seconds) == (4, 8, 60.0, 60.0)
    assert (run.results.iops, run.results.read_iops, run.results.write_iops) == (8000.0, 5360.0, 2640.0)
    assert run.results.bytes_per_second == 62.5 * 1024 * 1024
    assert (run.results.latency_ms, run.results.latency_p99_ms, run.results.latency_max_ms) == (1.5, 4.5, 50.0)
    assert (run.results.cpu_percent, run.computer) == (12.0, "WIN-A")
    assert run.started_at == datetime(2026, 11, 20, 10, tzinfo=UTC)


def test_diskspd_older_words_for_the_mix_and_megabytes() -> None:
    text = (
        samples.diskspd().replace("(read/write ratio: 67/33)", "(write/read ratio: 33/67)").replace("MiB/s", "MB/s").replace("8KiB", "8192")
    )
    (run,) = _read(text)
    assert (run.load.read_percent, run.load.block_bytes, run.results.bytes_per_second) == (67.0, 8192, 62.5 * 1024 * 1024)


def test_diskspd_several_commands_in_a_file() -> None:
    runs = _read(samples.diskspd() + samples.diskspd(requests=9000.0) + samples.diskspd(order="sequential", block="256KiB", write=0))
    assert [run.results.iops for run in runs] == [8000.0, 9000.0, 8000.0]
    assert [run.load.access for run in runs] == ["random", "random", "sequential"]
    assert runs[1].line > runs[0].line


@pytest.mark.parametrize(
    ("upto", "words"),
    [
        ("Results for timespan", "no results"),
        ("Write IO", "totals of “Write IO”"),
        ("    max |", "no line “max”"),
        ("Input parameters", "no parameters and no results"),
    ],
)
def test_diskspd_cut_text_refuses_the_whole_file(upto: str, words: str) -> None:
    assert words in _refused(samples.diskspd() + samples.diskspd(upto=upto)).reason


def test_diskspd_error_is_told_with_its_line() -> None:
    text = samples.diskspd() + "error during overlapped IO operation (error code: 59)\nError generating I/O requests\n"
    refused = _refused(text)
    assert refused.line == text.count("\n") - 1
    assert "error code: 59" in refused.reason


def test_diskspd_warnings_are_no_errors() -> None:
    assert len(_read("WARNING: Error adjusting token privileges for SeManageVolumePrivilege (error code: 1300)\n" + samples.diskspd())) == 1


def test_diskspd_xml_sums_threads() -> None:
    (run,) = _read(samples.diskspd_xml())
    # 6,000 reads of 65,536 bytes in 10 s.
    assert (run.results.iops, run.results.bytes_per_second) == (600.0, 600.0 * 65536)
    # The average of all processors, not the first one's.
    assert (run.results.cpu_percent, run.results.latency_ms, run.results.latency_p99_ms) == (7.5, 1.25, 5.5)
    assert (run.load.access, run.load.block_bytes, run.load.read_percent, run.load.threads) == ("sequential", 65536, 100.0, 2)
    assert (run.version, run.planned_seconds, run.warm_up_seconds) == ("2.0.21a", 10.0, 5.0)


@pytest.mark.parametrize(
    ("target", "access"),
    [
        ("<Random>65536</Random>", "random"),
        ("<RandomRatio>100</RandomRatio>", "random"),
        ("<RandomRatio>30</RandomRatio>", "mixed"),
        ("<StrideSize>65536</StrideSize>", "sequential"),
    ],
)
def test_diskspd_xml_order_of_access(target: str, access: str) -> None:
    assert _read(samples.diskspd_xml(target=target))[0].load.access == access


def test_diskspd_xml_several_documents_with_words_between() -> None:
    runs = _read("C:\\>diskspd -Rxml\n" + samples.diskspd_xml() + "\nsecond run\n" + samples.diskspd_xml(counts=(100,)))
    assert [run.results.iops for run in runs] == [600.0, 10.0]


def test_diskspd_xml_cut_refuses_the_whole_file() -> None:
    text = samples.diskspd_xml()
    refused = _refused(text + text[:-20])
    assert refused.line == text.count("\n") + 1
    assert "</Results>" in refused.reason


def test_xml_that_is_not_well_formed_names_its_line() -> None:
    text = samples.diskspd_xml().replace("<ThreadCount>2</ThreadCount>", "<ThreadCount>2</Threads>")
    refused = _refused("\n\n" + text)
    assert refused.line == 6
    assert "well-formed" in refused.reason


def test_xml_with_a_document_type_is_refused() -> None:
    text = samples.diskspd_xml().replace("<System>", "<!DOCTYPE a [<!ENTITY b 'c'>]><System>")
    assert "XML" in _refused(text).reason


def test_ntttcp_windows() -> None:
    (run,) = _read(samples.NTTTCP_WINDOWS)
    # 60,000 MiB in 60 s; 4,700 of 1,000,000 packets sent again are 0.47 %.
    assert run.results.bytes_per_second == 1000.0 * 1024 * 1024
    assert (run.results.retransmits, run.results.retransmit_percent, run.results.cpu_percent) == (4700.0, 0.47, 12.5)
    assert (run.role, run.load.block_bytes, run.load.threads, run.planned_seconds) == ("sender", 65536, 2, 60.0)
    assert (run.load.protocol, run.version, run.line) == ("tcp", "5.40", 1)


def test_ntttcp_windows_cut_totals_refuse_the_whole_file() -> None:
    for mark, words in (("#####  Totals", "no totals"), ("Packets Sent", "lack Retransmits, Avg. CPU %")):
        refused = _refused(samples.NTTTCP_WINDOWS + samples.NTTTCP_WINDOWS[: samples.NTTTCP_WINDOWS.index(mark)])
        assert words in refused.reason
        assert refused.line == samples.NTTTCP_WINDOWS.count("\n") + 1


def test_ntttcp_linux() -> None:
    (run,) = _read(samples.NTTTCP_LINUX)
    # 60 GB in 60 s are 8 Gb/s; a processor share is what was not idle, since `busy (all)` adds up cores.
    assert (run.results.bytes_per_second, run.results.cpu_percent) == (1e9, 4.5)
    assert (run.results.retransmits, run.results.retransmit_percent) == (12.0, None)
    assert (run.role, run.version) == ("sender", "1.4.0")


def test_ntttcp_linux_without_totals_is_refused() -> None:
    assert "no totals" in _refused(samples.NTTTCP_LINUX.partition("10:01:00")[0]).reason


def test_ntttcp_xml_units_differ_between_systems() -> None:
    def document(version: str, run_time: int) -> str:
        return (
            f'<ntttcpr computername="A" version="{version}"><parameters><run_time>{run_time}</run_time><udp>False</udp></parameters>'
            '<thread index="0"><realtime metric="s">60.0</realtime></thread><total_bytes metric="MB">6000.0</total_bytes>'
            '<realtime metric="s">60.0</realtime><packets_sent>200</packets_sent><packets_retransmitted>1</packets_retransmitted>'
            '<cpu metric="%">5.0</cpu></ntttcpr>'
        )

    (windows,) = _read(document("5.40", 60_000))
    (linux,) = _read(document("5.33-linux", 60))
    assert (windows.results.bytes_per_second, linux.results.bytes_per_second) == (100 * 1024 * 1024, 100e6)
    assert windows.planned_seconds == linux.planned_seconds == 60.0
    assert (windows.role, windows.results.retransmit_percent, windows.load.threads) == ("receiver", 0.5, 1)


def test_iometer() -> None:
    (run,) = _read(samples.IOMETER)
    assert (run.load.block_bytes, run.load.read_percent, run.load.access) == (8192, 67.0, "random")
    assert (run.load.threads, run.load.outstanding) == (4, 16)
    assert (run.results.iops, run.results.bytes_per_second, run.results.latency_ms) == (8000.0, 62.5 * 1024 * 1024, 2.5)
    assert (run.results.cpu_percent, run.version) == (7.5, "1.1.0")
    assert (run.planned_seconds, run.warm_up_seconds) == (1200.0, 30.0)


def test_iometer_saved_again_with_semicolons_and_commas() -> None:
    lines = [line.replace(",", ";").replace(".", ",") if not line.startswith("0  ") else line for line in samples.IOMETER.split("\n")]
    (run,) = _read("\n".join(lines))
    assert run.results == _read(samples.IOMETER)[0].results


def test_iometer_name_with_a_comma() -> None:
    (run,) = _read(samples.IOMETER.replace("8K mix", "8K, 67 % read"))
    assert (run.label, run.load.block_bytes, run.results.iops) == ("8K, 67 % read", 8192, 8000.0)


def test_iometer_stopped_run_refuses_the_whole_file() -> None:
    cut = samples.IOMETER[: samples.IOMETER.rindex("'Time Stamp")]
    assert _refused(samples.IOMETER + cut).line == samples.IOMETER.count("\n") + 18
    without = "\n".join(line for line in samples.IOMETER.split("\n") if not line.startswith("ALL,"))
    assert "no line ALL" in _refused(without).reason


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_any_encoding_that_a_console_writes(encoding: str) -> None:
    assert len(read_benchmark(samples.diskspd().replace("WIN-A", "WIN-Ä").encode(encoding))) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"hello\nworld\n", "no output of Vdbench"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "no text file"),
        (b"x" * (5 * 1024 * 1024), "larger than"),
    ],
)
def test_what_is_no_output_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(UnreadableBenchmark, match=words):
        read_benchmark(content)


def test_two_tools_in_one_file_are_refused() -> None:
    assert "DiskSpd and NTttcp" in _refused(samples.diskspd() + samples.NTTTCP_WINDOWS).reason


def test_the_name_of_a_run_does_not_decide_its_load() -> None:
    (run,) = _read(samples.vdbench(samples.vdbench_run(name="rd_256k_sequential_write")))
    assert (run.load.block_bytes, run.load.read_percent) == (8192, 66.9)
