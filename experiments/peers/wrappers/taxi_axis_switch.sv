// taxi_axis_switch that forwards data and TLAST alone, to every output but the one of the same number.
module taxi_axis_switch_of_words #(
  parameter int ports = 5,
  parameter int width = 32
) (
  input logic clk,
  input logic rst,
  input logic [ports-1:0][width-1:0] s_tdata,
  input logic [ports-1:0] s_tvalid,
  output logic [ports-1:0] s_tready,
  input logic [ports-1:0] s_tlast,
  input logic [ports-1:0][$clog2(ports)-1:0] s_tdest,
  output logic [ports-1:0][width-1:0] m_tdata,
  output logic [ports-1:0] m_tvalid,
  input logic [ports-1:0] m_tready,
  output logic [ports-1:0] m_tlast
);

  typedef logic turns_of_ports[ports][ports];

  // The element of input i at output i is 0.
  function automatic turns_of_ports turns();
    for (int to = 0; to < ports; to++)
      for (int from = 0; from < ports; from++) turns[to][from] = from != to;
  endfunction

  taxi_axis_if #(.DATA_W(width), .KEEP_EN(0), .DEST_EN(1), .DEST_W($clog2(ports))) s_axis[ports] ();
  taxi_axis_if #(.DATA_W(width), .KEEP_EN(0), .DEST_EN(1), .DEST_W($clog2(ports))) m_axis[ports] ();

  for (genvar i = 0; i < ports; i++) begin : streams
    assign s_axis[i].tdata = s_tdata[i];
    assign s_axis[i].tkeep = '0;
    assign s_axis[i].tstrb = '0;
    assign s_axis[i].tid = '0;
    assign s_axis[i].tdest = s_tdest[i];
    assign s_axis[i].tuser = '0;
    assign s_axis[i].tlast = s_tlast[i];
    assign s_axis[i].tvalid = s_tvalid[i];
    assign s_tready[i] = s_axis[i].tready;
    assign m_tdata[i] = m_axis[i].tdata;
    assign m_tvalid[i] = m_axis[i].tvalid;
    assign m_axis[i].tready = m_tready[i];
    assign m_tlast[i] = m_axis[i].tlast;
  end

  taxi_axis_switch #(
    .S_COUNT(ports),
    .M_COUNT(ports),
    .AUTO_ADDR(1),
    .M_CONNECT(turns()),
    .S_REG_TYPE(0),
    .M_REG_TYPE(2)
  ) router (
    .clk(clk),
    .rst(rst),
    .s_axis(s_axis),
    .m_axis(m_axis)
  );

endmodule
