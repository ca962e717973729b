"""Runs of schedules on the RTL: the plan of a run, the run, and the check of every delivery and every wire.

Never here: random traffic.
"""
