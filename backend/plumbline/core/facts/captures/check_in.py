"""A check-in as an agent prints it with `--show`: the first line names the sections, each further line is the body of one."""

import hashlib

import msgspec

from plumbline.core.facts.configuration import Platform, SectionReading

Sections = dict[str, SectionReading]


def read_check_in(content: bytes) -> tuple[Platform, Sections, str]:
    """Platform, sections and the agent's version; bodies are matched by their digest, as at the check-in endpoint. Raises ValueError with
    what is wrong with the first line."""
    lines = content.split(b"\n")
    try:
        envelope = msgspec.json.decode(lines[0])
        platform = envelope["agent"]["platform"]
        named = dict(envelope["sections"])
        version = str(envelope["agent"].get("version", ""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not the first line of a check-in ({type(error).__name__}: {error})") from None
    if platform not in ("windows", "esxi"):
        raise ValueError(f"agent.platform is {platform!r}; it must be windows or esxi")
    bodies = {hashlib.sha256(line).hexdigest(): line for line in lines[1:] if line}
    sections: Sections = {}
    for name, section in named.items():
        if not isinstance(section, dict) or section.get("status") not in ("ok", "unavailable", "failed"):
            raise ValueError(f"section {name} does not say whether it is ok, unavailable or failed")
        if section["status"] != "ok":
            sections[name] = SectionReading(section["status"], error=str(section.get("error", "")))
        elif section.get("sha256") in bodies:
            sections[name] = SectionReading("ok", bodies[section["sha256"]])
        else:
            sections[name] = SectionReading("failed", error="the file does not hold its body")
    return platform, sections, version
