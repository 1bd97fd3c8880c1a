"""The adapters of a host that carry storage."""

from plumbline.core.facts.configuration import Configuration, Subject

# Roles of adapters that carry storage. As text, this is the list of an IN of SQL.
STORAGE_ROLES = ("san_iscsi", "s2d_storage")


def storage_adapters(configuration: Configuration) -> list[Subject]:
    """The adapters that carry storage, in the order of the configuration."""
    return [each for each in configuration.subjects("adapter") if configuration.value(each, "role") in STORAGE_ROLES]
