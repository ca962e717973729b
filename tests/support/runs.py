"""Properties of a run that went well."""


def expected_deliveries(topology, collective):
    """Messages that must be found somewhere, whatever schedule brings them there."""
    processors = topology.processors
    return {
        "OAB": processors,
        "AAB": processors**2,
        "OAS": processors - 1,
        "AOG": processors - 1,
        "AAS": processors * (processors - 1),
        "AOR": 1,
        "AAR": processors,
        "all-reduce": processors**2,
    }[collective.value]


def check_result(run, result):
    """Check the properties of every good run."""
    schedule = run.schedule
    topology = schedule.topology
    assert result.failures == ()
    assert result.delivered == expected_deliveries(topology, schedule.collective) * schedule.parts
    if run.lockstep:
        assert result.steps == schedule.steps
        assert result.conflicts == 0
        # A step takes a header, the payload and three cycles; one in which nothing is sent is over earlier.
        busy = len({transfer.step for transfer in schedule.transfers})
        if busy == schedule.steps:
            assert result.cycles == schedule.steps * (run.payload_flits + 4)
    else:
        assert result.steps == 0
    # A transfer to another node leaves two routers, one within a node leaves one.
    flits = run.payload_flits + 1
    crossing = sum(transfer.lane is not None for transfer in schedule.transfers)
    assert result.lane_flits == crossing * flits
    assert result.flits == (crossing + len(schedule.transfers)) * flits
    lanes = topology.graph.number_of_edges() * (1 if topology.directed else 2)
    assert result.lane_utilisation == result.lane_flits / (lanes * result.cycles)
