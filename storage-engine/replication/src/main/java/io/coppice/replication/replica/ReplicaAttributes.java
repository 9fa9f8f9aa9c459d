package io.coppice.replication.replica;

import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.replication.Cycle;
import io.coppice.replication.Member;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The attributes that make a snapshot part of a replica, and a volume the carrier of a member.
public final class ReplicaAttributes {

  /// Group of a snapshot or carrier, as its id.
  public static final String GROUP = "replication.group";

  /// Member that a snapshot or carrier belongs to, as its id.
  public static final String MEMBER = "replication.member";

  /// Cycle of a snapshot, as its id; of a carrier the one that made it. A volume with it is written
  /// by cycles alone.
  public static final String CYCLE = "replication.cycle";

  private static final String NUMBER = "replication.number";
  private static final String COUNT = "replication.members";
  private static final String TAKEN = "replication.taken";
  private static final String NAME = "replication.name";
  private static final String TAG = "replication.tag.";
  private static final String SOURCE = "source.";

  private ReplicaAttributes() {}

  /// Whether cycles alone write the volume.
  public static boolean isCarrier(VolumeInfo info) {
    return info.attributes().containsKey(CYCLE) && info.kind() == VolumeKind.WRITABLE;
  }

  /// Whether the snapshot belongs to a replica.
  public static boolean isReplica(VolumeInfo info) {
    return info.attributes().containsKey(CYCLE) && info.kind() == VolumeKind.SNAPSHOT;
  }

  /// The group of a snapshot or carrier; absent if it is neither.
  static Optional<UUID> group(VolumeInfo info) {
    try {
      return Optional.ofNullable(info.attributes().get(GROUP)).map(UUID::fromString);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// Those of the snapshot of a member.
  static Map<String, String> of(Cycle cycle, Member member) {
    Map<String, String> all = new HashMap<>();
    member.attributes().forEach((name, value) -> all.put(SOURCE + name, value));
    all.putAll(carrier(cycle, member));
    all.put(NUMBER, Long.toString(cycle.number()));
    all.put(COUNT, Integer.toString(cycle.members().size()));
    all.put(TAKEN, Long.toString(cycle.taken().toEpochMilli()));
    all.put(NAME, cycle.name());
    for (int i = 0; i < cycle.tags().size(); i++) {
      all.put(TAG + i, cycle.tags().get(i));
    }
    return all;
  }

  /// Those of the carrier of a member.
  public static Map<String, String> carrier(Cycle cycle, Member member) {
    return Map.of(
        GROUP, cycle.group().toString(),
        MEMBER, member.id().toString(),
        CYCLE, cycle.id().toString());
  }

  /// What the source's control plane said about the member.
  public static Map<String, String> ofSource(VolumeInfo snapshot) {
    return snapshot.attributes().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(SOURCE))
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().substring(SOURCE.length()), Map.Entry::getValue));
  }

  /// A snapshot as a part of a replica.
  ///
  /// @param count snapshots of the whole replica
  record Part(
      UUID group,
      UUID cycle,
      UUID member,
      long number,
      int count,
      Instant taken,
      String name,
      List<String> tags) {}

  /// The part of a replica that a snapshot is; null if it is none.
  static @Nullable Part part(VolumeInfo info) {
    Map<String, String> all = info.attributes();
    if (!isReplica(info)) {
      return null;
    }
    try {
      return new Part(
          UUID.fromString(all.getOrDefault(GROUP, "")),
          UUID.fromString(all.getOrDefault(CYCLE, "")),
          UUID.fromString(all.getOrDefault(MEMBER, "")),
          Long.parseLong(all.getOrDefault(NUMBER, "")),
          Integer.parseInt(all.getOrDefault(COUNT, "")),
          Instant.ofEpochMilli(Long.parseLong(all.getOrDefault(TAKEN, ""))),
          all.getOrDefault(NAME, ""),
          tags(all));
    } catch (IllegalArgumentException e) {
      return null; // somebody else's attributes: not ours to touch
    }
  }

  private static List<String> tags(Map<String, String> all) {
    return IntStream.range(0, Cycle.MAX_TAGS)
        .mapToObj(i -> all.get(TAG + i))
        .filter(Objects::nonNull)
        .toList();
  }
}
