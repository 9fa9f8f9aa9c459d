package io.coppice.vasa.replication.group;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A replication group as one of its ends knows it.
///
/// @param id the same at both ends
/// @param since when it came into the state
/// @param replica the cycle whose replica a preparation, test or fail-over is about; null in the
///   other states
/// @param settled whether all steps into the state are done; after a crash the rest follows
/// @param held the volumes that the state is about: what a preparation took out of use, what a test
///   shows, or what a fail-over brought
/// @param landing id or name of the container here that gets what was in none here before, as the
///   source says; null for the first one
/// @param paused since when no cycle begins by itself; null while they do, and where an older
///   version noted the pause
public record ReplicatedGroup(
    UUID id,
    GroupPlan plan,
    GroupState state,
    Instant since,
    @Nullable UUID replica,
    boolean settled,
    List<UUID> held,
    @Nullable String landing,
    @Nullable Instant paused) {

  public ReplicatedGroup {
    held = List.copyOf(held);
  }

  /// Such as `group "shop"`, for sentences.
  public String text() {
    return "replication group \"%s\"".formatted(plan.name());
  }

  /// Since when no cycle begins by itself; null while they do.
  public @Nullable Instant pausedSince() {
    return !plan.paused() || paused != null ? paused : since;
  }

  /// The group with another plan, as of a moment.
  ReplicatedGroup planned(GroupPlan other, Instant now) {
    Instant begun = plan.paused() ? pausedSince() : now;
    return new ReplicatedGroup(
        id, other, state, since, replica, settled, held, landing, other.paused() ? begun : null);
  }

  ReplicatedGroup with(GroupPlan other) {
    return new ReplicatedGroup(id, other, state, since, replica, settled, held, landing, paused);
  }

  /// The group as its source describes it.
  ReplicatedGroup described(GroupPlan other, @Nullable String container) {
    return new ReplicatedGroup(id, other, state, since, replica, settled, held, container, paused);
  }

  ReplicatedGroup begin(GroupState next, @Nullable UUID of, Instant now) {
    return new ReplicatedGroup(id, plan, next, now, of, false, held, landing, paused);
  }

  ReplicatedGroup holding(List<UUID> volumes) {
    return new ReplicatedGroup(id, plan, state, since, replica, settled, volumes, landing, paused);
  }

  ReplicatedGroup settle() {
    return new ReplicatedGroup(id, plan, state, since, replica, true, held, landing, paused);
  }
}
