"""Kambhatla: hypercubes and cube-connected cycles."""
