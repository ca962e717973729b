"""Spanning graphs in hypercubes, and communication along them (Johnsson and Ho).

Never here: what the paper prints, which is `fatcube.papers.spanning_graphs`.
"""
