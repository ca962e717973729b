"""Johnsson and Ho: spanning graphs in hypercubes."""
