"""What the pages cost over a stored fleet: in the database, and over HTTP."""
