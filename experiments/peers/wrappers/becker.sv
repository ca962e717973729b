// Becker's wormhole router in a network whose dimensions are fully connected: a hypercube with two routers in each, a
// flattened butterfly with more. Its parameters and ports, and no logic.
module becker #(
  parameter int routers_per_dimension = 2,
  parameter int dimensions = 4,
  parameter int nodes = 1,
  parameter int data_width = 32,
  parameter int buffer_size = 4,
  localparam int ports = dimensions * (routers_per_dimension - 1) + nodes,
  // Beside the data: link active, valid, head and tail.
  localparam int channel_width = data_width + 4
) (
  input clk,
  input rst,
  input [0:dimensions*$clog2(routers_per_dimension)-1] address,
  input [0:ports*channel_width-1] in,
  output [0:ports-1] credit_out,
  output [0:ports*channel_width-1] out,
  input [0:ports-1] credit_in
);
`include "c_constants.v"
`include "rtr_constants.v"

  // Parameters that are not here have the values that whr_top gives them.
  whr_top #(
    .buffer_size(buffer_size),
    .num_routers_per_dim(routers_per_dimension),
    .num_dimensions(dimensions),
    .num_nodes_per_router(nodes),
    .connectivity(`CONNECTIVITY_FULL),
    .packet_format(`PACKET_FORMAT_HEAD_TAIL),
    .flow_ctrl_type(`FLOW_CTRL_TYPE_CREDIT),
    .flit_data_width(data_width),
    .error_capture_mode(`ERROR_CAPTURE_MODE_NONE),
    .dim_order(`DIM_ORDER_ASCENDING),
    // On, and arbitration in the cycle of the request, as in the repository's parameters.v; whr_top's are the opposite.
    .explicit_pipeline_register(1),
    .precomp_ip_sel(0),
    .arbiter_type(`ARBITER_TYPE_ROUND_ROBIN_BINARY)
  ) router (
    .clk(clk),
    .reset(rst),
    .router_address(address),
    .channel_in_ip(in),
    .flow_ctrl_out_ip(credit_out),
    .channel_out_op(out),
    .flow_ctrl_in_op(credit_in),
    // Undefined where no errors are captured.
    .error()
  );
endmodule
