"""List schedules: which tasks go first, which wait, and when none can go."""

from fatcube.schedules.constructions.list_schedule import list_schedule


def scheduled(then, urgency, alike, room):
    """The tasks of each step, into which so many fit."""

    def begin(number):
        left = [room]

        def take(task):
            left[0] -= 1
            return left[0] >= 0

        return take

    return list_schedule(then, urgency, alike, begin)


def test_the_most_urgent_go_first():
    """Catches an order by name or by number, and a task that goes in the step of what it waits for."""
    assert scheduled([[], [], [3], []], [2, 1, 0, -1], ["a", "b", "c", "a"], room=2) == [[2, 1], [3, 0]]


def test_what_takes_no_time():
    """Catches a task without a name that takes a step, or ends before all that it waits for."""
    assert scheduled([[2], [2], [3], []], [0, 1, 2, 3], ["a", "b", None, "c"], room=1) == [[0], [1], [3]]


def test_none_fits():
    """Catches an endless loop."""
    assert scheduled([[], []], [0, 1], ["a", "b"], room=0) is None


def test_those_that_are_alike_wait_together():
    """Catches a task that overtakes a more urgent one which takes the same and found no room."""
    asked = []

    def begin(number):
        def take(task):
            asked.append((number, task))
            return task != 0 or number > 1

        return take

    assert list_schedule([[], [], []], [0, 1, 2], ["a", "a", "b"], begin) == [[2], [0, 1]]
    assert (1, 1) not in asked
