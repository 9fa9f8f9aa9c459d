package io.coppice.vasa.diagnosis;

/// The rules by which a cause follows from figures.
///
/// 1. Nothing began and nothing ended: idle. A mean below `slow`: none.
/// 2. The largest of limit and network is the cause if neither the device nor the queue is larger.
/// 3. Otherwise the array itself is slow, and whoever keeps it busy is the cause: the cleaner if it
///    moves a good part of what is written; a neighbour if commands wait in the queue and one
///    volume does most of what is done; the volume's own commands if they wait and nobody else does
///    much.
/// 4. What is left is the device.
final class LatencyRules {

  /// Part of the bytes written that the cleaner must move to be the cause.
  private static final double CLEANER = 0.25;

  /// Part of all commands or bytes that one neighbour must have to be the cause.
  private static final double NEIGHBOUR = 0.5;

  /// Part of device and queue together that must be waiting before a neighbour is to blame: what
  /// waits for nobody is not slowed by anybody.
  private static final double WAITING = 0.2;

  private LatencyRules() {}

  /// @param slowNanos mean time from which on commands are slow
  static LatencyCause of(Figures figures, long slowNanos) {
    if (figures.commands() == 0 && figures.nanos() == figures.networkNanos()) {
      return LatencyCause.IDLE;
    }
    if (figures.nanos() < slowNanos) {
      return LatencyCause.NONE;
    }
    long array = Math.max(figures.deviceNanos(), figures.queueNanos());
    if (figures.limitNanos() >= Math.max(array, figures.networkNanos())) {
      return LatencyCause.LIMIT;
    }
    if (figures.networkNanos() >= array) {
      return LatencyCause.NETWORK;
    }
    return ofArray(figures);
  }

  private static LatencyCause ofArray(Figures figures) {
    if (figures.movedBytes() > 0
        && figures.movedBytes() >= CLEANER * Math.max(1, figures.writtenBytes())) {
      return LatencyCause.CLEANER;
    }
    long both = figures.deviceNanos() + figures.queueNanos();
    boolean waits = figures.queueNanos() >= WAITING * both;
    if (waits
        && !figures.neighbours().isEmpty()
        && figures.neighbours().getFirst().share() >= NEIGHBOUR) {
      return LatencyCause.NEIGHBOUR;
    }
    return figures.queueNanos() > figures.deviceNanos() ? LatencyCause.QUEUE : LatencyCause.DEVICE;
  }
}
