"""Experiments: the measurements whose results stand in ``synth_reports``, run from a checkout and not installed.

Ever here: :class:`~experiments.experiment.Experiment` values, each with its cases, measurement and page, and what only they
need. Never here: code that a command of ``fatcube`` calls.
"""
