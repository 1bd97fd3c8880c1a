"""ESXi lab hosts: command outputs rendered from a host's state, stand-in commands that print them, and an SSH server."""
