package io.coppice.admin.volume;

import io.coppice.api.volume.BusyNeighbour;
import io.coppice.vasa.diagnosis.Diagnosed;
import io.coppice.vasa.diagnosis.Figures;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// The sentence of a diagnosis: the cause first, then what to do.
final class DiagnosisSentence {

  private static final double NANOS_PER_MILLI = 1e6;

  private DiagnosisSentence() {}

  /// @param neighbours those of the figures, the busiest first
  static String of(Diagnosed diagnosed, List<BusyNeighbour> neighbours, Duration slow) {
    Figures figures = diagnosed.figures();
    String whole = millis(figures.nanos());
    return switch (diagnosed.cause()) {
      case IDLE -> "Nothing was read or written, so nothing can be slow here.";
      case NONE ->
          "Nothing is slow: a command takes %s, less than %s; if it feels slow, look at its host."
              .formatted(whole, millis(slow.toNanos()));
      case LIMIT ->
          "Its own limit holds commands back for %s of %s; raise the limit, or ask for less."
              .formatted(millis(figures.limitNanos()), whole);
      case NETWORK ->
          "The network takes %s of %s for a round trip to the host; look at switches, cables and "
                  .formatted(millis(figures.networkNanos()), whole)
              + "the host's load.";
      case NEIGHBOUR ->
          "A neighbour, %s, causes %s of the load, and commands wait %s of %s behind others; limit it."
              .formatted(
                  name(neighbours.getFirst()),
                  percentOf(neighbours.getFirst()),
                  millis(figures.queueNanos()),
                  whole);
      case CLEANER ->
          "The cleaner moves %s of what the array writes, to make free space, and a command takes %s; "
                  .formatted(
                      percent((double) figures.movedBytes() / Math.max(1, figures.writtenBytes())),
                      whole)
              + "delete what is not needed, or enlarge the pool.";
      case QUEUE ->
          "Its own commands wait for each other for %s of %s; send fewer at a time, or spread them "
                  .formatted(millis(figures.queueNanos()), whole)
              + "over time.";
      case DEVICE ->
          "The device takes %s of %s; look at the health and the load of the array's disks."
              .formatted(millis(figures.deviceNanos()), whole);
    };
  }

  private static String percentOf(BusyNeighbour neighbour) {
    return Math.max(neighbour.commandsPercent(), neighbour.bytesPercent()) + " %";
  }

  private static String name(BusyNeighbour neighbour) {
    if (neighbour.vvol() == null) {
      return "a volume that this token does not see";
    }
    String name = Objects.requireNonNullElse(neighbour.name(), neighbour.vvol().toString());
    return neighbour.vm() == null
        ? "volume " + name
        : "volume %s of virtual machine %s".formatted(name, neighbour.vm());
  }

  private static String percent(double share) {
    return "%d %%".formatted(Math.round(100 * share));
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
  }
}
