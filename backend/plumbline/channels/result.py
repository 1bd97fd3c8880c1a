"""What a command on a host answered."""

from dataclasses import dataclass

from plumbline.channels.errors import CommandFailed, OutcomeUnknown


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Exit code and both streams, whole. An exit code alone proves nothing: see `text`."""

    exit: int
    stdout: bytes
    stderr: bytes
    seconds: float

    def text(self, *, what: str) -> str:
        """Standard output of a command that must have printed something.

        Raises CommandFailed where the exit code says so, OutcomeUnknown where the command claims success and printed nothing: some
        hosts answer an over-long command that way.
        """
        if self.exit != 0:
            said = (self.stderr or self.stdout).decode("utf-8", "replace").strip()[-300:]
            raise CommandFailed(f"{what} ended with exit code {self.exit}: {said or 'no message'}")
        if not self.stdout.strip():
            raise OutcomeUnknown(f"{what} claims success and printed nothing")
        return self.stdout.decode("utf-8", "replace")
