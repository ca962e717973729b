"""When direct transfers, combining and half-duplex links pay: cycles, LUTs and wires of every machine model, and the plane of
start-up time and time per flit. Run by `python -m fatcube.studies.pays`; never here: how a schedule is found."""
