"""PURE: small texts that several parts write."""


def person_name(audit_name: str) -> str:
    """The login in a name of the audit trail: `ana` of `person:3 ana`."""
    return audit_name.partition(" ")[2] or audit_name
