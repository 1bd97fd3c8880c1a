"""Small texts that many parts write."""


def counted(number: int, one: str) -> str:
    """`1 host`, `2 hosts`."""
    return f"{number} {one}{'' if number == 1 else 's'}"
