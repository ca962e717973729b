"""What is measured and compared: sweeps, results, the choice, the report of a study.

Never here: what a paper claims.
"""
