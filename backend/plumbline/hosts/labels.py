"""What systems, adapter families and initiator modes are called."""


def os_label(platform: str, os_name: str, os_release: str) -> str:
    """What a system is called."""
    if not os_name:
        return "Unknown OS"
    # The product name of Windows contains the release already ("2012 R2" for 2012r2).
    return os_name if platform == "windows" or os_release in os_name else f"{os_name} {os_release}"


FAMILY_LABELS = {"bcm57810": "BCM57810", "x520": "X520", "t520": "T520", "qle3142": "QLE3142", "other": "other"}


MODE_LABELS = {"software": "software initiator", "ndis": "NDIS", "isoe": "iSOE", "hardware": "hardware initiator"}
