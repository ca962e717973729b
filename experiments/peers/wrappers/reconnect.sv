// ReCONNECT's router with stages behind arbitration and at outputs, as a module of plain ports. It can make all turns but the
// one back.
module reconnect #(
  parameter int ports = 5,
  parameter int width = 32,
  parameter int depth = 8,
  parameter bit route_stage = 0,
  localparam int destination = $clog2(ports)
) (
  input  logic                              clk,
  input  logic                              rst_n,
  input  logic [ports-1:0]                  in_valid,
  input  logic [ports-1:0]                  in_last,
  input  logic [ports-1:0][destination-1:0] in_destination,
  input  logic [ports-1:0][width-1:0]       in_data,
  output logic [ports-1:0]                  in_credit,
  output logic [ports-1:0]                  out_valid,
  output logic [ports-1:0]                  out_last,
  output logic [ports-1:0][destination-1:0] out_destination,
  output logic [ports-1:0][width-1:0]       out_data,
  input  logic [ports-1:0]                  out_credit
);
  wire send_in[ports], is_tail_in[ports], credit_in[ports];
  wire [width-1:0] data_in[ports];
  wire [destination-1:0] dest_in[ports];
  logic send_out[ports], is_tail_out[ports], credit_out[ports];
  logic [width-1:0] data_out[ports];
  logic [destination-1:0] dest_out[ports];
  bit back[ports][ports];

  for (genvar port = 0; port < ports; port++) begin : gen_ports
    assign send_in[port] = in_valid[port];
    assign is_tail_in[port] = in_last[port];
    assign dest_in[port] = in_destination[port];
    assign data_in[port] = in_data[port];
    assign in_credit[port] = credit_out[port];
    assign out_valid[port] = send_out[port];
    assign out_last[port] = is_tail_out[port];
    assign out_destination[port] = dest_out[port];
    assign out_data[port] = data_out[port];
    assign credit_in[port] = out_credit[port];
    for (genvar other = 0; other < ports; other++) assign back[port][other] = port == other;
  end

  router #(
    .NOC_NUM_ENDPOINTS(ports),
    .NUM_INPUTS(ports),
    .NUM_OUTPUTS(ports),
    .DEST_WIDTH(destination),
    .FLIT_WIDTH(width),
    .FLIT_BUFFER_DEPTH(depth),
    .PIPELINE_ROUTE_COMPUTE(route_stage),
    .PIPELINE_ARBITER(1),
    .PIPELINE_OUTPUT(1)
  ) router (
    .clk(clk),
    .rst_n(rst_n),
    .data_in(data_in),
    .dest_in(dest_in),
    .is_tail_in(is_tail_in),
    .send_in(send_in),
    .credit_out(credit_out),
    .data_out(data_out),
    .dest_out(dest_out),
    .is_tail_out(is_tail_out),
    .send_out(send_out),
    .credit_in(credit_in),
    .DISABLE_TURNS(back)
  );
endmodule
