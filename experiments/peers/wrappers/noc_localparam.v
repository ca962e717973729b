// ProNoC's settings, which its package includes: a mesh of 4 x 4, a processor a router, 1 virtual channel of 4 flits
// and 32 bits. All else is as in the file of this name that comes with its sources.
`ifdef NOC_LOCAL_PARAM
localparam TOPOLOGY = "MESH", T1 = 4, T2 = 4, T3 = 1;
localparam V = 1, C = 0, CVw = V, CLASS_SETTING = {V{1'b1}}, ESCAP_VC_MASK = 1'b1;
localparam B = 4, LB = 4, Fpay = 32;
localparam ROUTE_NAME = "XY", CAST_TYPE = "UNICAST", SELF_LOOP_EN = "NO", CONGESTION_INDEX = 3;
localparam PCK_TYPE = "MULTI_FLIT", MIN_PCK_SIZE = 2, BYTE_EN = 0;
localparam VC_REALLOCATION_TYPE = "NONATOMIC", COMBINATION_TYPE = "COMB_NONSPEC", AVC_ATOMIC_EN = 0;
localparam SWA_ARBITER_TYPE = "RRA", FIRST_ARBITER_EXT_P_EN = 1, WEIGHTw = 4;
localparam MUX_TYPE = "BINARY", ADD_PIPREG_AFTER_CROSSBAR = 1'b0;
// Bypasses, multicast, assertions and traffic of simulations, none of which there are.
localparam SSA_EN = "NO", SMART_MAX = 0, MCAST_ENDP_LIST = 32'hf, DEBUG_EN = 0;
localparam MAX_PCK_NUM = 1000000000, MAX_PCK_SIZ = 16383, MAX_SIM_CLKs = 1000000000, TIMSTMP_FIFO_NUM = 16;
`endif
