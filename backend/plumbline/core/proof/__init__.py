"""Judging measurements: by the papers' method, by the share that a traffic class gets, and by counters before and after a job. Pure."""
