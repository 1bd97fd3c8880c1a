"""Stored section bodies and configurations: compression, reading back, labels."""
