package io.coppice.engine.io;

/// What the thread that calls for an I/O may be used for.
enum Caller {
  /// Nothing: it goes on at once.
  HANDS_OVER,
  /// One transfer to or from the device, if that can begin at once.
  LENDS,
  /// Whatever the I/O needs.
  BLOCKS
}
