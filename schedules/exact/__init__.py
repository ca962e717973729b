"""The integer programs of a search: whether there is a schedule of so many steps, and the lanes of what is found.

Never here: a rule of a step that constructions share; the search judges them, and states all of them again.
"""
