"""Clock sources of boards: a file for each primitive of an FPGA family that makes a clock from an oscillator."""
