package io.coppice.engine.io;

/// The work that the thread which calls for an I/O may do.
enum CallerThread {
  /// Nothing: it goes on at once.
  HANDS_OVER,
  /// One transfer to or from the device, if that can begin at once.
  LENDS,
  /// Whatever the I/O needs.
  BLOCKS
}
