package io.coppice.engine.io;

import java.util.concurrent.atomic.LongAdder;

/// The count of what hosts had done since the open.
public final class HostIoCounters {
  public final LongAdder hostBytesWritten = new LongAdder();
  public final LongAdder hostBytesRead = new LongAdder();
  public final LongAdder bytesCopiedByPointer = new LongAdder();
}
