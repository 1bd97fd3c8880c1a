"""Off-host collection: reads a host over a channel and posts what it says through the same door as any agent."""
