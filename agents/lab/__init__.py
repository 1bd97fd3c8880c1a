"""The lab: a fleet of simulated hosts that anyone can start. The demo, the browser tests and the fault tests use it.

Hosts are data (`hosts/*.yaml` over `bases/*.yaml` and `cards.yaml`), modelled on the papers' test beds. Each has a state that settings
change, a path map, counters that react, and a journal of every effect. Import it as `lab` with the folder `agents/` on `sys.path`
(`plumbline lab …` puts it there). It imports nothing of `plumbline`: it meets the server only over the wire.

What a lab host sends is rendered by the lab: no Windows and no ESXi ran. ESXi lab hosts run the real `agents/esxi/host_agent.py`
against stand-in commands; Windows lab hosts are rendered section by section and sent by a small client of the lab's own.
"""
