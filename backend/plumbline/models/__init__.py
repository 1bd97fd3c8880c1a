"""Imports every table, so that migrations and tests see all of them. Nothing else belongs here."""

from sqlmodel import SQLModel

from plumbline.models import audit, auth, baselines, collection, findings, hosts, notify, oncall, remediation, reports, vault
from plumbline.models import check_ins as checkin
from plumbline.models import counters as performance
from plumbline.models import packs as rulesets
from plumbline.models import previews as packs

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
