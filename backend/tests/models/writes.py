"""Finds every place in the program that writes a table, by reading its source.

Four kinds of writes are known: SQL in a string; `insert`, `update` and `delete` of SQLAlchemy; a new row, which is a call of its class;
and an attribute set on a row, or `session.delete` of it, if the row's class follows from an annotation or from how it was read.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import SQLModel

import plumbline
from plumbline.models import METADATA

ROOT = Path(plumbline.__file__).parent
TABLES: dict[str, str] = {
    mapper.class_.__name__: str(mapper.class_.__tablename__)
    for mapper in SQLModel._sa_registry.mappers
    if mapper.class_.__tablename__ in METADATA.tables
}
_SQL = re.compile(
    r"\bINSERT\s+INTO\s+(?P<insert>\S+)|\bDELETE\s+FROM\s+(?:ONLY\s+)?(?P<delete>\S+)"
    r"|\bUPDATE\s+(?:ONLY\s+)?(?P<update>(?!SET\b)\S+)\s+(?:(?:AS\s+)?\w+\s+)?SET\b|\bTRUNCATE\s+(?:TABLE\s+)?(?P<truncate>\S+)"
)
_BUILDERS = ("insert", "pg_insert", "update", "delete")


@dataclass(frozen=True, order=True)
class Write:
    """`table` is `?` if the source does not name it, as with a name inserted into a statement."""

    module: str
    table: str
    line: int
    code: str = field(compare=False)


# The tables whose rows an expression gives: one, or one for each part of a tuple. Empty: none, or unknown.
_Rows = tuple[str, ...]


def all_writes(**planted: str) -> list[Write]:
    """Every write of the program. `planted` are further modules, for tests of this file: package -> source."""
    sources = {path.relative_to(ROOT).with_suffix("").parts: path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}
    sources |= {(package, "planted"): source for package, source in planted.items()}
    modules = [_Module(ast.parse(source), ".".join(("plumbline", *parts)).removesuffix(".__init__")) for parts, source in sources.items()]
    # Names of functions and of fields of dataclasses that give rows, over the whole program, where one name always means the same.
    named: dict[str, set[_Rows]] = {}
    for module in modules:
        for name, rows in module.annotated_names():
            named.setdefault(name, set()).add(rows)
    known = {name: rows.pop() for name, rows in named.items() if len(rows) == 1}
    return sorted({write for module in modules for write in module.writes(known)})


class _Module:
    def __init__(self, tree: ast.Module, name: str) -> None:
        self.tree, self.name = tree, name
        # Names in this module that mean a table: its class, also under another name (`import … as`, `HOST = columns_of(Host)`).
        self.classes: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("plumbline.models"):
                self.classes |= {alias.asname or alias.name: TABLES[alias.name] for alias in node.names if alias.name in TABLES}
            if isinstance(node, ast.ClassDef) and node.name in TABLES and name.startswith("plumbline.models"):
                self.classes[node.name] = TABLES[node.name]
        self.named: dict[str, _Rows] = {}

    def annotated_names(self) -> Iterator[tuple[str, _Rows]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (rows := self._annotated(node.returns)):
                yield node.name, rows
            if isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and (rows := self._annotated(item.annotation)):
                        yield item.target.id, rows

    def writes(self, named: dict[str, _Rows]) -> Iterator[Write]:
        self.named = named | dict(self.annotated_names())
        yield from self._sql()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield from self._call(node)
        yield from self._rows(self.tree, {})

    def _write(self, table: str, node: ast.AST) -> Write:
        return Write(self.name, table, getattr(node, "lineno", 0), ast.unparse(node)[:120])

    def _sql(self) -> Iterator[Write]:
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        inside = {id(part) for node in ast.walk(self.tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(self.tree):
            if id(node) in docstrings or id(node) in inside:
                continue
            text = _text(node)
            for match in _SQL.finditer(text or ""):
                word = next(part for part in match.groups() if part).strip('"();,')
                table = word if word in METADATA.tables else "?"
                yield Write(self.name, table, node.lineno, match.group(0))  # type: ignore[attr-defined]

    def _call(self, node: ast.Call) -> Iterator[Write]:
        if isinstance(node.func, ast.Name) and node.func.id in self.classes:
            yield self._write(self.classes[node.func.id], node)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _BUILDERS and node.args and isinstance(node.args[0], ast.Name) and node.args[0].id in self.classes:
            yield self._write(self.classes[node.args[0].id], node)

    def _rows(self, scope: ast.AST, outer: dict[str, _Rows]) -> Iterator[Write]:
        """Attributes set on rows, and rows added or deleted, in one function and those inside it."""
        known = dict(outer)
        inner: list[ast.AST] = []
        nodes = list(_own_nodes(scope, inner))
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            for argument in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs):
                known[argument.arg] = self._annotated(argument.annotation)
        # Twice, since the meaning of a name may follow from a name bound further down.
        for _ in range(2):
            for node in nodes:
                self._bind(node, known)
        for node in nodes:
            for target in _targets(node):
                if isinstance(target, ast.Attribute) and len(rows := self._given(target.value, known)) == 1:
                    yield self._write(rows[0], node)
            match node:
                case ast.Call(func=ast.Attribute(value=holder, attr="add" | "delete"), args=[row]) if ast.unparse(holder).endswith(
                    "session"
                ):
                    rows = self._given(row, known)
                    yield self._write(rows[0] if len(rows) == 1 else "?", node)
        for function in inner:
            yield from self._rows(function, known)

    def _bind(self, node: ast.AST, known: dict[str, _Rows]) -> None:
        """Records the meaning of the names that a statement binds."""
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                known[name] = self._annotated(annotation)
                return
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                pass
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                pass
            case _:
                return
        rows = self._given(value, known)
        match target:
            case ast.Name(id=name) if rows:
                known[name] = rows
            case ast.Tuple(elts=parts) if len(parts) == len(rows):
                known |= {part.id: (row,) for part, row in zip(parts, rows, strict=True) if isinstance(part, ast.Name)}

    def _given(self, value: ast.expr, known: dict[str, _Rows]) -> _Rows:
        match value:
            case ast.Name(id=name):
                return known.get(name, ())
            case ast.Attribute(attr=name):
                return self.named.get(name, ())
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.NamedExpr(value=inner):
                return self._given(inner, known)
            case ast.BoolOp(values=parts):
                return next((rows for part in parts if (rows := self._given(part, known))), ())
            case ast.IfExp(body=one, orelse=other):
                return self._given(one, known) or self._given(other, known)
            case ast.DictComp(value=inner, generators=loops) | ast.ListComp(elt=inner, generators=loops):
                names = dict(known)
                for loop in loops:
                    self._bind(loop, names)
                return self._given(inner, names)
            case ast.Call(func=ast.Name(id="list" | "sorted" | "reversed"), args=[inner, *_]):
                return self._given(inner, known)
            case (
                ast.Call(func=ast.Name(id="select"), args=parts)
                | ast.Call(func=ast.Attribute(value=ast.Name(id="session"), attr="get" | "get_one"), args=parts)
            ):
                return tuple(
                    self.classes.get(part.id, "?") if isinstance(part, ast.Name) else "?" for part in parts[: 1 if _is_get(value) else None]
                )
            case ast.Call(func=ast.Attribute(attr="exec" | "execute" | "scalar" | "scalars"), args=[inner, *_]):
                return self._given(inner, known)
            case ast.Call(func=ast.Name(id=name)):
                return (self.classes[name],) if name in self.classes else self.named.get(name, ())
            case ast.Call(func=ast.Attribute(value=inner, attr=name)):
                return self._given(inner, known) or self.named.get(name, ())
        return ()

    def _annotated(self, annotation: ast.expr | None) -> _Rows:
        """`Host`, `Host | None`, `list[Host]` and `Mapping[str, Host]` are rows of one table, `tuple[Host, Plan]` of two."""
        match annotation:
            case ast.Name(id=name) if name in self.classes:
                return (self.classes[name],)
            case ast.BinOp(left=left, right=right):
                return self._annotated(left) or self._annotated(right)
            case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=parts)):
                rows = tuple("".join(self._annotated(part)[:1]) for part in parts)
                return rows if any(rows) else ()
            case ast.Subscript(slice=ast.Tuple(elts=parts)):
                return self._annotated(parts[-1])
            case ast.Subscript(slice=inner):
                return self._annotated(inner)
        return ()


def _is_get(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else []
    for target in targets:
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def _own_nodes(scope: ast.AST, inner: list[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a scope, without the functions in it, which are put into `inner`."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inner.append(child)
        else:
            yield child
            yield from _own_nodes(child, inner)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None
