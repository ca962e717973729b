"""The clocks that boards can have: a file per primitive of an FPGA family that makes one from an oscillator."""
