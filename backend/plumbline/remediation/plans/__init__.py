"""Plans: drafted, built, approved, withdrawn."""
