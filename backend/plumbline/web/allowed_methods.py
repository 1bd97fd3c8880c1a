"""Which methods a path takes, over all routes: for the header `Allow` (RFC 9110, 10.2.1), and to refuse the others with 405.

The router names the methods of the first route that has the path, and where another route has a parameter in the place of a word, it takes
the word for the parameter's value: a GET of `/pack-drafts/archive` would be one of the draft "archive".
"""

import re
from collections.abc import Iterable

from starlette.routing import compile_path
from starlette.types import ASGIApp, Receive, Scope, Send

from plumbline.web.middleware import problem


class AllowedMethods:
    """The methods of each path: made of the paths of routes, with their prefix, and the methods of each."""

    def __init__(self, routes: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._by_path: dict[str, frozenset[str]] = {}
        self._by_pattern: list[tuple[re.Pattern[str], frozenset[str]]] = []
        for path, methods in routes:
            if "{" in path:
                self._by_pattern.append((compile_path(path)[0], frozenset(methods)))
            else:
                self._by_path[path] = self._by_path.get(path, frozenset()) | frozenset(methods)

    def refuses(self, path: str, method: str) -> bool:
        """Whether the path is one without parameters that does not take the method. Cheap: it is asked of every request."""
        methods = self._by_path.get(path)
        return methods is not None and method not in methods

    def of(self, path: str) -> frozenset[str]:
        """The methods of a path, those of a path without parameters before all others; empty where no route has it."""
        found = self._by_path.get(path)
        if found is not None:
            return found
        return frozenset[str]().union(*(methods for pattern, methods in self._by_pattern if pattern.match(path)))


def allow_header(methods: Iterable[str]) -> dict[str, str]:
    """The header that names the methods."""
    return {"Allow": ", ".join(sorted(methods))}


def method_words(method: str, path: str) -> str:
    """Why the request is refused."""
    return f"{method} isn't supported at {path}."


class RefusedMethods:
    """Answers 405 for methods that a path without parameters does not take."""

    def __init__(self, app: ASGIApp, allowed: AllowedMethods) -> None:
        self.app = app
        self.allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self.allowed.refuses(scope["path"], scope["method"]):
            await self.app(scope, receive, send)
            return
        path, method = scope["path"], scope["method"]
        headers = allow_header(self.allowed.of(path))
        answer = problem(405, title="Method not allowed", detail=method_words(method, path), code="method_not_allowed", headers=headers)
        await answer(scope, receive, send)
