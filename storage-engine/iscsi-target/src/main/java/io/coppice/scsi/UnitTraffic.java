package io.coppice.scsi;

import java.util.concurrent.atomic.LongAdder;

/// How much a unit read and wrote since the provider started. Safe for any thread; an addition
/// costs a few nanoseconds and allocates nothing.
final class UnitTraffic {

  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder blocksSent = new LongAdder();
  private final LongAdder blocksReceived = new LongAdder();

  void read(long blocks) {
    reads.increment();
    blocksSent.add(blocks);
  }

  void written(long blocks) {
    writes.increment();
    blocksReceived.add(blocks);
  }

  long reads() {
    return reads.sum();
  }

  long writes() {
    return writes.sum();
  }

  long blocksSent() {
    return blocksSent.sum();
  }

  long blocksReceived() {
    return blocksReceived.sum();
  }
}
