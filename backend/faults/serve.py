"""The door alone in a process: `python -m faults.serve PORT`. The environment names the database and the keys."""

import sys

import uvicorn

from plumbline.checkin.asgi import Door

if __name__ == "__main__":
    uvicorn.run(Door(), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", loop="uvloop", http="httptools", ws="none")
