"""`plumbline evaluate PATH`: reads and evaluates a host from files, without a database.

PATH is a folder of captured command outputs, one such file, or a check-in as an agent prints it (`--show`): first line, then a line for
each section body.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plumbline.bundles.findings import findings_of, headline_of
from plumbline.core.facts.assemble import Assembled, assemble
from plumbline.core.facts.captures import output
from plumbline.core.facts.captures.check_in import read_check_in
from plumbline.core.facts.captures.folder import LARGEST_FILE, Captured, Folder, read_files, read_folder, recognise
from plumbline.core.facts.configuration import Platform, SectionReading
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
            headline=headline_of(assembled, rule, finding),
        )
        for rule, finding in findings_of(assembled, sections, load_builtin())
    ]
    return output.build(assembled, lines, unread_files or (), host)


def _check_in(path: Path) -> tuple[Platform, dict[str, SectionReading], str]:
    if path.stat().st_size > LARGEST_FILE:
        raise BadInput(f"{path} is larger than a check-in may be ({LARGEST_FILE} bytes)")
    try:
        return read_check_in(path.read_bytes())
    except ValueError as error:
        raise BadInput(f"{path}, line 1: {error}") from None
