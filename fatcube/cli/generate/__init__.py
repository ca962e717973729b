"""`fatcube generate`: the Verilog of a router, a network or a system, a file per command of this group."""
