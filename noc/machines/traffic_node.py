"""A node of a machine with traffic: a router, and an endpoint at each of its ports."""

from collections.abc import Iterator, Sequence
from typing import Any

from amaranth.hdl import C, Cat, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from fatcube.noc.machines.router_node import RouterNode
from fatcube.noc.machines.traffic_machine import TrafficMachine
from fatcube.noc.shared import Shared, module_name
from fatcube.rtl.endpoint.circuit_ends import CircuitReceiver, CircuitSender
from fatcube.rtl.endpoint.lane_counters import LaneCounters
from fatcube.rtl.endpoint.lane_ends import LaneReceiver, LaneSender
from fatcube.rtl.endpoint.traffic import TrafficRegion
from fatcube.rtl.endpoint.traffic_endpoint import TrafficEndpoint

__all__ = ["TrafficNode"]


_PHASE = {"running": 1, "creating": 1, "measuring": 1, "cycle": 32}
"""The inputs that say to all endpoints what time it is."""


class TrafficNode(RouterNode):
    """A router, and a :class:`TrafficEndpoint` at each port of its processors; of one alone, at its lanes too.

    See :class:`~fatcube.noc.machines.node.Node`, no output but the word on the host bus follows from an input in the same cycle.

    Members
    -------
    lanes : :py:`Out(LanePort(width, virtual_channels, answers)).array(channels, lanes)`
        See :class:`~fatcube.rtl.router.FatNodeRouter`.
        Unless it is alone.
    rate, packet_flits, source_pause, pause, histogram_shift, running, creating, measuring, cycle
        See :class:`TrafficEndpoint`, and so are ``burst_begin`` and ``burst_end`` if there are bursts.
    idle : :py:`Out(1)`
        Nothing is left to be sent.
    active : :py:`Out(1)`
        A flit was sent or received by an endpoint in the cycle before.
    flit_count, conflict_count, error_count : :py:`Out(32)`
        The counters of the router.
    unit : :py:`In(16)`
        The endpoint that the host bus addresses; all ones address all of them. The counters of lanes, if there are any,
        have the number behind those of the endpoints.
    host : :py:`In(HostBus(host_width, TrafficRegion))`

    Parameters
    ----------
    machine : :class:`TrafficMachine`
    name : :class:`str` or ``None``
        Prefix of the names of all modules that it uses.
    """

    lanes: Sequence[Sequence[Any]]
    idle: Signal
    measuring: Signal

    def __init__(self, machine: TrafficMachine, *, name: str | None = None) -> None:
        network = machine.built
        self.machine = machine
        self._settings = {**machine.settings, **_PHASE}
        self.shared_endpoint = Shared(
            TrafficEndpoint(
                machine.network.options.width,
                route_bits=machine.header.route_bits,
                address_bits=machine.address_bits,
                ways=machine.table,
                queue=machine.queue,
                bins=machine.bins,
                host_width=machine.host_width,
                bursts=machine.bursts,
                trace=machine.trace,
                log=machine.trace or machine.log,
                pairs=machine.details,
                answers=machine.answers,
                rates=machine.rates,
            ),
            module_name("endpoint", name),
        )
        router = network.router()
        super().__init__(
            network,
            {
                "lanes": Out(network.options.lane_port).array(0 if machine.alone else router.channels, router.lanes),
                **{name: In(width) for name, width in self._settings.items()},
                "idle": Out(1),
            },
            host_width=machine.host_width,
            regions=TrafficRegion,
            name=name,
        )

    def shared(self) -> Shared:
        """The node as a module with all modules that it uses."""
        return self._shared([self.shared_endpoint])

    def elaborate(self, platform: object) -> Module:
        m = Module()
        # A copy has the members of its signature, which a type checker does not know.
        endpoint: Any
        router = self._router(m)
        parameters = self.machine.network.router()
        endpoints: list[Any] = []
        ports = zip(parameters.input_names, parameters.output_names)
        lanes = [lane for lanes in self.lanes for lane in lanes]
        for port, (into, out) in enumerate(ports):
            if lanes and port >= parameters.processor_ports:
                lane = lanes[port - parameters.processor_ports]
                wiring.connect(m, wiring.flipped(lane.into), router[into])
                wiring.connect(m, router[out], wiring.flipped(lane.out))
                continue
            for send, receive in self._streams(m, port, router[into], router[out]):
                m.submodules[f"endpoint{len(endpoints)}"] = endpoint = self.shared_endpoint.copy()
                endpoints.append(endpoint)
                wiring.connect(m, endpoint.send, send)
                wiring.connect(m, receive, endpoint.receive)
                m.d.comb += [getattr(endpoint, name).eq(getattr(self, name)) for name in self._settings]
        if self.machine.answers:
            self._answer(m, endpoints)
        self._give_to_host(m, [*(endpoint.host for endpoint in endpoints), *self._counted(m)])
        m.d.comb += self.idle.eq(Cat(endpoint.idle for endpoint in endpoints).all())
        m.d.sync += self.active.eq(Cat(endpoint.active for endpoint in endpoints).any())
        return m

    def _answer(self, m: Module, endpoints: Sequence[Any]) -> None:
        """Let the endpoints of the upper half of each processor's ports answer what those of the lower half take."""
        ports = self.machine.network.processor_ports
        for number, endpoint in enumerate(endpoints):
            if number % ports < ports // 2:
                wiring.connect(m, endpoint.asked, endpoints[number + ports // 2].request)
            else:
                m.d.comb += endpoint.asked.ready.eq(1)

    def _counted(self, m: Module) -> Iterator[Any]:
        """The host bus of the counters of lanes, which is the unit behind the endpoints, if there are any."""
        if self.machine.node_lanes:
            m.submodules.lane_counters = counters = LaneCounters(
                self.machine.node_lanes, host_width=self.machine.host_width
            )
            lanes = [lane.out for lanes in self.lanes for lane in lanes]
            # With virtual channels a flit that is valid is taken.
            crossing = [lane.valid & getattr(lane, "ready", C(1)) for lane in lanes]
            m.d.comb += [counters.crosses.eq(Cat(crossing)), counters.measuring.eq(self.measuring)]
            yield counters.host

    def _streams(self, m: Module, port: int, into: Any, out: Any) -> Iterator[tuple[Any, Any]]:
        """The streams into a port of the router and out of it: of a lane, a pair for each virtual channel."""
        options, channels = self.machine.built.options, self.machine.network.router().virtual_channels(port)
        if self.machine.network.router().answers(port):
            sender: Any = CircuitSender(options.width, retry=options.setup_retry)
            receiver: Any = CircuitReceiver(options.width, retry=options.setup_retry)
        elif channels > 1:
            lane = options.width, channels, options.buffer_depth, options.shared_lanes
            sender, receiver = LaneSender(*lane), LaneReceiver(*lane)
        else:
            yield into, out
            return
        m.submodules[f"sender{port}"] = sender
        m.submodules[f"receiver{port}"] = receiver
        wiring.connect(m, sender.lane, into)
        wiring.connect(m, out, receiver.lane)
        if channels == 1:
            yield sender.i, receiver.o
            return
        for channel in range(channels):
            yield getattr(sender, f"i{channel}"), getattr(receiver, f"o{channel}")
