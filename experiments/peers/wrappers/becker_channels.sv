// Becker's router with virtual channels in a hypercube. Its parameters and ports, and no logic.
module becker_channels #(
  parameter int dimensions = 4,
  parameter int channels = 2,
  parameter int data_width = 32,
  parameter int buffer_size = 8,
  localparam int ports = dimensions + 1,
  localparam int channel_number = $clog2(channels),
  // Beside the data: link active, valid, channel, head and tail.
  localparam int channel_width = data_width + channel_number + 4,
  localparam int credit_width = channel_number + 1
) (
  input clk,
  input rst,
  input [0:dimensions-1] address,
  input [0:ports*channel_width-1] in,
  output [0:ports*credit_width-1] credit_out,
  output [0:ports*channel_width-1] out,
  input [0:ports*credit_width-1] credit_in
);
`include "c_constants.v"
`include "rtr_constants.v"
`include "vcr_constants.v"

  // Parameters that are not here have the values that vcr_top gives them.
  vcr_top #(
    .buffer_size(channels * buffer_size),
    .num_message_classes(1),
    .num_resource_classes(1),
    .num_vcs_per_class(channels),
    .num_routers_per_dim(2),
    .num_dimensions(dimensions),
    .num_nodes_per_router(1),
    .connectivity(`CONNECTIVITY_FULL),
    .packet_format(`PACKET_FORMAT_HEAD_TAIL),
    .flow_ctrl_type(`FLOW_CTRL_TYPE_CREDIT),
    .flit_data_width(data_width),
    .error_capture_mode(`ERROR_CAPTURE_MODE_NONE),
    .dim_order(`DIM_ORDER_ASCENDING),
    // As in the repository's parameters.v, which differs from vcr_top in these.
    .explicit_pipeline_register(1),
    .flow_ctrl_bypass(0),
    .elig_mask(`ELIG_MASK_FULL),
    .sw_alloc_spec_type(`SW_ALLOC_SPEC_TYPE_PRIO)
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
