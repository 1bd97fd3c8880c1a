"""Compression of section bodies and configuration documents: zstd, with a trained dictionary where one is in the database.

Everything that is packed or unpacked for the database goes through here. Dictionaries are never changed, and a row names its own.
"""

import random
import weakref
from collections.abc import Collection
from typing import Any

import psycopg
import zstandard
from sqlalchemy import Engine
from sqlmodel import Session, col, select, text

from plumbline.models.columns import is_one_of
from plumbline.models.configurations import COMPRESSION_DICTIONARY, CompressionDictionary

LEVEL = 3
# No body is larger than what the check-in endpoint lets in; a stored one that claims more is damaged.
_MAX_BYTES = 16 * 1024 * 1024
_TRAINING_LOCK = 0x706C756D62_03
_FEWEST_SAMPLES = 100
_MOST_SAMPLES = 600
_READ_NAMED = "SELECT id, content FROM compression_dictionary WHERE id = ANY(%s)"
_READ_NEW = "SELECT purpose, id, content FROM compression_dictionary WHERE id <> ALL(%s::int[]) ORDER BY id"


class Unpacker:
    """Unpacks many rows. A dictionary is as large as some dozens of documents, so each is loaded once."""

    def __init__(self) -> None:
        self._readers: dict[int | None, zstandard.ZstdDecompressor] = {None: zstandard.ZstdDecompressor()}

    def add(self, dictionary_id: int, content: bytes) -> None:
        """Takes in a dictionary."""
        self.take(dictionary_id, zstandard.ZstdCompressionDict(content))

    def take(self, dictionary_id: int, loaded: zstandard.ZstdCompressionDict) -> None:
        """Takes in a dictionary that is loaded already."""
        self._readers[dictionary_id] = zstandard.ZstdDecompressor(dict_data=loaded)

    def learn(self, connection: "psycopg.Connection[Any]", dictionary_ids: Collection[int | None]) -> None:
        """Reads those of these dictionaries that are not taken in yet."""
        missing = sorted(id_ for id_ in set(dictionary_ids) if id_ is not None and id_ not in self._readers)
        if missing:
            for dictionary_id, content in connection.cursor(binary=True).execute(_READ_NAMED, (missing,)):
                self.add(dictionary_id, content)

    def unpack(self, packed: bytes, dictionary_id: int | None) -> bytes:
        """The content again. Raises `KeyError` for a dictionary not taken in yet, `zstandard.ZstdError` where the row is damaged."""
        return self._readers[dictionary_id].decompress(packed, max_output_size=_MAX_BYTES)


# The dictionaries of each database that this process has read. Only they are kept: what unpacks with them is for one thread at a time.
_READ: weakref.WeakKeyDictionary[Engine, dict[int, zstandard.ZstdCompressionDict]] = weakref.WeakKeyDictionary()


def unpacker_of(session: Session, dictionary_ids: Collection[int | None]) -> Unpacker:
    """What unpacks rows that were packed with these dictionaries, or with none. One query for dictionaries that this process has not read
    yet, else none.
    """
    read = _READ.setdefault(session.get_bind().engine, {})
    wanted = {id_ for id_ in dictionary_ids if id_ is not None}
    if missing := wanted - read.keys():
        query = select(COMPRESSION_DICTIONARY.id, COMPRESSION_DICTIONARY.content).where(is_one_of(COMPRESSION_DICTIONARY.id, missing))
        for dictionary_id, content in session.execute(query).all():
            read[dictionary_id] = zstandard.ZstdCompressionDict(content)
    unpacker = Unpacker()
    for id_ in wanted:
        unpacker.take(id_, read[id_])
    return unpacker


class Packer(Unpacker):
    """Packs with the newest dictionary taken in, and unpacks."""

    def __init__(self) -> None:
        super().__init__()
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._newest: int | None = None

    def add(self, dictionary_id: int, content: bytes) -> None:
        """Takes in a dictionary; the highest id packs from now on."""
        super().add(dictionary_id, content)
        if self._newest is None or dictionary_id > self._newest:
            self._newest = dictionary_id
            self._compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=zstandard.ZstdCompressionDict(content))

    def pack(self, content: bytes) -> tuple[bytes, int | None]:
        """The packed bytes and the id of the dictionary used, None for none."""
        return self._compressor.compress(content), self._newest


class Packers:
    """Packs and unpacks section bodies and configurations, with every dictionary of the database. For one thread at a time."""

    def __init__(self) -> None:
        self.sections = Packer()
        self.configurations = Packer()
        self._known: list[int] = []

    def send_query(self, connection: "psycopg.Connection[Any]") -> "psycopg.Cursor[Any]":
        """Sends the query for the dictionaries that are not loaded yet, usually none; as a part of the caller's pipeline."""
        return connection.cursor(binary=True).execute(_READ_NEW, (self._known,))

    def load_results(self, cursor: "psycopg.Cursor[Any]") -> None:
        """Loads the results of `send_query`."""
        for purpose, dictionary_id, content in cursor.fetchall():
            (self.sections if purpose == "section" else self.configurations).add(dictionary_id, content)
            self._known.append(dictionary_id)


def train(purpose: str, samples: list[bytes], size_bytes: int = 64 * 1024) -> CompressionDictionary:
    """A dictionary from at least some dozens of samples; the caller adds the row."""
    return CompressionDictionary(purpose=purpose, content=zstandard.train_dictionary(size_bytes, [*samples]).as_bytes())


def train_dictionaries(session: Session) -> list[str]:
    """Trains a dictionary for bodies and one for configurations, once there is enough to learn from; answers which are new.

    Rows that were packed without a dictionary are what there is to learn from.
    """
    if not session.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _TRAINING_LOCK}).scalar_one():
        return []
    made = []
    plain = Unpacker()
    for purpose, statement in (
        ("section", "SELECT content FROM section_body WHERE dictionary_id IS NULL ORDER BY id DESC LIMIT :most"),
        ("configuration", "SELECT document FROM host_configuration WHERE dictionary_id IS NULL ORDER BY id DESC LIMIT :most"),
    ):
        if session.exec(select(CompressionDictionary.id).where(col(CompressionDictionary.purpose) == purpose)).first() is not None:
            continue
        rows = session.execute(text(statement), {"most": _MOST_SAMPLES}).all()
        if len(rows) < _FEWEST_SAMPLES:
            continue
        samples = [plain.unpack(row[0], None) for row in rows]
        random.Random(0).shuffle(samples)  # noqa: S311 (an order, not a secret)
        session.add(train(purpose, samples))
        made.append(purpose)
    session.flush()
    return made
