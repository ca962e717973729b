"""Routers of others beside ours: taken from checkouts at named commits, and put through one flow in one run.

Nothing of theirs is here. What is measured of published routers stands in ``published.toml``, and how some are connected in
``wrappers/``; another such file may describe any others (:mod:`experiments.peers.peer`).
"""
