"""`plumbline evaluate PATH`: reads and evaluates a host from files, without a database.

PATH is a folder of captured command outputs, one such file, or a check-in as an agent prints it (`--show`): first line, then a line for
each section body.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from plumbline.configurations.read import label_of
from plumbline.core.facts import esxi, windows
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures import output
from plumbline.core.facts.captures.folder import LARGEST_FILE, Captured, Folder, read_files, read_folder, recognise
from plumbline.core.facts.configuration import Platform, SectionReading
from plumbline.core.rules.evaluate import evaluate_rule
from plumbline.core.rules.headlines import headline
from plumbline.evaluation.evaluate import unread_of
from plumbline.infra.errors import BadInput
from plumbline.packs.files import load_builtin


def evaluate_path(path: Path) -> list[dict[str, Any]]:
    """One object to print for each platform found, as in `agents/schema/evaluate.schema.json`. Raises `BadInput`."""
    try:
        return _evaluate(path)
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror or error}") from None


def _evaluate(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        raise BadInput(f"{path} does not exist: name a folder of captured outputs, one such file, or a check-in")
    if not path.is_dir() and not path.is_file():
        raise BadInput(f"{path} is not a file or folder")
    if path.is_file() and (path.suffix == ".checkin" or (recognise(path.name) is None and _begins(path, b"{"))):
        platform, sections, agent_version = _check_in(path)
        return [_evaluated(assemble(platform, sections, agent_version=agent_version), sections)]
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise BadInput(f"{path} is larger than an output may be ({LARGEST_FILE} bytes)")
    folder = read_folder(path) if path.is_dir() else read_files({path.name: path.read_bytes()})
    if not folder.captured:
        names = ", ".join(folder.unknown_names[:3])
        raise BadInput(
            f"no captured outputs found in {path}"
            + (f" ({names})" if names else "")
            + ": files are called <platform>__<command words joined by ->__<anything>.txt, such as esxi__esxcli-network-nic-list__esx1.txt"
        )
    name = path.name if path.is_dir() else path.stem
    return [_captured(captured, folder, name or path.resolve().name) for captured in folder.captured]


def _begins(path: Path, mark: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def _captured(captured: Captured, folder: Folder, host: str) -> dict[str, Any]:
    assembled = assemble(captured.platform, captured.sections)
    unread = [*captured.unread, *((name, "unrecognised file name") for name in folder.unknown_names)]
    return _evaluated(assembled, captured.sections, unread, host)


def _evaluated(
    assembled: Assembled, sections: Mapping[str, SectionReading], unread_files: list[tuple[str, str]] | None = None, host: str = ""
) -> dict[str, Any]:
    platform = assembled.configuration.platform
    states = dict.fromkeys((windows if platform == "windows" else esxi).SECTIONS, ("failed", "not collected"))
    states |= {name: (section.status, section.error) for name, section in sections.items()}
    unread = unread_of(platform, states)
    lines = [
        output.FindingLine(
            pack=finding.pack,
            rule=finding.rule,
            subject=output.subject_text(finding.subject),
            outcome="advice" if finding.kind == "advisory" and finding.outcome == "fail" else finding.outcome,
            kind=finding.kind,
            reason=finding.reason,
            observed=finding.observed,
            expected=finding.expected,
            headline=headline(
                rule,
                finding.subject,
                finding.outcome,
                finding.reason,
                finding.observed,
                [label_of(assembled.configuration, finding.subject)],
            ),
        )
        for pack in load_builtin()
        for rule in pack.rules
        if rule.applies_to.platform in (None, platform)
        for finding in evaluate_rule(rule, assembled.configuration, unread=unread)
    ]
    return output.build(assembled, lines, unread_files or (), host)


def _check_in(path: Path) -> tuple[Platform, dict[str, SectionReading], str]:
    """A check-in's sections; bodies are matched by their digest, as at the check-in endpoint."""
    if path.stat().st_size > LARGEST_FILE:
        raise BadInput(f"{path} is larger than a check-in may be ({LARGEST_FILE} bytes)")
    lines = path.read_bytes().split(b"\n")
    try:
        envelope = msgspec.json.decode(lines[0])
        platform = envelope["agent"]["platform"]
        named = dict(envelope["sections"])
        version = str(envelope["agent"].get("version", ""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"{path}, line 1: not the first line of a check-in ({type(error).__name__}: {error})") from None
    if platform not in ("windows", "esxi"):
        raise BadInput(f"{path}, line 1: agent.platform is {platform!r}; it must be windows or esxi")
    bodies = {hashlib.sha256(line).hexdigest(): line for line in lines[1:] if line}
    sections: dict[str, SectionReading] = {}
    for name, section in named.items():
        if not isinstance(section, dict) or section.get("status") not in ("ok", "unavailable", "failed"):
            raise BadInput(f"{path}, line 1: section {name} does not say whether it is ok, unavailable or failed")
        if section["status"] != "ok":
            sections[name] = SectionReading(section["status"], error=str(section.get("error", "")))
        elif section.get("sha256") in bodies:
            sections[name] = SectionReading("ok", bodies[section["sha256"]])
        else:
            sections[name] = SectionReading("failed", error="the file does not hold its body")
    return platform, sections, version
