"""Antonio, Lin and Metzger: balanced generalized hypercubes."""
