"""The configuration that `docs/operating/larger-installation.md` prints, as the run uses it: what is tried is what the page says."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from plumbline.infra.resources import CHECKOUT

PAGE = CHECKOUT / "docs" / "operating" / "larger-installation.md"
_BLOCK = re.compile(r"```[a-z]*\n(?:#|--) (?P<name>[^\n]+)\n(?P<text>.*?)```", re.DOTALL)
_SECRETS = re.compile(r"\b(OWNER|API|EXECUTOR|BACKGROUND|POSTGRES|REPLICATION|REWIND|BROKER)_PASSWORD\b")


@dataclass
class Documented:
    """The blocks of the page by the name in their first line, with the words in capitals replaced by the passwords of this run."""

    passwords: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.blocks = {match["name"]: match["text"] for match in _BLOCK.finditer(PAGE.read_text())}

    def password(self, name: str) -> str:
        """The password that the page calls `name`."""
        return self.passwords.setdefault(name, secrets.token_hex(12))

    def text(self, name: str, replace: Mapping[str, str] | None = None) -> str:
        """One block. `replace`: paths and names of this run in place of the page's; each has to be there. Raises KeyError, ValueError."""
        found = self.blocks[name]
        for old, new in (replace or {}).items():
            if old not in found:
                raise ValueError(f"{PAGE.name}: {name} does not say {old!r} any more")
            found = found.replace(old, new)
        # PLUMBLINE_API_PASSWORD is the name of a variable, API_PASSWORD its value.
        return _SECRETS.sub(lambda match: self.password(match[0]), found)

    def environment(self, name: str, replace: Mapping[str, str] | None = None) -> dict[str, str]:
        """The variables of a block."""
        lines = [line.partition("=") for line in self.text(name, replace).splitlines() if line and not line.startswith("#")]
        return {variable: value for variable, _, value in lines}
