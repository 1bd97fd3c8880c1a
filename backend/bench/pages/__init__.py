"""The cost of the interface's pages over a stored fleet: in the database, and over HTTP."""
