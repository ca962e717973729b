"""Spanning graphs in hypercubes, and communication along them (Johnsson and Ho).

Never here: the claims of the paper, which are in `fatcube.papers.spanning_graphs`.
"""
