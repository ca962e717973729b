"""Benchmarks: router figures, and the growth of time and memory with the network. Run by `make bench`; takes long.

Times are of this machine and noisy; the ratios to what is run beside them are what counts.
"""
