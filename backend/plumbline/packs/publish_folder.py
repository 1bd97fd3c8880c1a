"""`plumbline ruleset publish`: a checked folder of packs becomes published versions.

What they would change is previewed, and they are activated, in the browser; the command line puts nothing in force.
"""

from pathlib import Path

from sqlmodel import Session

from plumbline import audit
from plumbline.packs.drafts import record_published, refuse_builtin, refuse_taken
from plumbline.packs.files.check import Checked, check_folder
from plumbline.packs.publish import publish


def check_to_publish(folder: Path) -> Checked:
    """The packs of a folder and what is wrong with them. Raises `RulesetInvalid` where there are none, `Conflict` for a built-in name."""
    checked = check_folder(folder)
    for loaded in checked.packs:
        refuse_builtin(loaded.pack.id)
    return checked


def publish_checked(session: Session, checked: Checked, *, note: str = "") -> list[str]:
    """Publishes the checked packs, in the name of the account that runs the program. Returns a line for each pack.

    Raises `Conflict` for a version that is published with other content.

    All packs of the folder or none: one transaction.
    """
    lines = []
    account = audit.account()
    for loaded in checked.packs:
        pack = loaded.pack
        refuse_taken(session, pack.id, [rule.id for rule in pack.rules])
        version = publish(session, loaded, published_from=account, note=note)
        if version is None:
            lines.append(f"{pack.id} {pack.version}: This content is already published.")
            continue
        record_published(session, actor=f"account:{account}", version=version, rules=len(pack.rules))
        rules = "1 rule" if len(pack.rules) == 1 else f"{len(pack.rules)} rules"
        lines.append(f"{pack.id} {version.version}: published, {rules}, hash {version.content_hash[:12]}")
    return lines
