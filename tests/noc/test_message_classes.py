"""Requests and replies: endpoints that answer block a network with one message class, and not one with two."""

import pytest

from fatcube.noc.routed_network import RoutedNetwork
from fatcube.noc.topologies.cubes import Hypercube
from fatcube.rtl.router_options import RouterOptions
from tests.support.cases import some
from tests.support.flat import FlatFabric
from tests.support.streams import flits_of, simulate, until

REQUEST, REPLY = 1, 2
COUNT, FLITS = 4, 10


class Server:
    """A processor that sends requests to all others in turn, and answers those that arrive, one at a time.

    While an answer has not been sent, it takes no further request. Answers have priority over requests.
    """

    def __init__(self, network, number, send, receive):
        self.network, self.number = network, number
        self.classes = network.message_classes
        others = [other for other in range(network.topology.processors) if other != number]
        self.requests = [others[index % len(others)] for index in range(COUNT)]
        self.answers = []  # their destinations
        self.answered = 0
        self.processes = [self.sender(port, stream) for port, stream in enumerate(send)]
        self.processes += [self.receiver(port, stream) for port, stream in enumerate(receive)]

    def packet(self, kind, other, port):
        ports = self.network.processor_ports
        [route] = self.network.routes(self.number * ports + port, other * ports + port)
        header = route | self.number << self.network.router().header.route_bits
        return [header, kind, *range(FLITS - 2)]

    def next_packet(self, port):
        """The next packet that the port is to send, and the list from which it comes."""
        if self.answers and port == self.classes - 1:
            return self.packet(REPLY, self.answers[0], port), self.answers
        if self.requests and port == 0:
            return self.packet(REQUEST, self.requests[0], port), self.requests
        return None, None

    def sender(self, port, stream):
        width = stream.payload.shape().width

        async def run(ctx):
            waiting, queue = [], None
            async for _, _, ready in ctx.tick().sample(stream.ready):
                if waiting and ready:
                    waiting.pop(0)
                    if not waiting:
                        queue.pop(0)
                if not waiting:
                    packet, queue = self.next_packet(port)
                    waiting = flits_of(packet, width) if packet else []
                ctx.set(stream.valid, bool(waiting))
                ctx.set(stream.payload.as_value(), waiting[0] if waiting else 0)

        return run

    def receiver(self, port, stream):
        width, header = stream.payload.shape().width, self.network.router().header

        async def run(ctx):
            part, ready = [], False
            async for _, _, valid, payload in ctx.tick().sample(stream.valid, stream.payload.as_value()):
                if valid and ready:
                    part.append(payload & (1 << width) - 1)
                    if payload >> width:
                        if part[1] == REQUEST:
                            self.answers.append(header.unpack_message(part[0]))
                        self.answered += part[1] == REPLY
                        part = []
                # Where replies have a port of their own, they are always taken.
                ready = not self.answers or (self.classes > 1 and port == self.classes - 1)
                ctx.set(stream.ready, ready)

        return run


@pytest.mark.parametrize(
    ("addressing", "classes", "ends"),
    [("route", 1, False), ("destination", 2, True), *some([("route", 2, True), ("destination", 1, False)], ())],
)
def test_endpoints_that_answer(addressing, classes, ends):
    options = RouterOptions(width=40, virtual_channels=2, buffer_depth=3)
    network = RoutedNetwork(Hypercube(2), options, message_classes=classes, addressing=addressing)
    flat = FlatFabric(network)
    servers = [Server(network, p, *both) for p, both in enumerate(zip(flat.send, flat.receive))]

    async def testbench(ctx):
        for node, router in enumerate(flat.routers):
            if network.tables:
                ctx.set(router.routes, network.tables[node])
        await until(ctx, lambda: all(server.answered == COUNT for server in servers), most=400)

    simulate(flat, testbench, *(process for server in servers for process in server.processes))
    assert all(server.answered == COUNT for server in servers) == ends


def test_ports_and_channels_of_a_class():
    """By hand: on a cube, which takes one class of channels, two classes of messages take two, and two ports."""
    network = RoutedNetwork(
        Hypercube(3), RouterOptions(width=40, virtual_channels=4, buffer_depth=3), message_classes=2
    )
    assert (network.processor_ports, network.endpoints, network.options.channel_classes) == (2, 16, 2)
    assert network.routes(0, 3) == [] and network.routes(1, 2) == []
    header = network.router().header
    outputs = header.selector_bits - header.class_bits
    [request], [reply] = network.routes(0, 2), network.routes(1, 3)
    assert request & (1 << outputs) - 1 == reply & (1 << outputs) - 1
    assert (request >> outputs & 1, reply >> outputs & 1) == (0, 1)
    # Ports of one class do not turn to those of the other.
    assert (0, 0) in network.turns and (0, 1) not in network.turns and (1, 0) not in network.turns
