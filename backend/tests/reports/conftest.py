"""The same served application and fleet as the API's tests, and what a report made now is."""

import csv
import io
import zipfile
from datetime import UTC, date, datetime
from typing import Any

from plumbline.reports.frozen.freeze import freeze
from plumbline.reports.period import Period, period_of
from plumbline.reports.templates import TemplateName
from tests.api.conftest import address, api_database, app, ask, world

__all__ = ["address", "api_database", "app", "ask", "world"]


def last_90_days() -> Period:
    """The default period of a report."""
    return period_of("last_90_days", today=datetime.now(UTC).date(), zone="UTC")


def until(day: date) -> Period:
    """Thirty days up to one in the past."""
    return Period(date.fromordinal(day.toordinal() - 29), day, "UTC")


def frozen_now(template: TemplateName = "executive", **more: Any) -> dict[str, Any]:
    """The frozen data of a report about everything, over the last 90 days."""
    said = {"report_id": 9, "group_id": 1, "period": last_90_days(), "requested_by": "Ana", "site_name": "Here", **more}
    return freeze(template=template, **said)


def csv_rows(archive: bytes) -> dict[str, list[dict[str, str]]]:
    """The rows of each CSV file of a report, by the file's name without its ending."""
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        texts = {name.removesuffix(".csv"): file.read(name).decode("utf-8-sig") for name in file.namelist()}
    return {name: list(csv.DictReader(io.StringIO(text))) for name, text in texts.items()}
