// router_ravenoc with plain ports in place of its interfaces: north, south, west, east and local, from bit 0 on.
module ravenoc
  import ravenoc_pkg::*;
(
  input logic clk,
  input logic rst,
  input logic [4:0][FlitWidth-1:0] data_i,
  input logic [4:0] valid_i,
  output logic [4:0] ready_o,
  output logic [4:0][FlitWidth-1:0] data_o,
  output logic [4:0] valid_o,
  input logic [4:0] ready_i
);

  router_if from[5] ();
  router_if to[5] ();

  for (genvar port = 0; port < 5; port++) begin : gen_ports
    assign from[port].req.fdata = data_i[port];
    assign from[port].req.vc_id = '0;
    assign from[port].req.valid = valid_i[port];
    assign ready_o[port] = from[port].resp.ready;
    assign data_o[port] = to[port].req.fdata;
    assign valid_o[port] = to[port].req.valid;
    assign to[port].resp.ready = ready_i[port];
  end

  router_ravenoc #(
    .ROUTER_X_ID(1),
    .ROUTER_Y_ID(1)
  ) router (
    .clk(clk),
    .arst(rst),
    .north_send(to[0].send_flit),
    .north_recv(from[0].recv_flit),
    .south_send(to[1].send_flit),
    .south_recv(from[1].recv_flit),
    .west_send(to[2].send_flit),
    .west_recv(from[2].recv_flit),
    .east_send(to[3].send_flit),
    .east_recv(from[3].recv_flit),
    .local_send(to[4].send_flit),
    .local_recv(from[4].recv_flit),
    .full_wr_fifo_o()
  );

endmodule
