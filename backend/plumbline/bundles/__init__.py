"""Support bundles: opens archives that people drop, without trusting them, and assesses the hosts that they show."""
