"""A site's own pack, as its author would write it: files by name, with as many rules as a test needs."""

import io
import zipfile
from collections.abc import Mapping

# The Windows sample's storage adapters have flow control in both directions, as the papers require; this array's vendor requires it off.
FLOW_CONTROL_OFF = """\
id: site.flow_control.off
kind: recommended
title: %s
summary: The array of this site is run with flow control off.
why: The vendor's guide for this array says so.
status: {state: active}
applies_to:
  platform: windows
  adapter: {role: {is: san_iscsi, else: "not a storage adapter"}}
expect: {setting: adapter.flow_control, equals: "%s"}
impact: adapter_restart
fix: {set: [{setting: adapter.flow_control, to: "%s"}]}
"""
RSS = """\
id: site.rss.on
kind: recommended
title: Receive side scaling on
summary: One core is not enough for a storage adapter.
why: Found out the hard way.
status: {state: active}
applies_to: {platform: windows}
expect: {setting: host.tcp.rss, equals: %s}
impact: none
fix: {set: [{setting: host.tcp.rss, to: %s}]}
"""


def files(
    *,
    version: str = "1.0.0",
    pack: str = "site-array",
    flow_control: str = "off",
    rss: str | None = None,
    title: str = "Our array",
    called: str = "Flow control off on storage adapters",
) -> dict[str, str]:
    """A pack that passes its own cases; `called` is the title of its rule about flow control."""
    other = "rx_tx" if flow_control == "off" else "off"
    made = {
        "pack.yaml": f"pack: {pack}\nversion: {version}\ntitle: {title}\nsummary: What our array asks for.\n",
        "rules/site.flow_control.off.yaml": FLOW_CONTROL_OFF % (called, flow_control, flow_control),
        "cases/site.flow_control.off.right.pass.yaml": _adapter(flow_control),
        "cases/site.flow_control.off.wrong.fail.yaml": _adapter(other),
        "cases/site.flow_control.off.lan.not_applicable.yaml": "platform: windows\nsettings:\n  adapter/a1: {role: management}\n",
        "cases/site.flow_control.off.unread.unknown.yaml": (
            "platform: windows\nsettings:\n  adapter/a1: {role: san_iscsi, flow_control: {unknown: access denied}}\n"
        ),
    }
    if rss is not None:
        wrong = "disabled" if rss == "enabled" else "enabled"
        made |= {
            "rules/site.rss.on.yaml": RSS % (rss, rss),
            "cases/site.rss.on.right.pass.yaml": _host(rss),
            "cases/site.rss.on.wrong.fail.yaml": _host(wrong),
            "cases/site.rss.on.esxi.not_applicable.yaml": "platform: esxi\nsettings:\n  host: {os_release: '8.0'}\n",
            "cases/site.rss.on.unread.unknown.yaml": "platform: windows\nsettings:\n  host: {tcp.rss: {unknown: access denied}}\n",
        }
    return made


def _adapter(flow_control: str) -> str:
    return f'platform: windows\nsettings:\n  adapter/a1: {{role: san_iscsi, flow_control: "{flow_control}"}}\n'


def _host(rss: str) -> str:
    return f"platform: windows\nsettings:\n  host: {{tcp.rss: {rss}}}\n"


def archive(made: Mapping[str, str | bytes], folder: str = "") -> bytes:
    """The files as a zip archive, below a folder or not."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in made.items():
            opened.writestr(f"{folder}{name}", text)
    return content.getvalue()


def as_bytes(made: Mapping[str, str]) -> dict[str, bytes]:
    """The files as `check_files` takes them."""
    return {name: text.encode() for name, text in made.items()}
