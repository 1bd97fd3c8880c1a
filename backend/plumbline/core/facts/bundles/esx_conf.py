"""`/etc/vmware/esx.conf` of ESXi up to 6.7: one `/path = "value"` a line; of equal paths the first counts. It holds what is configured."""

import re

_LINE = re.compile(r'^(/(?:net|adv|system|vmkernel/module)/\S*|/vmkernel/module/\S+)\s*=\s*"(.*)"\s*$')
_NUMBER = re.compile(r"\[(\d+)\]")


def read_conf(text: str) -> dict[str, str]:
    """Path -> value, of the parts that tell about networks, modules and the host."""
    found: dict[str, str] = {}
    for line in text.split("\n"):
        match = _LINE.match(line.rstrip("\r"))
        if match:
            found.setdefault(match.group(1), match.group(2))
    return found


def module_options(conf: dict[str, str]) -> dict[str, str]:
    """Driver -> its options as they are set."""
    found = {}
    for path, value in conf.items():
        match = re.match(r"^/vmkernel/module/([\w-]+?)(?:\.o)?/options$", path)
        if match:
            found[match.group(1)] = value
    return found


def teaming(conf: dict[str, str]) -> dict[str, tuple[list[str], list[str], list[str]]]:
    """Port group -> its active, standby and unused uplinks, where they are configured: the first `maxActive` of the order are active."""
    found: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for switch in sorted({path.split("/")[3] for path in conf if path.startswith("/net/vswitch/child[")}):
        base = f"/net/vswitch/{switch}/"
        uplinks = _listed(conf, base + "uplinks/child[", "/pnic")
        order = _order(conf, base + "teamPolicy/") or (uplinks, [])
        groups = sorted({path[len(base) :].split("/")[1] for path in conf if path.startswith(base + "portgroup/child[")})
        for group in groups:
            name = conf.get(f"{base}portgroup/{group}/name")
            if name:
                active, standby = _order(conf, f"{base}portgroup/{group}/teamPolicy/") or order
                found[name] = (active, standby, [one for one in uplinks if one not in active and one not in standby])
    return found


def _order(conf: dict[str, str], base: str) -> tuple[list[str], list[str]] | None:
    if conf.get(base + "hasUplinkOrder") != "true":
        return None
    order = _listed(conf, base + "uplinks[", "/pnic")
    most = conf.get(base + "maxActive", "")
    if not order or not most.isdigit():
        return None
    return order[: int(most)], order[int(most) :]


def _listed(conf: dict[str, str], begin: str, end: str) -> list[str]:
    numbered = {int(_NUMBER.findall(path)[-1]): value for path, value in conf.items() if path.startswith(begin) and path.endswith(end)}
    return [numbered[number] for number in sorted(numbered)]
