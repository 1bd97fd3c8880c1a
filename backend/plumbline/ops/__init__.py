"""What runs an installation: start, supervise, workers, schedule, migrate, back up, check."""
