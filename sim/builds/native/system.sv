// What cocotb runs: the barrier, and all nodes behind it.
module system(
  input clk, rst, start, lockstep,
  input [15:0] payload_flits,
  input [4:0] slot_shift,
  input [31:0] reduced,
  input [15:0] last_flits,
  input [31:0] last_from, last_to, timeout,
  output running, finished, stalled,
  output [15:0] steps,
  output [31:0] cycles
);
  localparam INPUTS = 11, OUTPUTS = 3;
  wire [32*INPUTS-1:0] i;
  wire [64*OUTPUTS-1:0] o;
  wire go;
  wire [15:0] step;

  // Each in a word of its own, in the order of sim.parts.
  assign i = {
    cycles, 16'b0, step, 31'b0, go, last_to, last_from, 16'b0, last_flits, reduced, 27'b0, slot_shift, 16'b0, payload_flits, 31'b0, lockstep, 31'b0, rst
  };
  nodes #(.I($bits(i)), .O($bits(o))) nodes(.clk(clk), .i(i), .o(o));
  barrier barrier(
    .clk(clk), .rst(rst), .start(start), .lockstep(lockstep), .timeout(timeout),
    .all_done(o[0]), .all_finished(o[64]), .any_active(o[160]),
    .go(go), .step(step), .steps(steps), .cycles(cycles), .running(running), .finished(finished), .stalled(stalled)
  );
endmodule
