"""Fixing hosts: plans, approvals and jobs, from a chosen finding to the check-in that proves the fix.

`plans` drafts, plans and approves; `jobs` executes what was signed, verifies it and reconciles; `controls` holds what blocks jobs
(windows, freezes, holds, the emergency stop); `access` reaches the runner on a host. The rows are the work: a task message only
makes a worker read them sooner.
"""
