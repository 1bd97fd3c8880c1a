"""The server process of the bench: the check-in endpoint in front of a FastAPI application with the echo and the naive endpoint."""

import sys
from typing import Any

import uvicorn
from fastapi import FastAPI

from bench.naive import router
from plumbline.checkin.asgi import CheckInApp
from plumbline.web.http_limits import LimitedProtocol


def main() -> None:
    """`python -m bench.serve PORT`."""
    app = FastAPI()

    @app.post("/echo")
    async def echo(body: dict[str, Any]) -> dict[str, Any]:
        return body

    @app.get("/stats")
    async def stats() -> dict[str, Any]:
        writer = check_ins.writer
        return {
            "commits": writer.commits,
            "accepted": writer.accepted,
            "statements": writer.statements,
            "alone_failed": writer.alone_failed,
            "responses": check_ins.responses,
            "evaluation_errors": writer.store.evaluation_errors,
        }

    app.include_router(router)
    check_ins = CheckInApp(app)
    uvicorn.run(
        _WithCheckIns(check_ins),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_level="warning",
        loop="uvloop",
        http=LimitedProtocol,
        ws="none",
    )


class _WithCheckIns:
    """Starts and stops the check-in endpoint with the server."""

    def __init__(self, app: CheckInApp) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.app.startup()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.app.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return


if __name__ == "__main__":
    main()
