"""One server process for every contestant: the door in front of a FastAPI application with the echo and the ordinary way."""

import sys
from typing import Any

import uvicorn
from fastapi import FastAPI

from bench.naive import router
from plumbline.checkin.asgi import Door


def main() -> None:
    """`python -m bench.serve PORT`."""
    app = FastAPI()

    @app.post("/echo")
    async def echo(body: dict[str, Any]) -> dict[str, Any]:
        return body

    @app.get("/stats")
    async def stats() -> dict[str, Any]:
        committer = door.committer
        return {
            "commits": committer.commits,
            "accepted": committer.accepted,
            "statements": committer.statements,
            "alone_failed": committer.alone_failed,
            "answers": door.answers,
            "judging_errors": door.deciding.judging_errors,
        }

    app.include_router(router)
    door = Door(app)
    uvicorn.run(_WithDoor(door), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", loop="uvloop", http="httptools", ws="none")


class _WithDoor:
    """Starts and stops the door with the server."""

    def __init__(self, door: Door) -> None:
        self.door = door

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.door(scope, receive, send)
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.door.startup()
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.door.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return


if __name__ == "__main__":
    main()
