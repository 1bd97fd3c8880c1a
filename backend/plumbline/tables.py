"""Imports every table, so that migrations and tests see all of them. Nothing else belongs here."""

from sqlmodel import SQLModel

from plumbline.audit import models as audit
from plumbline.auth import models as auth
from plumbline.checkin import models as checkin
from plumbline.collection import models as collection
from plumbline.findings import models as findings
from plumbline.hosts import baseline_models as baselines
from plumbline.hosts import models as hosts
from plumbline.notify import models as notify
from plumbline.oncall import models as oncall
from plumbline.packs import models as packs
from plumbline.performance import models as performance
from plumbline.remediation import models as remediation
from plumbline.reports import models as reports
from plumbline.rulesets import models as rulesets
from plumbline.vault import models as vault

METADATA = SQLModel.metadata

__all__ = [
    "METADATA",
    "audit",
    "auth",
    "baselines",
    "checkin",
    "collection",
    "findings",
    "hosts",
    "notify",
    "oncall",
    "packs",
    "performance",
    "remediation",
    "reports",
    "rulesets",
    "vault",
]
