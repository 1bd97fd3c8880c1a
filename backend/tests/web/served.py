"""`python -m tests.web.served`: a small application behind the limits, in a process of its own whose memory can be measured. Prints its
port; `/slow` answers after two seconds, `/body` the length of its body, `/large` 4 MiB, everything else at once."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from fastapi import FastAPI, Request, Response

from plumbline.infra.memory import keep_small
from plumbline.web.http_limits import LimitedProtocol


def make_app() -> FastAPI:
    """The application."""
    app = FastAPI()

    @app.get("/slow")
    async def slow() -> str:
        await asyncio.sleep(2)
        return "slow"

    @app.post("/body")
    async def body(request: Request) -> int:
        return len(await request.body())

    @app.post("/unread")
    async def unread() -> str:
        return "unread"

    @app.get("/large")
    async def large() -> Response:
        return Response(b"x" * 4 * 1024 * 1024)

    @app.get("/{path}")
    def path(path: str) -> str:
        return path

    return app


@asynccontextmanager
async def collecting(_: FastAPI) -> AsyncIterator[None]:
    """As the program does it while it serves."""
    memory = asyncio.create_task(keep_small())
    yield
    memory.cancel()


def main() -> None:
    """Serves until it is ended."""
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = make_app()
    app.router.lifespan_context = collecting
    uvicorn.Server(uvicorn.Config(app, http=LimitedProtocol, log_level="critical", ws="none")).run(sockets=[listener])


if __name__ == "__main__":
    main()
