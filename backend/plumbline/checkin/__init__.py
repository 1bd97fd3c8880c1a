"""The door: how a check-in is received, judged and stored, and what the agent is answered."""
