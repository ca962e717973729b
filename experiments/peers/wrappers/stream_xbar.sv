// cc_stream_xbar with a spill register at each output, its arbiters' own priorities, and nothing cleared but by reset.
module stream_xbar #(
  parameter int ports = 5,
  parameter int width = 32
) (
  input logic clk,
  input logic rst_n,
  input logic [ports-1:0][width-1:0] data_i,
  input logic [ports-1:0][$clog2(ports)-1:0] select_i,
  input logic [ports-1:0] valid_i,
  output logic [ports-1:0] ready_o,
  output logic [ports-1:0][width-1:0] data_o,
  output logic [ports-1:0][$clog2(ports)-1:0] source_o,
  output logic [ports-1:0] valid_o,
  input logic [ports-1:0] ready_i
);

  cc_stream_xbar #(
    .NumInp(ports),
    .NumOut(ports),
    .DataWidth(width),
    .OutSpillReg(1'b1),
    .AxiVldRdy(1'b0),
    .LockIn(1'b0)
  ) router (
    .clk_i(clk),
    .rst_ni(rst_n),
    .clr_i(1'b0),
    .clr_arb_i(1'b0),
    .rr_i('0),
    .data_i(data_i),
    .sel_i(select_i),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .data_o(data_o),
    .idx_o(source_o),
    .valid_o(valid_o),
    .ready_i(ready_i)
  );

endmodule
