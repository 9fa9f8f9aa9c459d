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
/// @param from first moment
/// @param to last moment
/// @param number most replicas, 1 or more
/// @param name pattern of the name
/// @param tags patterns of the tags: each must match one tag
public record ReplicaQuery(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Integer number,
    @Nullable NamePattern name,
    List<NamePattern> tags) {

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

  /// Whether a replica has a name and tags that are wanted.
  ///
  /// @throws VasaException (InvalidArgument) if that cannot be decided in bounded time
  public boolean names(PointInTimeReplica replica) {
    return (name == null || name.matches(replica.name()))
        && tags.stream().allMatch(tag -> replica.tags().stream().anyMatch(tag::matches));
  }
}
