"""Studies: sweeps, their results, comparisons, the choice among networks, and the report.

Never here: what a paper claims.
"""
