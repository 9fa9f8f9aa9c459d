package io.coppice.scsi.limit;

/// The two buckets of one [Limits], and the demand that waits for them. Guarded by the lock of
/// [FairQueues].
final class Meter {

  private final TokenBucket ios;
  private final TokenBucket bytes;
  private int waitingIos;
  private long waitingBytes;

  Meter(long burstNanos) {
    ios = new TokenBucket(burstNanos);
    bytes = new TokenBucket(burstNanos);
  }

  void limit(Limits limits, long now) {
    ios.rate(limits.maxIops(), now);
    bytes.rate(limits.maxBandwidth(), now);
  }

  boolean isReady(long now) {
    return ios.isReady(now) && bytes.isReady(now);
  }

  long readyAt() {
    return Math.max(ios.readyAt(), bytes.readyAt());
  }

  void charge(long size, long now) {
    ios.charge(1, now);
    bytes.charge(size, now);
  }

  void queued(int count, long size) {
    waitingIos += count;
    waitingBytes += size;
  }

  /// The time that the demand on `other` takes at the rates of this one, in nanoseconds.
  long backlogNanos(Meter other) {
    return Math.max(ios.nanosFor(other.waitingIos), bytes.nanosFor(other.waitingBytes));
  }
}
