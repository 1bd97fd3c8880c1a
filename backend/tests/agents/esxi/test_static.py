"""Holds host_agent.py to what Python 2.7 and 3 both understand, in every run, whether a 2.7 is here or not."""

import ast
import io
import re
import subprocess
import tokenize

import pytest

from tests.agents.esxi.workbench import AGENT, python_27

# Names that 2.7's standard library does not have, or arguments that it does not take.
NEWER_NAMES = {
    "FileNotFoundError",
    "PermissionError",
    "ProcessLookupError",
    "ConnectionError",
    "TimeoutError",
    "ChildProcessError",
    "BlockingIOError",
    "NotADirectoryError",
    "FileExistsError",
    "ModuleNotFoundError",
    "RecursionError",
    "aiter",
    "breakpoint",
}
NEWER_ATTRIBUTES = {
    ("subprocess", "run"),
    ("subprocess", "DEVNULL"),
    ("subprocess", "TimeoutExpired"),
    ("os", "replace"),
    ("os", "scandir"),
    ("os", "fsencode"),
    ("shutil", "which"),
    ("secrets", "token_hex"),
    ("hmac", "digest"),
    ("math", "inf"),
    ("gzip", "compress"),
    ("gzip", "decompress"),
    ("time", "perf_counter"),
    ("re", "fullmatch"),
}
NEWER_METHODS = {"isascii", "removeprefix", "removesuffix", "casefold", "from_bytes", "to_bytes", "format_map", "isidentifier", "hex"}
NEWER_ARGUMENTS = {
    "exist_ok",
    "timeout_expired",
    "capture_output",
    "text",
    "encoding",
    "errors",
    "ensure_ascii_only",
    "opener",
    "missing_ok",
}
NEWER_MODULES = {
    "pathlib",
    "typing",
    "enum",
    "asyncio",
    "dataclasses",
    "secrets",
    "statistics",
    "ipaddress",
    "contextvars",
    "tomllib",
    "importlib.metadata",
    "concurrent.futures",
}
GUARDED = {"http.client", "urllib.parse"}  # imported in the compatibility block, with 2.7's own names behind `except ImportError`


