"""The templates of reports: what each is called, and which parts of the data it needs."""

from dataclasses import dataclass
from typing import Literal

TemplateName = Literal["executive", "technical", "audit", "exceptions", "remediation"]


@dataclass(frozen=True, slots=True)
class Template:
    """A template. `has_findings`: every finding that does not pass is in the data; `has_audit_log`: the audit log of the period too."""

    title: str
    has_findings: bool = False
    has_audit_log: bool = False


TEMPLATES: dict[TemplateName, Template] = {
    "executive": Template("Executive report"),
    "technical": Template("Technical report", has_findings=True),
    "audit": Template("Audit evidence", has_findings=True, has_audit_log=True),
    "exceptions": Template("Exceptions report"),
    "remediation": Template("Remediation report", has_findings=True),
}
