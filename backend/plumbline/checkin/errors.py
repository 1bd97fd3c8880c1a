"""How the door refuses: one exception, made into an answer at one place."""


class Refused(Exception):
    """The check-in is not taken. `status` and `body` are the answer; `retry_after_seconds` stands where waiting helps."""

    def __init__(self, status: int, error: str, *, place: str = "", retry_after_seconds: int | None = None, **more: object) -> None:
        super().__init__(f"{status} {error}")
        self.status = status
        self.error = error
        self.place = place
        self.retry_after_seconds = retry_after_seconds
        self.more = more

    def body(self) -> dict[str, object]:
        """The answer's JSON."""
        said: dict[str, object] = {"error": self.error}
        if self.place:
            said["place"] = self.place
        return said | self.more


def unreadable(error: str, place: str) -> Refused:
    """422: the check-in cannot be read; `place` says where."""
    return Refused(422, error, place=place)


def too_large(error: str, place: str) -> Refused:
    """413: past a limit of size."""
    return Refused(413, error, place=place)
