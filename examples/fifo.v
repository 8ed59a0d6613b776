// A FIFO of four bytes. `count` is how many it holds.
//
// It has a bug: it takes a fifth byte, which overwrites the oldest one. With the macro REPAIRED it does not.

module fifo (
`ifdef FORMAL
  input        watch,
`endif
  input        clock,
  input        reset,
  input        push,
  input  [7:0] data_in,
  input        pop,
  output [7:0] data_out,
  output       full,
  output       empty
);
  reg [2:0] count = 0;
  wire pushed = push && !full;
  wire popped = pop && !empty;

`ifdef REPAIRED
  assign full = count == 4;
`else
  assign full = count > 4;
`endif
  assign empty = count == 0;

  ring ring (clock, reset, pushed, data_in, popped, data_out);

  always @(posedge clock)
    if (reset) count <= 0;
    else count <= count + pushed - popped;

`ifdef FORMAL
  // `watch` picks a byte to be watched on its way: `ahead` is how many are before it.
  reg watched = 0;
  reg [2:0] ahead = 0;
  reg [7:0] expected = 0;

  always @(posedge clock)
    if (reset) watched <= 0;
    else if (!watched && watch && pushed) begin
      watched <= 1;
      ahead <= count - popped;
      expected <= data_in;
    end else if (watched && popped) begin
      if (ahead == 0) watched <= 0;
      else ahead <= ahead - 1;
    end

  always @* begin
    room: assert (count <= 4);
    order: assert (!(watched && popped && ahead == 0) || data_out == expected);
  end
`endif
endmodule

// Where the bytes are: four places that are used in turn.
module ring (
  input        clock,
  input        reset,
  input        write,
  input  [7:0] in,
  input        read,
  output [7:0] out
);
  reg [7:0] bytes [0:3];
  reg [1:0] first = 0, free = 0;
  assign out = bytes[first];

  always @(posedge clock)
    if (reset) {first, free} <= 0;
    else begin
      if (write) bytes[free] <= in;
      free <= free + write;
      first <= first + read;
    end
endmodule
