"""A printed formula in the paper's letters: n, N, M, B, l, d, i, k, tau, t_c."""

from fatcube.papers.expression import Number, amount

__all__ = ["value"]


def value(text: str, **letters: Number) -> Number:
    """The value of a formula; N is 2^n.

    Raises
    ------
    NameError
        If there is another name in it.
    """
    if "n" in letters:
        letters["N"] = 2 ** letters["n"]
    return amount(text, letters)