def not_27(source: str) -> list[str]:
    """What of a source Python 2.7 would not understand, each with its line."""
    found: list[str] = []
    tree = ast.parse(source)
    has_print_function = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(name.name == "print_function" for name in node.names)
        for node in ast.walk(tree)
    )

    def say(node: ast.AST, what: str) -> None:
        found.append(f"line {getattr(node, 'lineno', 0)}: {what}")

    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            say(node, "f-string")
        elif isinstance(node, ast.AnnAssign):
            say(node, "annotation")
        elif isinstance(node, ast.NamedExpr):
            say(node, "walrus")
        elif isinstance(node, ast.Nonlocal):
            say(node, "nonlocal")
        elif isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            say(node, "async")
        elif isinstance(node, ast.YieldFrom):
            say(node, "yield from")
        elif isinstance(node, ast.Match | ast.TryStar):
            say(node, "match or except*")
        elif isinstance(node, ast.Raise) and node.cause is not None:
            say(node, "raise from")
        elif isinstance(node, ast.MatMult):
            say(node, "@ operator")
        elif isinstance(node, ast.Dict) and None in node.keys:
            say(node, "unpacking in a dict")
        elif isinstance(node, ast.Starred) and not _is_star_argument(tree, node):
            say(node, "star outside a call")
        elif isinstance(node, ast.FunctionDef | ast.Lambda):
            if node.args.kwonlyargs or node.args.posonlyargs:
                say(node, "keyword-only or positional-only argument")
            arguments = [*node.args.args, *filter(None, [node.args.vararg, node.args.kwarg])]
            if any(argument.annotation is not None for argument in arguments) or getattr(node, "returns", None) is not None:
                say(node, "annotation")
        elif isinstance(node, ast.ClassDef):
            if node.keywords:
                say(node, "class keyword")
            if not node.bases:
                say(node, "old-style class: give it `object`")
        elif isinstance(node, ast.Name) and node.id in NEWER_NAMES:
            say(node, f"name {node.id}")
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in NEWER_ATTRIBUTES:
                say(node, f"{node.value.id}.{node.attr}")
            elif node.attr in NEWER_METHODS:
                say(node, f"method {node.attr}")
        elif isinstance(node, ast.Call):
            found.extend(_call(node, has_print_function))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [name.name for name in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for module in modules:
                if module in NEWER_MODULES or (module in GUARDED and not _is_guarded(tree, node)):
                    say(node, f"module {module}")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NUMBER and "_" in token.string:
            found.append(f"line {token.start[0]}: digits with _")
        if token.type == tokenize.STRING and re.match(r"(?i)(f|rf|fr|ur|bR?u)['\"]", token.string):
            found.append(f"line {token.start[0]}: string prefix")
    if not source.isascii():
        found.append("not ASCII")
    return found


def _call(node: ast.Call, has_print_function: bool) -> list[str]:
    found = []
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        found.append(f"line {node.lineno}: super() without arguments")
    if isinstance(node.func, ast.Name) and node.func.id == "print" and not has_print_function:
        found.append(f"line {node.lineno}: print() without the future import")
    if isinstance(node.func, ast.Name) and node.func.id == "print" and any(word.arg == "flush" for word in node.keywords):
        found.append(f"line {node.lineno}: print(flush=)")
    is_communicate = isinstance(node.func, ast.Attribute) and node.func.attr in ("wait", "communicate", "check_output", "check_call")
    for word in node.keywords:
        if word.arg in NEWER_ARGUMENTS or (word.arg == "timeout" and is_communicate):
            found.append(f"line {node.lineno}: argument {word.arg}")
    if sum(isinstance(argument, ast.Starred) for argument in node.args) > 1 or sum(word.arg is None for word in node.keywords) > 1:
        found.append(f"line {node.lineno}: more than one unpacking in a call")
    return found


def _is_star_argument(tree: ast.AST, star: ast.Starred) -> bool:
    return any(isinstance(node, ast.Call) and star in node.args for node in ast.walk(tree))


def _is_guarded(tree: ast.AST, wanted: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and wanted in node.body:
            return any(isinstance(handler.type, ast.Name) and handler.type.id == "ImportError" for handler in node.handlers)
    return False


def test_the_agent_is_held_to_27() -> None:
    assert not_27(AGENT.read_text("ascii")) == []


@pytest.mark.parametrize(
    "bad",
    [
        "x = f'{1}'",
        "x: int = 1",
        "def f(a: int): pass",
        "def f() -> int: pass",
        "def f(*, a): pass",
        "def f(a, /): pass",
        "if (x := 1): pass",
        "def f():\n    x = 1\n    def g():\n        nonlocal x",
        "async def f(): pass",
        "def f():\n    yield from x",
        "try:\n    pass\nexcept ValueError as e:\n    raise KeyError() from e",
        "a, *b = c",
        "x = [*a, *b]",
        "x = {**a}",
        "f(*a, *b)",
        "class A: pass",
        "class A(B, metaclass=C): pass",
        "class A(object):\n    def f(self):\n        super().f()",
        "print('a', file=b)",
        "from __future__ import print_function\nprint('a', flush=True)",
        "x = 1_000",
        "import subprocess\nsubprocess.run([])",
        "child.communicate(timeout=3)",
        "os.makedirs('a', exist_ok=True)",
        "import pathlib",
        "import http.client",
        "open('a', encoding='utf-8')",
        "try:\n    pass\nexcept FileNotFoundError:\n    pass",
        "x = a @ b",
        "match a:\n    case 1: pass",
        "x = '\u00e9'",
        "b'a'.hex()",
    ],
)
def test_the_check_can_fail(bad: str) -> None:
    assert not_27(bad) != []


def test_a_real_27_compiles_it() -> None:
    engine = python_27()
    if engine is None:
        pytest.skip("no Python 2.7 here")
    code = "import sys; compile(sys.stdin.read(), 'host_agent.py', 'exec')"
    done = subprocess.run([*engine, "-c", code], input=AGENT.read_bytes(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
