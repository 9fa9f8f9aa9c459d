package io.coppice.scsi.limit;

import java.util.ArrayDeque;
import java.util.Iterator;

/// The I/Os of one volume that wait to be admitted, in order. Made by [FairQueues], which guards
/// everything in it.
final class FairQueue {

  /// Bytes that count as one more I/O when volumes share by weight.
  private static final double BYTES_PER_SHARE = 32 << 10;

  /// @param bytes the bytes that it moves
  /// @param since the time at which it came
  record Entry(LimitedIo io, long bytes, long since) {}

  /// Time beyond the burst by which an alarm may be late without taking from the rate, in
  /// nanoseconds. As much more may pass at once afterwards, so it is small.
  private static final long LATEST = 30_000_000;

  private final Meter meter;
  private final Runnable look;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>(0);
  private Share share;
  private int weight = LimitAttributes.DEFAULT_WEIGHT;
  private double tag;

  /// I/Os that were let go and have not all begun: none may overtake them.
  private boolean releasing;

  FairQueue(Share share, long burstNanos, Runnable look) {
    this.share = share;
    this.meter = new Meter(burstNanos);
    this.look = look;
  }

  Share share() {
    return share;
  }

  void moveTo(Share next) {
    if (share != next) {
      boolean waits = share.waiting().remove(this);
      share = next;
      tag = 0;
      if (waits) {
        next.began(this);
      }
    }
  }

  Meter meter() {
    return meter;
  }

  int weight() {
    return weight;
  }

  void weight(int next) {
    weight = next;
  }

  double tag() {
    return tag;
  }

  void joinAt(double virtualTime) {
    tag = Math.max(tag, virtualTime);
  }

  Runnable look() {
    return look;
  }

  boolean isReleasing() {
    return releasing;
  }

  void releasing(boolean now) {
    releasing = now;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  int size() {
    return entries.size();
  }

  void add(Entry entry, boolean first) {
    if (entries.isEmpty()) {
      share.began(this);
    }
    if (first) {
      entries.addFirst(entry);
    } else {
      entries.addLast(entry);
    }
    count(entry, 1);
  }

  /// Takes the first of the waiting I/Os, which has waited long enough. It is charged as of the
  /// moment at which it could have begun: a late alarm takes nothing from the rate.
  Entry take(long now) {
    Entry entry = entries.removeFirst();
    long due = Math.max(entry.since(), Math.max(meter.readyAt(), share.meter().readyAt()));
    left(entry);
    charge(entry.bytes(), Math.clamp(due, now - LATEST, now));
    return entry;
  }

  boolean remove(LimitedIo io) {
    for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
      Entry entry = each.next();
      if (entry.io().equals(io)) {
        each.remove();
        left(entry);
        return true;
      }
    }
    return false;
  }

  void charge(long bytes, long now) {
    meter.charge(bytes, now);
    share.served(this, bytes, now);
    tag += (1 + bytes / BYTES_PER_SHARE) / weight;
  }

  /// The time that the I/Os waiting here will take, in nanoseconds, while others have their shares.
  long backlogNanos() {
    return Math.max(
        meter.backlogNanos(meter), (long) (share.meter().backlogNanos(meter) * share.others(this)));
  }

  private void left(Entry entry) {
    count(entry, -1);
    if (entries.isEmpty()) {
      share.waiting().remove(this);
    }
  }

  private void count(Entry entry, int sign) {
    meter.queued(sign, sign * entry.bytes());
  }
}
