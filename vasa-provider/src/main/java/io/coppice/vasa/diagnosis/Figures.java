package io.coppice.vasa.diagnosis;

import java.util.List;

/// The figures from which a cause follows. All are 0 or more.
///
/// | Component | Meaning |
/// |---|---|
/// | `seconds` | length of the window |
/// | `commands`, `bytes` | what began in it, and what that was to move |
/// | `deviceNanos`, `queueNanos`, `limitNanos` | mean of a command, by phase |
/// | `networkNanos` | round trip to the initiator; 0 if unknown |
/// | `neighbours` | other volumes that were used, those with the largest part first |
/// | `writtenBytes`, `movedBytes`, `scrubbedBytes` | by the array to its devices, by the cleaner, and read by the scrubber |
public record Figures(
    double seconds,
    long commands,
    long bytes,
    long deviceNanos,
    long queueNanos,
    long limitNanos,
    long networkNanos,
    List<Neighbour> neighbours,
    long writtenBytes,
    long movedBytes,
    long scrubbedBytes) {

  public Figures {
    neighbours = List.copyOf(neighbours);
  }

  /// Mean time of a command as its host sees it: all phases and one round trip.
  public long nanos() {
    return deviceNanos + queueNanos + limitNanos + networkNanos;
  }
}
