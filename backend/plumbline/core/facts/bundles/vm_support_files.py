"""The files of one vm-support bundle as its readers ask for them: a command's answer, the logs of the collector, the host's API tree."""

import json
from typing import Any

from plumbline.core.facts.bundles.esx_conf import read_conf
from plumbline.core.facts.bundles.esxcfg_info import Info, read_info
from plumbline.core.facts.bundles.hosts import EsxiReads, text_of
from plumbline.core.facts.bundles.parts import File, VmSupport
from plumbline.core.facts.bundles.vimdump import read_dump
from plumbline.core.facts.captures.decoding import decode
from plumbline.core.facts.esxi.sources import COMMANDS

NOT_RUN = "no command of vm-support prints it: install the agent, or run the command on the host"
DUMP = "vmware-vimdump_-o----U-dcui"


class BundleFiles:
    """The files of one bundle, and the reads that its readers make of them.

    `conf`, `dump` and `info` are esx.conf, the API tree and esxcfg-info as they are read; each is empty where its file is not there.
    """

    def __init__(self, bundle: VmSupport) -> None:
        self.bundle = bundle
        self.reads = EsxiReads(COMMANDS)
        self.notes = list(bundle.notes)
        self.action = self.log("action.log")
        self.error = self.log("error.log")
        self.conf_file = bundle.others.get("etc/vmware/esx.conf")
        self.conf = read_conf(text_of(self.conf_file.content)) if self.conf_file else {}
        self.dump_file = bundle.commands.get(DUMP)
        self.dump = read_dump(decode(self.dump_file.content).split("\n")) if self.dump_file else {}
        self.info_file = bundle.commands.get("esxcfg-info_-a--F-xml")
        self.info = read_info(self.info_file.content) if self.info_file and not self.info_file.is_cut else Info()

    def log(self, name: str) -> str:
        """A log of the collector with every run of spaces as one; empty where it is not there."""
        file = self.bundle.others.get(name)
        return " ".join(text_of(file.content).split()) if file else ""

    def errors(self, name: str) -> list[str]:
        """The lines of the collector's errors that name a command."""
        file = self.bundle.others.get("error.log")
        return [] if file is None else [line.strip() for line in text_of(file.content).split("\n") if name in " ".join(line.split())]

    def file(self, stem: str) -> File | None:
        """The file of a command, by its name without ending."""
        return self.bundle.commands.get(stem)

    def text(self, stem: str) -> str:
        """What a command printed; empty where its file is not there."""
        file = self.file(stem)
        return text_of(file.content) if file else ""

    def path(self, file: File) -> str:
        """The member's path below the bundle's top folder."""
        return file.path.removeprefix(self.bundle.top + "/") if self.bundle.top else file.path

    def answer(self, stem: str) -> tuple[str, str, bool] | None:
        """What the file of a command says: text, member, and whether only a part of it; JSON before text."""
        file = self.bundle.json.get(stem)
        if file is not None and not file.is_cut:
            document = _document(text_of(file.content))
            if document is not None:
                return document, self.path(file), False
        file = self.file(stem)
        return (text_of(file.content), self.path(file), file.is_cut) if file is not None else None

    def why_missing(self, stem: str, command: str = "") -> str:
        """The sentence for a file that is not there."""
        words = command or stem.replace("_", " ").replace("-", " ")
        for line in self.errors(words.removeprefix("esxcli ")):
            return f"the collector could not run it: {line[:160]}"
        return f"not in the bundle: commands/{stem}.txt was looked for"

    def printed_nothing(self, command: str) -> bool:
        """Whether the collector ran a command that printed nothing: such a command leaves no file."""
        words = command.removeprefix("esxcli ")
        return f"localcli {words}" in self.action and words not in self.error


def _document(text: str) -> str | None:
    """A JSON document, of which stray lines may precede the beginning."""
    lines = text.split("\n")
    for at in range(min(len(lines), 100)):
        if lines[at].lstrip()[:1] in ("[", "{"):
            rest = "\n".join(lines[at:])
            try:
                document: Any = json.loads(rest)
            except (ValueError, RecursionError):
                continue
            return rest if isinstance(document, list | dict) else None
    return None
