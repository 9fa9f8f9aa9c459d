package io.coppice.engine.core;

import java.util.concurrent.atomic.LongAdder;

/// What hosts had done since the open.
final class Tally {
  final LongAdder hostBytesWritten = new LongAdder();
  final LongAdder hostBytesRead = new LongAdder();
  final LongAdder bytesCopiedByPointer = new LongAdder();
}
