"""Tables, pages, figures and drawings of results.

Never here: what is shown.
"""
