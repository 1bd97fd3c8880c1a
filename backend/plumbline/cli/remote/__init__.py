"""Commands that talk to a Plumbline server over its API with a token: for scripts, pipelines and people at a terminal.

Exit codes: 0 done, and nothing that the command was asked to look for; 1 it was found (failing findings, changes, a job without success);
2 the command or its input is wrong; 3 the server could not be reached, or refused.
"""
