"""How many steps the collectives take on the networks that `fatcube explore` chooses from, known without a search.

A schedule for 64 processors takes up to seconds to construct, and only its steps are needed to compare networks.
They stand in steps.json, which is made anew from the constructions by

    python -m fatcube.steps
"""

import functools
from importlib import resources
import json
from pathlib import Path

from fatcube.record import write_text
from noc.cubes import FatCube, Hypercube
from rtl.parameters import check_integer
from rtl.port_model import PortModel
from schedules.collective import Collective
from schedules.construct import construct
from schedules.cycles import StepKinds, count_steps

__all__ = ["candidates", "steps_of"]


_LANES = (1, 2, 4)
_KNOWN = (2, 4, 8, 16, 32, 64)  # processors


def candidates(processors):
    """The hypercube and the fat cubes with that number of processors, of 1, 2 and 4 lanes a link.

    Never more lanes than processors on a node.

    Raises
    ------
    ParameterError
        If there can be none.
    """
    check_integer("processors to choose for", processors, minimum=2, maximum=256)
    found = []
    for d in range(1, processors.bit_length()):
        m, rest = divmod(processors, 1 << d)
        if rest == 0 and m == 1:
            found.append(Hypercube(d))
        elif rest == 0:
            found += [FatCube(d, m, f) for f in _LANES if f <= m]
    return found


def steps_of(topology, ports, collective):
    """The :class:`StepKinds` of the schedule that :func:`schedules.construct.construct` gives, from processor 0.

    Raises
    ------
    ParameterError
        If there is no such model or collective.
    """
    known = _table().get(_name(topology, PortModel.parse(ports), Collective.parse(collective)))
    return StepKinds(*known) if known else count_steps(construct(topology, ports, collective))


def _name(topology, ports, collective):
    return f"{topology} ports={ports.value} {collective.value}"


@functools.cache
def _table():
    return json.loads(resources.files("fatcube").joinpath("steps.json").read_text(encoding="utf-8"))


def _lines(known=_KNOWN):
    """The table, counted anew: name and steps by kind."""
    for processors in known:
        for topology in candidates(processors):
            for ports in PortModel:
                for collective in Collective:
                    yield _name(topology, ports, collective), list(count_steps(construct(topology, ports, collective)))


if __name__ == "__main__":
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(steps)}" for name, steps in _lines())
    write_text(Path(__file__).with_name("steps.json"), f"{{\n{text}\n}}\n")
