"""Findings by identity, their life, waivers, rollups and every figure that screens and reports share."""
