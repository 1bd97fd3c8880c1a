"""A larger installation as `docs/operating/larger-installation.md` prescribes it, laid out on one machine.

Each of its machines is a network namespace with processes, folders, a link and a clock of its own. Any one of them can be killed, cut off,
slowed or given a wrong clock.
"""
