// What cocotb runs with traffic: the phases, and all nodes behind them.
module system(
  input clk, rst, start,
  input [15:0] rate, packet_flits, source_pause, pause,
  input [4:0] histogram_shift,
  input [31:0] burst_begin,
  input [15:0] burst_end,
  input [31:0] warm_up, measured, cool_down, timeout,
  output running, finished, stalled,
  output [31:0] cycles
);
  localparam INPUTS = 12, OUTPUTS = 2;
  wire [32*INPUTS-1:0] i;
  wire [64*OUTPUTS-1:0] o;
  wire creating, measuring;

  // Each in a word of its own, in the order of sim.parts.
  assign i = {
    cycles, 31'b0, measuring, 31'b0, creating, 31'b0, running, 16'b0, burst_end, burst_begin,
    27'b0, histogram_shift, 16'b0, pause, 16'b0, source_pause, 16'b0, packet_flits, 16'b0, rate, 31'b0, rst
  };
  nodes #(.I($bits(i)), .O($bits(o))) nodes(.clk(clk), .i(i), .o(o));
  phases phases(
    .clk(clk), .rst(rst), .start(start), .warm_up(warm_up), .measured(measured), .cool_down(cool_down),
    .timeout(timeout), .all_idle(o[0]), .any_active(o[96]),
    .running(running), .creating(creating), .measuring(measuring), .cycles(cycles), .finished(finished), .stalled(stalled)
  );
endmodule
