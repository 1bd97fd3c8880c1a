"""The command line. Each command prints what it does, and on an error one clear line and a non-zero exit."""

from plumbline.cli.server import app, main

__all__ = ["app", "main"]
