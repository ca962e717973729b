"""Routers of others beside ours: taken from checkouts at named commits, and put through one flow in one run.

Nothing of theirs is here, and nothing that is made for one of them: what is measured, and how it is connected, stands in
a file of the user's (:mod:`fatcube.studies.bench.peers.peer`).
"""
