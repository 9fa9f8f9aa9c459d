package io.coppice.api.volume;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A diagnosis of a virtual machine or volume: where its latency comes from.
///
/// @param cause `idle`, `none`, `limit`, `network`, `neighbour`, `cleaner`, `queue` or `device`
/// @param sentence the cause first, then what to do
/// @param window length of the time that was looked at, in milliseconds
/// @param commands reads and writes that began in it
/// @param bytes what these were to move
/// @param latency mean of a command as its host sees it, in microseconds
/// @param device its part for the device and the work for the command
/// @param queue its part for waiting for others
/// @param limit its part for being held back by a limit
/// @param network one round trip to the initiator; null if none has been measured
/// @param neighbours other volumes that were used, the busiest first, at most 5
/// @param writtenBytes bytes that the array wrote to its devices, for whatever reason
/// @param cleanerBytes bytes that its cleaner moved
/// @param scrubBytes bytes that its scrubber verified
public record Diagnosis(
    String cause,
    String sentence,
    long window,
    long commands,
    long bytes,
    long latency,
    LatencyPart device,
    LatencyPart queue,
    LatencyPart limit,
    @Nullable LatencyPart network,
    List<BusyNeighbour> neighbours,
    long writtenBytes,
    long cleanerBytes,
    long scrubBytes) {

  public Diagnosis {
    neighbours = List.copyOf(neighbours);
  }
}
