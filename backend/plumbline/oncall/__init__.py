"""On-call: the open problems of the fleet, who acknowledged each, and the fixes that may run at once."""
