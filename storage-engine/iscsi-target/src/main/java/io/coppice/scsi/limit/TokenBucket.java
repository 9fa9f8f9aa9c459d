package io.coppice.scsi.limit;

/// A token bucket, kept as the time at which it will be free of debt. Each charge moves that time
/// on by its cost at the rate. An idle bucket saves up to the burst.
///
/// An I/O passes whole as soon as there is no debt, and may leave one. So an I/O larger than the
/// burst passes too, and the average is exact. In any window of T seconds at most rate × (T + burst
/// + what is granted for a late alarm) and one I/O pass. Guarded by the lock of [FairQueues].
final class TokenBucket {

  private static final long SECOND = 1_000_000_000L;

  /// A cap that keeps the product of a charge and a second within 63 bits.
  private static final long LARGEST_CHARGE = 1L << 30;

  private final long burstNanos;
  private long rate;
  private long paidUntil;

  TokenBucket(long burstNanos) {
    this.burstNanos = burstNanos;
  }

  /// @param perSecond 0 for no limit
  void rate(long perSecond, long now) {
    if (rate != perSecond) {
      long debt = Math.max(0, paidUntil - now);
      // The debt stays, in units: at a higher rate it is paid off sooner.
      paidUntil =
          rate == 0 || perSecond == 0 ? now : now + (long) ((double) debt * rate / perSecond);
      rate = perSecond;
    }
  }

  boolean isReady(long now) {
    return rate == 0 || readyAt() <= now;
  }

  /// The time at which the next I/O may pass.
  long readyAt() {
    return rate == 0 ? 0 : paidUntil - burstNanos;
  }

  void charge(long units, long now) {
    if (rate != 0) {
      paidUntil = Math.max(now, paidUntil) + Math.min(units, LARGEST_CHARGE) * SECOND / rate;
    }
  }

  /// The time that this many units take, in nanoseconds.
  long nanosFor(long units) {
    return rate == 0 ? 0 : (long) ((double) units * SECOND / rate);
  }
}
