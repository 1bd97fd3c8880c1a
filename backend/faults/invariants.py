"""After a fault: whether the installation keeps its promises, by the checks of the doctor, once the background worker has chained the
audit trail."""

from sqlmodel import Session

from plumbline.audit.chain import chain_pending, sign_head, signing_key
from plumbline.infra.database import get_engine, session_scope
from plumbline.ops.doctor import PROMISES, examine


def broken_promises(background_url: str) -> list[str]:
    """One sentence for each promise that does not hold; none: all hold. Only the background worker's role may number entries of the
    audit trail."""
    background = get_engine(background_url)
    while True:
        with Session(background) as session:
            chained = chain_pending(session)
            session.commit()
        if not chained:
            break
    with Session(background) as session:
        sign_head(session, signing_key())
        session.commit()
    with session_scope() as session:
        return [f"{check.name}: {sentence}" for check, found in examine(session) if check.name in PROMISES for sentence in found]
