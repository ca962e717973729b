"""The papers: a folder a paper, with what it prints, its claims, and its measurements repeated.

Here: how a claim is audited. Never here: anything that holds without a paper.
"""

if __name__ != "fatcube.papers":
    raise ModuleNotFoundError("papers is a package of fatcube: import fatcube.papers", name=__name__)
