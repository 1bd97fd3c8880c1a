"""Windows, freezes, holds, budgets and the emergency stop."""
