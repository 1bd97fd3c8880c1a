"""Faults of one machine that all of Plumbline runs on, as `plumbline up` starts it."""
