"""The papers' integer arithmetic."""

__all__ = ["ceil_div", "ceil_log"]


def ceil_div(amount: int, rate: int) -> int:
    """The papers' ceil(amount / rate)."""
    return -(-amount // rate)


def ceil_log(base: int, number: int) -> int:
    """The papers' ceil(log number) to a base of at least 2, exactly."""
    exponent, power = 0, 1
    while power < number:
        exponent, power = exponent + 1, power * base
    return exponent
