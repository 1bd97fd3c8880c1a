"""What kind of bundle some files are, by what they hold and never by the name of the archive; and the hosts in them."""

import re
from collections.abc import Mapping

import msgspec

from plumbline.core.facts.bundles.hosts import BundledHost, text_of
from plumbline.core.facts.bundles.net_view import is_net_view, read_net_view
from plumbline.core.facts.bundles.outputs import read_outputs
from plumbline.core.facts.bundles.parts import split_tops
from plumbline.core.facts.bundles.rvtools import read_rvtools
from plumbline.core.facts.bundles.sddc import cluster_of, collected_at, read_node, split_nodes
from plumbline.core.facts.bundles.vm_support import read_vm_support
from plumbline.core.facts.captures.check_in import read_check_in

_VCENTER = re.compile(r"Command line:.*\bvc-support\b")


class Recognised(msgspec.Struct, frozen=True):
    """The hosts of some files; files that were kept and are of no use; sentences about what they are not."""

    hosts: tuple[BundledHost, ...]
    unused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def recognise(files: Mapping[str, bytes], name: str) -> Recognised:
    """The hosts in these files, kept of one archive or folder of this name."""
    notes: list[str] = []
    hosts: list[BundledHost] = []
    unused: list[str] = []
    check_ins = {path: host for path, content in files.items() if (host := _check_in(content)) is not None}
    hosts.extend(check_ins.values())
    rest: dict[str, bytes] = {path: content for path, content in files.items() if path not in check_ins}
    for path, content in rest.items():
        if path.endswith("README") and _VCENTER.search(text_of(content[:4096])):
            notes.append(f"{name}: the vCenter server's own part of a log bundle, which holds no settings of hosts")
    bundles, rest = split_tops(rest)
    hosts.extend(read_vm_support(bundle) for bundle in bundles)
    tables, rest, problems = read_rvtools(rest)
    hosts.extend(tables)
    notes.extend(f"{path}: {why}" for path, why in problems)
    nodes, rest = split_nodes(rest)
    if nodes:
        time, cluster = collected_at(rest), cluster_of(rest)
        hosts.extend(read_node(node, mine, time, cluster) for node, mine in sorted(nodes.items()))
        unused.extend(rest)
    else:
        for place, mine in _net_views(rest).items():
            hosts.append(read_net_view(mine, place or name))
            rest = {path: content for path, content in rest.items() if path not in mine}
        found, unknown = read_outputs(rest, re.sub(r"\.\w{2,4}$", "", name.rpartition("/")[2]))
        hosts.extend(found)
        unused.extend(unknown)
    return Recognised(tuple(hosts), tuple(unused), tuple(notes))


def _net_views(files: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """Root of each collection of Get-NetView -> its files. A zip has them at its root, a folder below `msdbg.<computer>`."""
    by_root: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        match = re.match(r"^(.*?msdbg\.[^/!]+[/!])", path) or re.match(r"^(.*!)", path)
        by_root.setdefault(match.group(1) if match else "", {})[path] = content
    registry = {path: content for path, content in files.items() if path.lower().endswith("hklm.reg")}
    found = {}
    for root, mine in by_root.items():
        if is_net_view(mine):
            found[root] = mine | {path: content for path, content in registry.items() if path.startswith(root)}
    return found


def _check_in(content: bytes) -> BundledHost | None:
    if not content.startswith(b"{"):
        return None
    try:
        platform, sections, version = read_check_in(content)
    except ValueError:
        return None
    return BundledHost(platform, "check-in", "", sections, {}, agent_version=version)
