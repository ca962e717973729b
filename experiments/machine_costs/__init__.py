"""Machine costs: cycles, LUTs and wires of every machine model, and the plane of start-up time and time per flit, which say
when direct transfers, combining and half-duplex links pay. Never here: how a schedule is found."""
