"""Collectives, and the schedules of their transfers: the checker, bounds, constructions and the search.

Imports `noc` and `rtl`. Never here: hardware.
"""
