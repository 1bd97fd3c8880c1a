"""NTttcp's XML, of Windows and of Linux, which use the same names for other units. Pure."""

from plumbline.core.benchmarks.run import MIB, BenchmarkRun, Load, Results, UnreadableBenchmark
from plumbline.core.benchmarks.text import number, whole
from plumbline.core.benchmarks.xml_tree import Element, documents

# The receiver's document has another name for its outermost element.
_NAMES = ("ntttcps", "ntttcpr")


def read_ntttcp_xml(text: str) -> list[BenchmarkRun]:
    """A run for each document. Raises `UnreadableBenchmark` for one that is not whole."""
    return [_run(document) for document in documents(text, _NAMES)]


def _run(document: Element) -> BenchmarkRun:
    version = document.attributes.get("version", "")
    is_linux = "linux" in version.casefold()
    seconds, megabytes = _value(document, "realtime"), _value(document, "total_bytes")
    if not seconds or megabytes is None:
        raise UnreadableBenchmark(document.line, "the XML has no total of bytes or no time: the run was stopped before it measured")
    sent, again = _value(document, "packets_sent"), _value(document, "packets_retransmitted")
    idle, cpu = _value(document, "idle"), _value(document, "cpu")
    asked = document.find("parameters")
    return BenchmarkRun(
        tool="ntttcp",
        line=document.line,
        version=version,
        role="sender" if document.name == "ntttcps" else "receiver",
        load=Load(
            block_bytes=whole(_value(document, "bufferLen")) or None,
            threads=len(document.all("thread")) or None,
            protocol="udp" if asked is not None and asked.value("udp") == "True" else "tcp",
        ),
        results=Results(
            # Windows counts 1,048,576 bytes as a megabyte, Linux 1,000,000.
            bytes_per_second=megabytes * (1e6 if is_linux else MIB) / seconds,
            cpu_percent=cpu if cpu is not None else None if idle is None else round(100 - idle, 6),
            retransmits=again,
            retransmit_percent=100 * again / sent if sent and again is not None else None,
            errors=_value(document, "errors"),
        ),
        computer=document.attributes.get("computername", ""),
        planned_seconds=_seconds(asked, "run_time", is_linux),
        warm_up_seconds=_seconds(asked, "warmup_time", is_linux),
        measured_seconds=seconds,
    )


def _value(element: Element | None, name: str) -> float | None:
    found = element.find(name) if element is not None else None
    return None if found is None else number(found.text, found.line)


def _seconds(asked: Element | None, name: str, is_linux: bool) -> float | None:
    """Windows writes milliseconds, Linux seconds."""
    value = _value(asked, name)
    return None if value is None else value if is_linux else value / 1000
