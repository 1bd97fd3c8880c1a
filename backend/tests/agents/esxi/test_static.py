"""Holds the files that run on ESXi hosts to what Python 2.6, 2.7 and 3.5 all understand, in every run, whatever Pythons are here."""

import ast
import gc
import io
import re
import subprocess
import tokenize

import pytest
import vermin

from tests.agents.esxi.old_pythons import VERSIONS, missing, old_python
from tests.agents.esxi.workbench import AGENT

FILES = ("host_agent.py", "host_runner.py", "call_runner.py", "send_probes.py", "start_agent.py")

# Names that 2.6's standard library does not have, or arguments that it does not take.
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
    ("ElementTree", "ParseError"),
    ("subprocess", "check_output"),
    ("collections", "OrderedDict"),
}
NEWER_METHODS = {
    "isascii",
    "removeprefix",
    "removesuffix",
    "casefold",
    "from_bytes",
    "to_bytes",
    "format_map",
    "isidentifier",
    "hex",
    "itertext",
}
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
    "object_pairs_hook",
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
GUARDED = {"http.client", "urllib.parse"}  # imported in the compatibility block, with 2.6's own names behind `except ImportError`


def parsed(source: str) -> ast.Module:
    """The tree of a source. CPython 3.11 counts its depth wrongly if a finalizer compiles something while a long file is parsed, and raises
    SystemError (python/cpython issue 106905); so nothing is collected meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if was_enabled:
            gc.enable()


def not_26(source: str) -> list[str]:
    """What of a source Python 2.6 would not understand, each with its line."""
    found: list[str] = []
    tree = parsed(source)
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
        elif isinstance(node, ast.Set | ast.SetComp | ast.DictComp):
            say(node, "set in braces, or a comprehension of a set or dict")
        elif isinstance(node, ast.With) and len(node.items) > 1:
            say(node, "more than one thing in a with")
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
            elif node.attr == "iter" and not _is_in(tree, node, "every_node"):
                say(node, "method iter of an XML node, outside of every_node")
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


def _is_in(tree: ast.AST, wanted: ast.AST, function: str) -> bool:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function]
    return any(node is wanted for one in functions for node in ast.walk(one))


def _is_guarded(tree: ast.AST, wanted: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and wanted in node.body:
            return any(isinstance(handler.type, ast.Name) and handler.type.id == "ImportError" for handler in node.handlers)
    return False


# What the files ask for by name only where it is there, with the older way beside it: name -> where.
GUARDED_NAMES = {
    "http.client": "compatibility block",
    "urllib.parse": "compatibility block",
    "httplib": "compatibility block",
    "urlparse": "compatibility block",
    "urlparse.urlsplit": "compatibility block",
    "urlparse.urlsplit.hostname": "compatibility block",
    "urlparse.urlsplit.port": "compatibility block",
    "urlparse.urlsplit.scheme": "compatibility block",
    "httplib.HTTPConnection": "compatibility block",
    "httplib.HTTPConnection(timeout)": "compatibility block",
    "httplib.HTTPSConnection": "compatibility block",
    "httplib.HTTPSConnection(timeout)": "compatibility block",
    "httplib.HTTPException": "compatibility block",
    "httplib.HTTPSConnection(context)": "HAS_CONTEXTS",
    "ssl.create_default_context": "HAS_CONTEXTS",
    "unichr": "CHARACTER",
    "long": "INTEGERS",
    "time.monotonic": "hasattr",
}


def oldest(source: str) -> list[tuple[int, int] | None]:
    """The oldest Python 2 and Python 3 that a source runs on, by vermin; None where it runs on none."""
    config = vermin.Config()
    for name in GUARDED_NAMES:
        config.add_exclusion(name)
    found: list[tuple[int, int] | None] = vermin.visit(source, config=config).minimum_versions()
    return found


@pytest.mark.parametrize("file", FILES)
def test_every_file_of_a_host_is_held_to_26(file: str) -> None:
    source = AGENT.with_name(file).read_text("ascii")
    assert not_26(source) == []
    two, three = oldest(source)
    assert two is not None
    assert three is not None
    assert two <= (2, 6)
    assert three <= (3, 5)


@pytest.mark.parametrize(
    ("bad", "two", "three"),
    [
        ("x = {1}", (2, 7), (3, 0)),
        ("import argparse", (2, 7), (3, 2)),
        ("import ssl\nssl.SSLContext(1)", (2, 7), (3, 2)),
        ("import re\nre.sub('a', 'b', 'c', flags=1)", (2, 7), (3, 1)),
        ("'{}'.format(1)", (2, 7), (3, 0)),
        ("import shutil\nshutil.which('a')", None, (3, 3)),
    ],
)
def test_the_second_check_can_fail(bad: str, two: tuple[int, int] | None, three: tuple[int, int]) -> None:
    assert oldest(bad) == [two, three]


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
        "x = {1}",
        "x = {a: 1 for a in b}",
        "with a as b, c as d:\n    pass",
        "json.loads(a, object_pairs_hook=b)",
        "try:\n    pass\nexcept ElementTree.ParseError:\n    pass",
        "for node in root.iter():\n    pass",
    ],
)
def test_the_check_can_fail(bad: str) -> None:
    assert not_26(bad) != []


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_real_old_python_compiles_every_file(version: str, file: str) -> None:
    engine = old_python(version)
    if engine is None:
        pytest.skip(missing(version))
    code = "import sys; compile(sys.stdin.read(), 'file', 'exec')"
    done = subprocess.run([*engine, "-c", code], input=AGENT.with_name(file).read_bytes(), capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()
