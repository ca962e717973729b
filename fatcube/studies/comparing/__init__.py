"""Figures of networks that are compared: area and clock of their routers, and of the placed networks.

Never here: tables and pages, which are in ``studies/comparison.py``.
"""
