"""Who sends what to whom in which step: collectives, schedules, their checker, how they are found.

Imports `noc` and `rtl`. Never here: hardware.
"""
