"""Benchmarks: router figures, and the growth of time and memory with the network; takes long.

Times are of one machine and noisy; the ratios to what is run beside them are what counts.
"""
