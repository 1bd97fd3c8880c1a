"""The rows of `switch_port`: a host's storage adapters with the switch ports that they are cabled to, from its configuration."""

# Statements are put together from the constants of the program alone.
# ruff: noqa: S608

from typing import NamedTuple

from plumbline.checkin.interpret import Interpretation, Moment
from plumbline.core.facts.configuration import Configuration, Subject, label_of
from plumbline.core.facts.document import Document
from plumbline.core.facts.storage_adapters import STORAGE_ROLES
from plumbline.core.facts.switch_port import number_of, switch_port_of, text_of
from plumbline.infra.columns import BoolOrNull, ColumnTable, Int, IntOrNull, Text, Time


class SwitchPortRow(NamedTuple):
    """A row of `switch_port`. One with an empty adapter is not stored: it names a host all the same, whose other rows then go."""

    host_id: Text
    adapter: Text
    name: Text
    role: Text
    link_up: BoolOrNull
    mtu: IntOrNull
    frame_probe: Text
    paths_dead: Int
    paths_total: Int
    switch_id: Text
    switch: Text
    port: Text
    platform: Text
    address: Text
    switch_mtu: IntOrNull
    native_vlan: IntOrNull
    protocol: Text
    at: Time


SWITCH_PORTS = ColumnTable(SwitchPortRow)
_STATE = ("name", "role", "link_up", "mtu", "frame_probe", "paths_dead", "paths_total")
_HEARD = ("switch_id", "switch", "port", "platform", "address", "switch_mtu", "native_vlan", "protocol")
_COLUMNS = ("host_id", "adapter", *_STATE, *_HEARD)
# The rows replace those that their hosts had. A switch that is heard no more stays the one last heard; `lost_at` is the time of the first
# configuration without it.
STORE_SWITCH_PORTS = f"""
WITH v AS MATERIALIZED (
  SELECT {SWITCH_PORTS.values} FROM {SWITCH_PORTS.rows}
), gone AS (
  DELETE FROM switch_port p WHERE p.host_id IN (SELECT host_id FROM v)
    AND NOT EXISTS (SELECT FROM v WHERE v.host_id = p.host_id AND v.adapter = p.adapter)
)
INSERT INTO switch_port AS old ({", ".join(_COLUMNS)}, lost_at)
SELECT {", ".join(_COLUMNS)}, CASE WHEN switch_id = '' THEN at END FROM v WHERE adapter <> ''
ON CONFLICT (host_id, adapter) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _STATE)},
  {", ".join(f"{name} = CASE WHEN excluded.switch_id <> '' THEN excluded.{name} ELSE old.{name} END" for name in _HEARD)},
  lost_at = CASE WHEN excluded.switch_id = '' THEN coalesce(old.lost_at, excluded.lost_at) END
"""


def switch_port_rows(moment: Moment, found: Interpretation) -> list[SwitchPortRow]:
    """The rows of a host whose adapters, paths or switches differ from before; none where they are the same."""
    now = _rows(moment, found.document)
    if found.before is None:
        return now
    before = _rows(moment, found.before)
    if before == now:
        return []
    return now or [_nothing(moment)]


def _rows(moment: Moment, document: Document) -> list[SwitchPortRow]:
    configuration = document.configuration
    shown = [each for each in configuration.subjects("adapter") if _is_shown(configuration, each)]
    return [_row(moment, document, each) for each in sorted(shown)]


def _is_shown(configuration: Configuration, adapter: Subject) -> bool:
    return configuration.value(adapter, "role") in STORAGE_ROLES or switch_port_of(configuration, adapter).switch_id != ""


def _row(moment: Moment, document: Document, adapter: Subject) -> SwitchPortRow:
    configuration = document.configuration
    link_up = configuration.value(adapter, "link_up")
    paths = [path for path in document.path_map.paths if path.adapter == adapter.id]
    heard = switch_port_of(configuration, adapter)
    return SwitchPortRow(
        moment.host_id,
        adapter.id,
        label_of(configuration, adapter),
        text_of(configuration, adapter, "role"),
        link_up if isinstance(link_up, bool) else None,
        number_of(configuration, adapter, "mtu"),
        text_of(configuration, adapter, "frame_probe"),
        sum(path.state == "dead" for path in paths),
        len(paths),
        heard.switch_id,
        heard.switch,
        heard.port,
        heard.platform,
        heard.address,
        heard.mtu,
        heard.native_vlan,
        heard.protocol,
        moment.at,
    )


def _nothing(moment: Moment) -> SwitchPortRow:
    none: tuple[None, None] = (None, None)
    return SwitchPortRow(moment.host_id, "", "", "", *none, "", 0, 0, "", "", "", "", "", *none, "", moment.at)
