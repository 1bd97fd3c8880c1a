"""Hosts as an Ansible inventory, in the JSON that a dynamic inventory prints.

https://docs.ansible.com/ansible/latest/dev_guide/developing_inventory.html
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from plumbline.core.planning.ansible import inventory_name

GOOD_SCORE = 90


def inventory_of(hosts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Groups `plumbline_…`: by group, platform, cluster and compliance. Connection variables are the site's own."""
    groups: dict[str, list[str]] = {}
    variables: dict[str, dict[str, Any]] = {}
    for host in sorted(hosts, key=lambda each: (each["name"].casefold(), each["id"])):
        # The names of playbooks. Of two hosts with one name only the first can have it: Ansible knows hosts by name alone.
        name = inventory_name(host["name"], host["id"])
        name = name if name not in variables else f"host_{host['id']}"
        variables[name] = {
            "plumbline_id": host["id"],
            "plumbline_score": host["score"],
            "plumbline_failing": host["n_fail"],
            "plumbline_unknown": host["n_unknown"],
            "plumbline_group": host["group_name"],
            "plumbline_mode": host["mode_effective"],
        }
        for group in _groups_of(host):
            groups.setdefault(group, []).append(name)
    document: dict[str, Any] = {"_meta": {"hostvars": variables}, "all": {"children": sorted(groups)}}
    return document | {name: {"hosts": members} for name, members in sorted(groups.items())}


def _groups_of(host: Mapping[str, Any]) -> Iterable[str]:
    yield f"plumbline_{host['platform']}"
    yield f"plumbline_group_{_word(host['group_name'])}"
    if host["cluster"]:
        yield f"plumbline_cluster_{_word(host['cluster'])}"
    if host["score"] is None:
        yield "plumbline_not_scored"
    else:
        yield "plumbline_compliant" if host["n_fail"] == 0 and host["score"] >= GOOD_SCORE else "plumbline_failing"
    if host["freshness"] == "silent":
        yield "plumbline_not_reporting"


def _word(text: str) -> str:
    """A name that Ansible takes for a group: letters, digits and underscores."""
    return re.sub(r"\W", "_", text, flags=re.ASCII).casefold()
