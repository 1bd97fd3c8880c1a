"""Judging and scoring, as plain functions over plain data.

- `rule`: what a pack and a rule are. `packs.files.load_builtin()` gives the packs that come with Plumbline.
- `evaluate.evaluate(pack, configuration, peers, unread)`: the reference; findings with reasons in words.
- `compile.compile_packs(packs, platform)`: the same, fast: `judge(configuration, peers, unread)` and `describe(verdict, ...)`.
- `score.score(verdicts, Weights(packs), traits_of(configuration))`: the score, taken apart.
- `conflicts.contradictions(packs)` and `conflicts.conflicts_on`: packs that ask opposite things of one setting.
- `gather.gather`: what rules that compare hosts need of the others. `unlisted_kinds.unread_kinds`: which subjects could not be listed.
"""
