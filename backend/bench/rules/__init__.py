"""How fast rules judge, beside general engines given the same rules and asked for the same answers."""
