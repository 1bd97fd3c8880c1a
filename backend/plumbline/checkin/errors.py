"""How the check-in endpoint refuses: one exception, which becomes a response in one place."""


class Refused(Exception):
    """The check-in is refused. `status` and `body()` are the response; `retry_after_seconds` is set where waiting helps."""

    def __init__(self, status: int, error: str, *, place: str = "", retry_after_seconds: int | None = None, **more: object) -> None:
        super().__init__(f"{status} {error}")
        self.status = status
        self.error = error
        self.place = place
        self.retry_after_seconds = retry_after_seconds
        self.more = more

    def body(self) -> dict[str, object]:
        """The JSON of the response."""
        body: dict[str, object] = {"error": self.error}
        if self.place:
            body["place"] = self.place
        return body | self.more


def unreadable(error: str, place: str) -> Refused:
    """422: the check-in cannot be read; `place` says where."""
    return Refused(422, error, place=place)


def too_large(error: str, place: str) -> Refused:
    """413: past a limit of size."""
    return Refused(413, error, place=place)
