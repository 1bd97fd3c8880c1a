"""Activates what a new installation leaves out: packs that a newer edition supersedes."""

from sqlmodel import Session, select

from plumbline.models.packs import PackVersion
from plumbline.packs.in_force import pack_of
from plumbline.packs.publish import ROOT_GROUP, PackChoice, activate


def activate_superseded(session: Session) -> None:
    """Both editions of a paper on the root group, as where a site runs both on purpose."""
    versions = session.exec(select(PackVersion)).all()
    superseded = {older for version in versions for older in pack_of(version).supersedes}
    for version in versions:
        if version.pack in superseded:
            activate(session, group_id=ROOT_GROUP, pack=version.pack, choice=PackChoice(version.id))
