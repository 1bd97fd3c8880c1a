"""A plugin for mypy: `columns_of(Host).name` is `Mapped[str]`, because the field `name` of `Host` is a `str`."""

from collections.abc import Callable

from mypy.errorcodes import ATTR_DEFINED
from mypy.nodes import Var
from mypy.plugin import AttributeContext, Plugin
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

_COLUMNS = "plumbline.models.columns.Columns."


def _column(context: AttributeContext, name: str) -> Type:
    columns, mapped = get_proper_type(context.type), get_proper_type(context.default_attr_type)
    if not isinstance(columns, Instance) or not isinstance(mapped, Instance):
        return context.default_attr_type
    table = get_proper_type(columns.args[0])
    node = table.type.get(name) if isinstance(table, Instance) else None
    if node is None or not isinstance(node.node, Var) or node.node.type is None or node.node.is_classvar:
        context.api.fail(f'"{table}" has no column "{name}"', context.context, code=ATTR_DEFINED)
        return AnyType(TypeOfAny.from_error)
    return mapped.copy_modified(args=[node.node.type])


class _Plugin(Plugin):
    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        if not fullname.startswith(_COLUMNS):
            return None
        name = fullname.removeprefix(_COLUMNS)
        return lambda context: _column(context, name)


def plugin(version: str) -> type[Plugin]:  # noqa: ARG001
    return _Plugin
