// floo_router with source routing and virtual channels on one link, as a module of plain ports.
module floo_channels #(
  parameter int unsigned ports = 5,
  parameter int unsigned channels = 2,
  parameter int unsigned depth = 8,
  parameter int unsigned hops = 6,
  parameter int unsigned width = 32,
  localparam int unsigned route_width = hops * $clog2(ports)
) (
  input  logic                              clk,
  input  logic                              rst_n,
  input  logic [ports-1:0][channels-1:0]    in_valid,
  output logic [ports-1:0][channels-1:0]    in_ready,
  input  logic [ports-1:0]                  in_last,
  input  logic [ports-1:0][route_width-1:0] in_route,
  input  logic [ports-1:0][width-1:0]       in_data,
  output logic [ports-1:0][channels-1:0]    out_valid,
  input  logic [ports-1:0][channels-1:0]    out_ready,
  output logic [ports-1:0]                  out_last,
  output logic [ports-1:0][route_width-1:0] out_route,
  output logic [ports-1:0][width-1:0]       out_data
);
  // A header has no more than this routing reads; the router finds the route in dst_id.
  typedef struct packed {
    logic [route_width-1:0] dst_id;
    logic last;
    floo_pkg::collect_op_e collective_op;
  } header_t;

  typedef struct packed {
    header_t hdr;
    logic [width-1:0] payload;
  } flit_t;

  flit_t [ports-1:0] in_flit, out_flit;

  for (genvar port = 0; port < ports; port++) begin : gen_ports
    // No flit is part of a collective operation.
    assign in_flit[port] = {in_route[port], in_last[port], floo_pkg::Unicast, in_data[port]};
    assign out_last[port] = out_flit[port].hdr.last;
    assign out_route[port] = out_flit[port].hdr.dst_id;
    assign out_data[port] = out_flit[port].payload;
  end

  // Coordinates, table and reduction belong to other routings, credits to other kinds of virtual channels.
  floo_router #(
    .NumRoutes(ports),
    .NumVirtChannels(channels),
    .NumPhysChannels(1),
    .InFifoDepth(depth),
    .OutFifoDepth(0),
    .RouteAlgo(floo_pkg::SourceRouting),
    .IdWidth(1),
    .NoLoopback(1'b1),
    .flit_t(flit_t),
    .hdr_t(header_t)
  ) router (
    .clk_i(clk),
    .rst_ni(rst_n),
    .test_enable_i(1'b0),
    .xy_id_i('0),
    .id_route_map_i('0),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .data_i(in_flit),
    .credit_o(),
    .valid_o(out_valid),
    .ready_i(out_ready),
    .data_o(out_flit),
    .credit_i('0),
    .offload_req_o(),
    .offload_rsp_i('0)
  );
endmodule
