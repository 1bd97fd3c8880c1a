"""The result of a command on a host."""

from dataclasses import dataclass

from plumbline.channels.errors import CommandFailed, OutcomeUnknown


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Exit code and both streams, complete. An exit code alone proves nothing: see `text`."""

    exit: int
    stdout: bytes
    stderr: bytes
    seconds: float

    def text(self, *, what: str) -> str:
        """Standard output of a command that must have printed something.

        Raises CommandFailed for an exit code other than 0, and OutcomeUnknown for exit code 0 without output, which is how some hosts
        answer a command that is too long.
        """
        if self.exit != 0:
            message = (self.stderr or self.stdout).decode("utf-8", "replace").strip()[-300:]
            raise CommandFailed(f"{what} ended with exit code {self.exit}: {message or 'no message'}")
        if not self.stdout.strip():
            raise OutcomeUnknown(f"{what} claims success and printed nothing")
        return self.stdout.decode("utf-8", "replace")


def ignore_output(_: bytes) -> None:
    """For commands whose output is read when they have ended."""
