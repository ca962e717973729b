"""The papers: a folder a paper, with what it prints, its claims, and its measurements repeated.

Here: how a claim is audited. Never here: anything that holds without a paper.
"""
