// OpenPiton's dynamic node at a fixed place of its mesh.
module dynamic_node (
  input  logic             clk,
  input  logic             rst,
  input  logic [4:0]       in_valid,
  input  logic [4:0][63:0] in_data,
  output logic [4:0]       in_yummy,
  output logic [4:0]       out_valid,
  output logic [4:0][63:0] out_data,
  input  logic [4:0]       out_yummy
);
  dynamic_node_top_wrap node (
    .clk(clk),
    .reset_in(rst),
    .myChipID(14'd0), .myLocX(8'd1), .myLocY(8'd1),
    .dataIn_N(in_data[0]), .validIn_N(in_valid[0]), .yummyOut_N(in_yummy[0]),
    .dataIn_E(in_data[1]), .validIn_E(in_valid[1]), .yummyOut_E(in_yummy[1]),
    .dataIn_S(in_data[2]), .validIn_S(in_valid[2]), .yummyOut_S(in_yummy[2]),
    .dataIn_W(in_data[3]), .validIn_W(in_valid[3]), .yummyOut_W(in_yummy[3]),
    .dataIn_P(in_data[4]), .validIn_P(in_valid[4]), .yummyOut_P(in_yummy[4]),
    .dataOut_N(out_data[0]), .validOut_N(out_valid[0]), .yummyIn_N(out_yummy[0]),
    .dataOut_E(out_data[1]), .validOut_E(out_valid[1]), .yummyIn_E(out_yummy[1]),
    .dataOut_S(out_data[2]), .validOut_S(out_valid[2]), .yummyIn_S(out_yummy[2]),
    .dataOut_W(out_data[3]), .validOut_W(out_valid[3]), .yummyIn_W(out_yummy[3]),
    .dataOut_P(out_data[4]), .validOut_P(out_valid[4]), .yummyIn_P(out_yummy[4]),
    .thanksIn_P()
  );
endmodule
