"""Watches: counters of one host every few seconds, for some minutes, over the channel by which Plumbline reads or changes it."""
