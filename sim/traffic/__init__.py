"""Traffic on the RTL: patterns, traces, latency and throughput against offered load.

Never here: a schedule.
"""
