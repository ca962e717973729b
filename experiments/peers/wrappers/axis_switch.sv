// axis_switch that forwards data and TLAST alone, to every output but the one of the same number.
module axis_switch_of_words #(
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

  // The bit of input i at output i is 0.
  function automatic logic [ports*ports-1:0] turns();
    for (int from = 0; from < ports; from++)
      for (int to = 0; to < ports; to++) turns[to*ports+from] = from != to;
  endfunction

  axis_switch #(
    .S_COUNT(ports),
    .M_COUNT(ports),
    .DATA_WIDTH(width),
    .KEEP_ENABLE(0),
    .ID_ENABLE(0),
    .M_DEST_WIDTH(0),
    .USER_ENABLE(0),
    .M_CONNECT(turns()),
    .S_REG_TYPE(0),
    .M_REG_TYPE(2)
  ) router (
    .clk(clk),
    .rst(rst),
    .s_axis_tdata(s_tdata),
    .s_axis_tkeep('0),
    .s_axis_tvalid(s_tvalid),
    .s_axis_tready(s_tready),
    .s_axis_tlast(s_tlast),
    .s_axis_tid('0),
    .s_axis_tdest(s_tdest),
    .s_axis_tuser('0),
    .m_axis_tdata(m_tdata),
    .m_axis_tkeep(),
    .m_axis_tvalid(m_tvalid),
    .m_axis_tready(m_tready),
    .m_axis_tlast(m_tlast),
    .m_axis_tid(),
    .m_axis_tdest(),
    .m_axis_tuser()
  );

endmodule
