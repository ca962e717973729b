// bsg_wormhole_router of a 2-dimensional mesh: its address is an array, which no parameter of a command line can be.
module bsg_wormhole #(
  parameter int width = 32,
  parameter int length_bits = 4
) (
  input logic clk,
  input logic rst,
  input logic [4:0][width+1:0] link_i,
  output logic [4:0][width+1:0] link_o,
  input logic [3:0] address
);

  bsg_wormhole_router #(
    .flit_width_p(width),
    .dims_p(2),
    .cord_markers_pos_p('{4, 2, 0}),
    .len_width_p(length_bits)
  ) router (
    .clk_i(clk),
    .reset_i(rst),
    .link_i(link_i),
    .link_o(link_o),
    .my_cord_i(address)
  );

endmodule
