"""Receives, stores and evaluates check-ins, and answers each with a receipt."""
