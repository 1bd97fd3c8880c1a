"""Packing of section bodies and configuration documents: zstd, with a trained dictionary where one stands in the database."""

import zstandard

from plumbline.models.check_ins import CompressionDictionary

LEVEL = 3
# No body is larger than what the door lets in; a stored one that claims more is damaged.
_MAX_BYTES = 16 * 1024 * 1024


class Packer:
    """Packs with the newest dictionary of one purpose, unpacks with whichever a row names. Dictionaries are never changed."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._plain = zstandard.ZstdDecompressor()
        self._with: dict[int, zstandard.ZstdDecompressor] = {}
        self._newest: int | None = None

    def learn(self, dictionary_id: int, content: bytes) -> None:
        """Adds a dictionary; the highest id packs from now on."""
        data = zstandard.ZstdCompressionDict(content)
        self._with[dictionary_id] = zstandard.ZstdDecompressor(dict_data=data)
        if self._newest is None or dictionary_id > self._newest:
            self._newest = dictionary_id
            self._compressor = zstandard.ZstdCompressor(level=LEVEL, dict_data=data)

    @property
    def known(self) -> list[int]:
        """The ids of all dictionaries learnt."""
        return list(self._with)

    def knows(self, dictionary_id: int | None) -> bool:
        """Whether `unpack` can read what was packed with this dictionary."""
        return dictionary_id is None or dictionary_id in self._with

    def pack(self, content: bytes) -> tuple[bytes, int | None]:
        """The packed bytes and the id of the dictionary used, None for none."""
        return self._compressor.compress(content), self._newest

    def unpack(self, packed: bytes, dictionary_id: int | None) -> bytes:
        """The content again. Raises `KeyError` for a dictionary not learnt yet."""
        reader = self._plain if dictionary_id is None else self._with[dictionary_id]
        return reader.decompress(packed, max_output_size=_MAX_BYTES)


def train(purpose: str, samples: list[bytes], size_bytes: int = 64 * 1024) -> CompressionDictionary:
    """A dictionary from at least some dozens of samples; the caller adds the row."""
    return CompressionDictionary(purpose=purpose, content=zstandard.train_dictionary(size_bytes, [*samples]).as_bytes())
