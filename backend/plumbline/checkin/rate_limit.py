"""The token bucket of the check-in endpoint, and random waits, so that refused agents do not come back at the same time."""

import random
import time


class TokenBucket:
    """Lets `per_second` through on average and `burst` at once."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second = per_second
        self.burst = float(burst)
        self._level = float(burst)
        self._filled_at = time.monotonic()

    def take(self) -> bool:
        """True where one more may pass now."""
        now = time.monotonic()
        self._level = min(self.burst, self._level + (now - self._filled_at) * self.per_second)
        self._filled_at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


def spread_seconds(base: int = 15) -> int:
    """A `Retry-After` between `base` and three times that, a different one each time."""
    return random.randint(base, 3 * base)  # noqa: S311 (spreads load; nothing secret hangs on it)
