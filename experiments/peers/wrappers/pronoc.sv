// ProNoC's router of two stages, without its bypasses, as a module of plain ports.
module pronoc
  import pronoc_pkg::*;
#(
  localparam int unsigned ports = MAX_P
) (
  input  logic                       clk,
  input  logic                       rst,
  input  logic [RAw-1:0]             address,
  input  logic [ports-1:0]           in_valid,
  input  logic [ports-1:0][Fw-1:0]   in_flit,
  output logic [ports-1:0][V-1:0]    in_credit,
  output logic [ports-1:0]           out_valid,
  output logic [ports-1:0][Fw-1:0]   out_flit,
  input  logic [ports-1:0][V-1:0]    out_credit
);
  smartflit_chanel_t in[ports-1:0], out[ports-1:0];

  for (genvar port = 0; port < ports; port++) begin : gen_ports
    // The neighbours' buffers are as its own. Their addresses and congestion, and bypasses, belong to other settings.
    assign in[port] = '{
      flit_chanel: '{flit_wr: in_valid[port], flit: in_flit[port], credit: out_credit[port], congestion: '0},
      smart_chanel: '0,
      ctrl_chanel: '{
        endp_port: port == 0, neighbors_r_addr: '0, credit_init_val: {V{CRDTw'(B)}}, credit_release_en: '0
      }
    };
    assign out_valid[port] = out[port].flit_chanel.flit_wr;
    assign out_flit[port] = out[port].flit_chanel.flit;
    assign in_credit[port] = out[port].flit_chanel.credit;
  end

  // Its number is for messages of simulations, its events are for counters.
  router_top #(
    .P(ports)
  ) router (
    .clk(clk),
    .reset(rst),
    .current_r_id('0),
    .current_r_addr(address),
    .chan_in(in),
    .chan_out(out),
    .router_event()
  );
endmodule
