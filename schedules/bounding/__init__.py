"""Lower bounds of a kind by themselves, of which `fatcube.schedules.bounds` takes the highest: among some processors, and of sums.

Never here: a bound that follows from a schedule of ours.
"""
