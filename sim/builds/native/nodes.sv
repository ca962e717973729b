// All nodes of a machine, which the harness evaluates once per rising edge. Their outputs come out of registers alone,
// so what they are after one edge is what their neighbours take at the next.
module nodes #(
  parameter I = 32,  // bits of all inputs, and of all outputs: see harness.cpp
  parameter O = 32
) (
  input clk,
  input [I-1:0] i,
  output reg [O-1:0] o
);
  import "DPI-C" function void fatcube_cycle(input bit [I-1:0] i, output bit [O-1:0] o);
  bit [O-1:0] next;
  initial o = 0;
  always @(posedge clk) begin
    fatcube_cycle(i, next);
    o <= next;
  end
endmodule
