package io.coppice.replication;

import io.coppice.engine.StorageEngine;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// A point in time of a group on its way to another pool.
///
/// @param group the group's id, the same in both pools
/// @param id unique; the replica has it, too
/// @param number greater than those of all earlier cycles of the group, from 1
/// @param taken when the group's snapshots were taken, by the source's clock
/// @param name for people; empty if nobody gave one
/// @param tags for people
/// @param members 1 to [StorageEngine#MAX_GROUP], each volume and each snapshot once
public record Cycle(
    UUID group,
    UUID id,
    long number,
    Instant taken,
    String name,
    List<String> tags,
    List<Member> members) {

  /// Longest name, and longest tag, in characters.
  public static final int MAX_NAME = 256;

  /// Most tags of a cycle.
  public static final int MAX_TAGS = 16;

  /// @throws IllegalArgumentException if a bound is passed, or a volume or snapshot comes twice
  public Cycle {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(taken, "taken");
    tags = List.copyOf(tags);
    members = List.copyOf(members);
    if (number < 1) {
      throw new IllegalArgumentException("expected a number of 1 or more, got " + number);
    }
    requireName(name);
    tags.forEach(Cycle::requireName);
    if (tags.size() > MAX_TAGS) {
      throw new IllegalArgumentException(
          "expected at most %d tags, got %d".formatted(MAX_TAGS, tags.size()));
    }
    long volumes = members.stream().map(Member::id).distinct().count();
    long snapshots = members.stream().map(Member::snapshot).distinct().count();
    if (members.isEmpty()
        || members.size() > StorageEngine.MAX_GROUP
        || volumes < members.size()
        || snapshots < members.size()) {
      throw new IllegalArgumentException(
          "expected 1 to %d different volumes with a snapshot each, got %d with %d and %d different"
              .formatted(StorageEngine.MAX_GROUP, members.size(), volumes, snapshots));
    }
  }

  private static void requireName(String text) {
    if (text.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "expected a name or tag of at most %d characters, got %d"
              .formatted(MAX_NAME, text.length()));
    }
  }
}
