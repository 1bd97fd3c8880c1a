"""Evaluating and scoring, as plain functions over plain data.

- `rule`: what a pack and a rule are. `packs.files.load_builtin()` gives the packs that come with Plumbline.
- `evaluate.evaluate(pack, configuration, peers, unread)`: the reference; findings with reasons as text.
- `compile.compile_packs(packs, platform)`: the same, fast: `evaluate(configuration, peers, unread)` and `describe(verdict, ...)`.
- `score.score(verdicts, Weights(packs), traits_of(configuration))`: the score, and what it is made of.
- `conflicts.contradictions(packs)` and `conflicts.conflicts_on`: packs that require opposite values of one setting.
- `peer_questions.gather`: what rules that compare hosts need of the peers.
- `unlisted_kinds.unlisted_kinds`: which kinds of subject could not be listed.
"""
