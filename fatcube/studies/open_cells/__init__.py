"""Open cells: where the steps that are known exceed the bound that is proved, on all small networks and in every step model.

A cell is one of :mod:`fatcube.studies.models`: a collective, a router model and a step model on a network. Its steps are those of
the shortest schedule that is known: constructed, found by a stored search, or that of another cell whose schedules are such of
this one too. Its bound is the highest that follows in these ways. All of it is stored, and this command makes it anew:

    python -m fatcube.studies.open_cells [SECONDS]

With SECONDS, every cell that is open is searched first, for so long for each number of steps. What is found is stored as a
schedule, and a proof that there is none as the digest of the integer program that has no solution.
"""
