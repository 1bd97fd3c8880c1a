"""PURE: small texts that several parts write."""


def counted(number: int, one: str) -> str:
    """`1 host`, `2 hosts`."""
    return f"{number} {one}{'' if number == 1 else 's'}"


def person_name(audit_name: str) -> str:
    """The login in a name of the audit trail: `ana` of `person:3 ana`."""
    return audit_name.partition(" ")[2] or audit_name
