"""Few choices that have every pair of values in one of them: most faults of options take no more than two to show."""

import itertools
import random

from fatcube.groundwork.validation import ParameterError

__all__ = ["Covering"]


class Covering:
    """Choices of a value for each name, with every pair of values that go together in at least one of them.

    Parameters
    ----------
    choices : dict
        The values by name.
    make : callable
        Makes what a choice, with a value for each name, is of; raises ``ParameterError`` if it does not go together.
    plain : callable
        Makes a choice of some values complete, with others that nearly everything goes together with.
    """

    def __init__(self, choices, make, plain):
        self._choices, self._make, self._plain = choices, make, plain

    def pairs(self, chosen):
        """The pairs of values of a choice, each with its name."""
        return set(itertools.combinations(((name, chosen[name]) for name in self._choices if name in chosen), 2))

    def possible(self):
        """Each pair that goes together in any choice, with one that has it and at most one more that is not plain."""
        found = {}
        for one, other in itertools.combinations(self._choices, 2):
            for values in itertools.product(self._choices[one], self._choices[other]):
                pair = ((one, values[0]), (other, values[1]))
                more = [{}, *({name: value} for name, values in self._choices.items() for value in values)]
                legal = (chosen for added in more if self._together(chosen := self._plain(added | dict(pair))))
                if complete := next(legal, None):
                    found[pair] = complete
        return found

    def _together(self, chosen):
        try:
            self._make(self._plain(chosen))
        except ParameterError:
            return False
        return True

    def find(self, *, seed=0, tries=30):
        """The choices.

        Each is the best of some tries, in which one value after the other is chosen for the most pairs that are missing.
        """
        dice = random.Random(seed)
        missing = self.possible()

        def attempt():
            pair = dice.choice(list(missing))
            chosen = dict(pair)
            if not self._together(chosen):
                return missing[pair]
            for name in dice.sample(list(self._choices), len(self._choices)):
                if name not in chosen:
                    tried = [chosen | {name: value} for value in self._choices[name]]
                    legal = [one for one in tried if self._together(one)]
                    chosen = max(legal, key=lambda one: (len(self.pairs(one) & missing.keys()), dice.random()))
            return chosen

        found = []
        while missing:
            chosen = max((attempt() for _ in range(tries)), key=lambda one: len(self.pairs(one) & missing.keys()))
            for pair in self.pairs(chosen):
                missing.pop(pair, None)
            found.append(chosen)
        return found
