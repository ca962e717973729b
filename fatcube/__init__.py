"""The front door: command line, studies, records, reports; what a user of the library needs at hand.

Thin: it calls the other folders. Never here: hardware, graphs, algorithms.
"""

from noc.ccc import CubeConnectedCycles
from noc.cubes import FatCube, Hypercube
from noc.fabric import Fabric
from noc.generalized import DenseGHC, SparseGHC
from noc.network import Network
from noc.system import Machine, System
from noc.verilog import to_verilog
from rtl.parameters import ParameterError
from rtl.port_model import PortModel
from rtl.router import FatNodeRouter
from rtl.router_parameters import RouterParameters
from schedules.checker import ScheduleError, check
from schedules.collective import Collective
from schedules.construct import best
from schedules.schedule import Schedule, Transfer
from sim.simulate import Run, fitting_machine, simulate, simulate_all
from synth.measure import synthesize

__all__ = [
    "Collective", "CubeConnectedCycles", "DenseGHC", "Fabric", "FatCube", "FatNodeRouter", "Hypercube", "Machine",
    "Network", "ParameterError", "PortModel", "RouterParameters", "Run", "Schedule", "ScheduleError", "SparseGHC",
    "System", "Transfer", "best", "check", "fitting_machine", "simulate", "simulate_all", "synthesize", "to_verilog",
]
