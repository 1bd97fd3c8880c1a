"""API schemas of importing labels of fabrics."""

from typing import Annotated

from pydantic import Field

from plumbline.infra.schemas import Input, Schema


class FabricImportRequest(Input):
    """A CSV with the columns host, adapter and fabric; with `is_trial` the import only reports what would change."""

    content: Annotated[str, Field(max_length=1024 * 1024, pattern=r"^[^\x00]*$")]
    is_trial: bool = True


class FabricMistake(Schema):
    """What is wrong in a line of the file."""

    line: int
    message: str


class FabricChange(Schema):
    """A label that changes; empty: none."""

    host_id: str
    host: str
    adapter_id: str
    adapter: str
    before: str
    after: str


class FabricImport(Schema):
    """What an import did, or would do. With any mistake it does nothing."""

    lines: int
    hosts: int
    changes: list[FabricChange]
    mistakes: list[FabricMistake]
    mistakes_total: int
    is_done: bool
