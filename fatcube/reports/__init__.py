"""How results are shown: tables, pages, drawings.

Never here: what is shown.
"""
