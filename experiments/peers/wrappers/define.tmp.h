// What OpenPiton's preprocessor makes of define.h.pyv, as far as the dynamic node reads it: the widths of the network.
`include "network_define.v"
