"""Jobs: claimed, carried out step by step, verified, undone."""
