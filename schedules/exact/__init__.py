"""The integer programs of a search: whether there is a schedule of a number of steps, and the lanes of the result.

Never here: a rule of a step that constructions share; the search judges them, and states all of them again.
"""
