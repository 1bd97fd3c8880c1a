"""What wants a person now: open problems of the fleet, who took each on, and the fix that may run at once."""
