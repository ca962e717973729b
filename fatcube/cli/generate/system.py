"""`fatcube generate system`: the Verilog of a network with processors, as it is simulated."""

from fatcube.cli.app import examples
from fatcube.cli.flags import made_from_flags, network_flags
from fatcube.cli.generate import generate_app
from fatcube.cli.generate.target import Target, target_flags
from noc.descriptions.description import describe
from noc.machines.system import System
from noc.network import Network
from sim.collectives.simulate import fitting_machine

__all__ = ["system"]


@generate_app.command(epilog=examples("generate system -d 2 -m 2 --ports d -o system.v"))
@made_from_flags(target=target_flags(), network=network_flags())
def system(*, network: Network, target: Target) -> None:
    """Write the Verilog of a network with processors that run schedules.

    It also has the barrier and the monitors that simulations need.
    """
    machine = fitting_machine(network)
    shared = System(machine, name=target.name).shared()
    target.write("system", network, shared, lambda: describe(network, "system", machine=machine))
