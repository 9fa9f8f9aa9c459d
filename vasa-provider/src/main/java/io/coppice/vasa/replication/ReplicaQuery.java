package io.coppice.vasa.replication;

import io.coppice.vasa.fault.VasaException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A choice of replicas of a group: those of a span of time, or a number of them before or after a
/// moment, with some name and tags. A null component asks for nothing.
///
/// A number goes with one moment: the first ones from it on, or the last ones until it.
///
/// @param from first moment
/// @param to last moment
/// @param number most replicas, 1 or more
/// @param name pattern of the name
/// @param tags patterns of the tags: each must match one tag
/// @param isDetailed whether each replica is wanted, however many there are
public record ReplicaQuery(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Integer number,
    @Nullable NamePattern name,
    List<NamePattern> tags,
    boolean isDetailed) {

  /// @throws VasaException (InvalidArgument) if one or three of from, to and number are given, from
  ///   is after to, or the number is below 1
  public ReplicaQuery {
    tags = List.copyOf(tags);
    long given = Stream.of(from, to, number).filter(Objects::nonNull).count();
    if (given != 0 && given != 2) {
      throw VasaException.invalidArgument(
          "expected none or two of fromDate, toDate and number, got " + given);
    }
    if (number != null && number < 1) {
      throw VasaException.invalidArgument("expected a number of 1 or more, got " + number);
    }
    if (from != null && to != null && from.isAfter(to)) {
      throw VasaException.invalidArgument(
          "expected a fromDate not after the toDate, got %s and %s".formatted(from, to));
    }
  }

  /// The replicas that are wanted, in their order.
  ///
  /// @param replicas all of a group, oldest first
  /// @throws VasaException (InvalidArgument) if names cannot be compared in bounded time
  public List<PointInTimeReplica> choose(List<PointInTimeReplica> replicas) {
    List<PointInTimeReplica> chosen =
        replicas.stream()
            .filter(replica -> from == null || !replica.at().isBefore(from))
            .filter(replica -> to == null || !replica.at().isAfter(to))
            .filter(this::names)
            .toList();
    if (number == null || number >= chosen.size()) {
      return chosen;
    }
    return from == null
        ? chosen.subList(chosen.size() - number, chosen.size())
        : chosen.subList(0, number);
  }

  private boolean names(PointInTimeReplica replica) {
    return (name == null || name.matches(replica.name()))
        && tags.stream().allMatch(tag -> replica.tags().stream().anyMatch(tag::matches));
  }
}
