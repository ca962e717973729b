"""Hoplite, the smallest network for FPGAs: written by us from the paper, and measured beside our networks.

A torus of one-way rings without buffers, whose routers deflect what cannot go on. It is a peer of the benchmarks, not a
network that fatcube generates.

Source: N. Kapre and J. Gray, "Hoplite: Building Austere Overlay NoCs for FPGAs", FPL 2015.
"""
