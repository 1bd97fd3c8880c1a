"""Vdbench's parameter file: which load a run asked for. It alone says whether requests were random. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.core.benchmarks.run import Access, Load
from plumbline.core.benchmarks.text import lines_of, size

ORDER_UNKNOWN = "The output does not say whether requests were random or sequential. Add the parameter file to tell."

_TAG = re.compile(r"<[^<>\n]*>")
_PAIR = re.compile(r"(\w{1,40})=(\((?:[^()]|\([^()]{0,100}\)){0,300}\)|\"[^\"]{0,400}\"|[^,\s]{1,400})")
_KINDS = ("wd", "rd", "fwd")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The definitions of a parameter file by their kind and name, defaults filled in."""

    workloads: Mapping[str, Mapping[str, str]]
    runs: Mapping[str, Mapping[str, str]]

    def of(self, run: str) -> Load | None:
        """The load of the run with this name; None if the file does not define it."""
        name = re.sub(r"_\(\d{1,3}%\)$", "", run)
        settings = self.runs.get(name)
        if settings is None:
            return None
        chosen = self._chosen(settings)
        if not chosen:
            return None
        blocks = {each.get("xfersize", settings.get("xfersize", "")) for each in chosen}
        accesses = {_access(each) for each in chosen}
        threads = settings.get("threads", settings.get("forthreads", ""))
        return Load(
            block_bytes=size(blocks.pop()) if len(blocks) == 1 else None,
            read_percent=_read_percent(chosen),
            access=accesses.pop() if len(accesses) == 1 else "mixed",
            threads=int(threads) if threads.isascii() and threads.isdecimal() and len(threads) < 7 else None,
        )

    def fill(self, run: str, load: Load) -> Load:
        """The load of a run as its output tells it, with what this file says of it in the first place."""
        given = self.of(run)
        if given is None:
            return load
        return Load(
            block_bytes=given.block_bytes or load.block_bytes,
            read_percent=load.read_percent if given.read_percent is None else given.read_percent,
            access=given.access if given.access != "unknown" else load.access,
            threads=load.threads or given.threads,
        )

    def _chosen(self, settings: Mapping[str, str]) -> list[Mapping[str, str]]:
        words = settings.get("wd", settings.get("fwd", "")).strip("()").split(",")
        patterns = [re.escape(word.strip()).replace(r"\*", ".*") for word in words[:50] if word.strip()]
        return [each for name, each in self.workloads.items() if any(re.fullmatch(pattern, name) for pattern in patterns)]


def read_parameters(text: str) -> Parameters:
    """The definitions of workloads and runs. Lines of other kinds, comments and unknown settings are passed over."""
    workloads: dict[str, dict[str, str]] = {}
    runs: dict[str, dict[str, str]] = {}
    defaults: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}
    for raw in lines_of(text):
        line = _TAG.sub("", raw).strip()
        found = re.match(r"(?:\d\d:\d\d:\d\d[.,]\d{3}\s+)?(wd|fwd|rd)=", line)
        if not found:
            continue
        kind = found[1]
        settings = {name.casefold(): value.strip('"') for name, value in _PAIR.findall(line)}
        name = settings.pop(kind)
        target = runs if kind == "rd" else workloads
        if name == "default":
            defaults[kind] = settings
        elif len(target) < 2000:
            target[name] = {**defaults[kind], **settings}
    return Parameters(workloads, runs)


def _read_percent(chosen: list[Mapping[str, str]]) -> float | None:
    """The share of reads over all workloads, by their skew; equal shares where none is given."""
    shares, reads = [], []
    for each in chosen:
        read = each.get("rdpct", "0" if each.get("operation") == "write" else "100")
        skew = each.get("skew", "")
        if not _is_plain(read) or (skew and not _is_plain(skew)):
            return None
        reads.append(float(read))
        shares.append(float(skew) if skew else None)
    given = [share for share in shares if share is not None]
    rest = len(shares) - len(given)
    missing = max(0.0, 100 - sum(given)) / rest if rest else 0.0
    weights = [missing if share is None else share for share in shares]
    total = sum(weights)
    return round(sum(read * weight for read, weight in zip(reads, weights, strict=True)) / total, 3) if total > 0 else None


def _is_plain(word: str) -> bool:
    return re.fullmatch(r"\d{1,3}(?:\.\d{1,6})?", word) is not None


def _access(workload: Mapping[str, str]) -> Access:
    word = workload.get("seekpct", workload.get("fileio", "random" if "operation" not in workload else "sequential")).casefold()
    if word.startswith(("(", "random")) or word in ("rand", "100"):
        return "random"
    if word.startswith("seq") or word in ("eof", "0", "-1"):
        return "sequential"
    return "mixed"
