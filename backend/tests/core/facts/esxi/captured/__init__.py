"""What each captured ESXi output shows, worked out by a person from its text: facts by the middle part of the file's name and the setting's
address. Values only: what is not listed here must not be read from the file."""

Facts = dict[str, object]


def nic(
    id: str,
    name: str,
    pci: str,
    driver: str,
    speed: int,
    mtu: int,
    text: str,
    *,
    up: bool = True,
    admin: bool | None = True,
    family: str = "other",
) -> Facts:
    """The facts of one row of a list of adapters; speed in megabits per second. `admin`: None where the list does not show it."""
    facts: Facts = {
        "name": name,
        "description": text,
        "pci": pci,
        "is_virtual": False,
        "driver": driver,
        "link_up": up,
        "link_speed_bps": speed * 1_000_000,
        "mtu_operational": mtu,
        "mtu": mtu,
    }
    if ":" not in id:
        facts["mac"] = ":".join(id[at : at + 2] for at in range(0, 12, 2))
    if admin is not None:
        facts["admin_up"] = admin
    if family:
        facts["family"] = family
    return {f"adapter/{id}/{key}": value for key, value in facts.items()}
