"""Plans, approvals and jobs: everything between a person's wish to put hosts right and the proof that they are.

`draft`, `build` and `submit` make a plan; `approve` signs it and makes its jobs; `claim`, `steps` and `verify` carry a job out; `sweep`
rings what waits and ends what is over. The rows are the truth, a bell only wakes.
"""
