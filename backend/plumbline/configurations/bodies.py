"""Reading stored bodies and configurations, and the dictionaries they were packed with, on an async connection."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol, TypeVar

import psycopg

from plumbline.checkin import statements as sql
from plumbline.configurations.compression import Packer

T = TypeVar("T")


class Read(Protocol):
    """Asks the database something on a connection, which is taken from the pool only then: most decisions are made from memory alone."""

    async def __call__(self, ask: "Callable[[psycopg.AsyncConnection[Any]], Awaitable[T]]", /) -> T:
        """The answer. `ask` may be called twice, where the first connection turned out to be dead."""
        ...


class Store:
    """Packs and unpacks with the dictionaries of the database, which it reads when a row names one it has not seen."""

    def __init__(self) -> None:
        self.sections = Packer()
        self.configurations = Packer()

    async def learn(self, connection: "psycopg.AsyncConnection[Any]") -> None:
        """Reads the dictionaries that are not known yet."""
        packers = {"section": self.sections, "configuration": self.configurations}
        known = [number for packer in packers.values() for number in packer.known]
        for purpose, dictionary_id, content in await (await connection.execute(sql.READ_DICTIONARIES, (known,))).fetchall():
            if purpose in packers:
                packers[purpose].learn(dictionary_id, content)

    async def read_bodies(self, connection: "psycopg.AsyncConnection[Any]", ids: Iterable[int]) -> dict[int, bytes]:
        """Section bodies by id."""
        wanted = list(ids)
        if not wanted:
            return {}
        rows = await (await connection.execute(sql.READ_BODIES, (wanted,))).fetchall()
        if not all(self.sections.knows(row[3]) for row in rows):
            await self.learn(connection)
        return {row[0]: self.sections.unpack(row[2], row[3]) for row in rows}

    async def read_configuration(self, connection: "psycopg.AsyncConnection[Any]", configuration_id: int) -> bytes | None:
        """The document of one configuration."""
        row = await (await connection.execute(sql.READ_CONFIGURATION, (configuration_id,))).fetchone()
        if row is None:
            return None
        if not self.configurations.knows(row[1]):
            await self.learn(connection)
        return self.configurations.unpack(row[0], row[1])
