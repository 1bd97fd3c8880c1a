"""Decompresses a body without trusting the size that it claims."""

import io
import zlib

import zstandard

from plumbline.checkin.errors import Refused, too_large, unreadable

MAX_WIRE_BYTES = 2 * 1024 * 1024
MAX_BODY_BYTES = 8 * 1024 * 1024
FREE_BYTES = 1024 * 1024
MAX_RATIO = 50
_PIECE = 256 * 1024
# No valid body needs a larger window; without this limit a header could request 128 MB of memory.
_ZSTD_WINDOW = 8 * 1024 * 1024


def inflate(body: bytes, encoding: str) -> bytes:
    """The plain body. Raises `Refused`: 413 past 8 MiB or past ratio 50 after the first MiB, 422 for a broken stream."""
    if encoding == "identity":
        return body
    limit = min(MAX_BODY_BYTES, max(FREE_BYTES, MAX_RATIO * len(body)))
    try:
        plain = _gunzip(body, limit) if encoding == "gzip" else _unzstd(body, limit)
    except (zlib.error, zstandard.ZstdError, EOFError, MemoryError) as error:
        raise unreadable(f"the {encoding} stream is broken: {error}", "body") from None
    if len(plain) > limit:
        raise too_large(f"inflates past {limit} bytes", "body")
    return plain


def _gunzip(body: bytes, limit: int) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    plain = stream.decompress(body, limit + 1)
    if len(plain) > limit:
        return plain
    if not stream.eof:
        raise Refused(422, "the gzip stream ends too early", place="body")
    if stream.unused_data:
        raise Refused(422, "something follows the gzip stream", place="body")
    return plain


def _unzstd(body: bytes, limit: int) -> bytes:
    source = io.BytesIO(body)
    plain = io.BytesIO()
    with zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).stream_reader(source, read_across_frames=False) as reader:
        while plain.tell() <= limit:
            piece = reader.read(min(_PIECE, limit + 1 - plain.tell()))
            if not piece:
                break
            plain.write(piece)
    if plain.tell() <= limit:
        # The reader returns a truncated stream without an error, so a second pass checks that the frame is complete.
        whole = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        whole.decompress(body)
        if not whole.eof:
            raise Refused(422, "the zstd stream ends too early", place="body")
        if whole.unused_data:
            raise Refused(422, "something follows the zstd stream", place="body")
    return plain.getvalue()
