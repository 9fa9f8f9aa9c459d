package io.coppice.vasa.export.temporary;

import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An export of snapshots that ends by itself.
///
/// @param point the recovery point that they are of; null for none
/// @param writable whether clones of the snapshots are served, which end with it
/// @param created by the machine's clock
/// @param ends by the time that has passed
/// @param snapshots what is looked into, in the order of the request
public record TemporaryExport(
    UUID id,
    @Nullable UUID point,
    boolean writable,
    State state,
    Instant created,
    Instant ends,
    List<VolumeId> snapshots) {

  /// A stage of its life.
  public enum State {
    /// Some of its clones and exports may be there; nobody was told of it.
    MAKING,
    /// All are there.
    SERVED,
    /// Some of them may be gone.
    ENDING
  }

  public TemporaryExport {
    snapshots = List.copyOf(snapshots);
  }

  /// What is served of a snapshot: the snapshot itself, or a clone whose id is known before it is
  /// made.
  public VolumeId served(VolumeId snapshot) {
    String name = "temporary export %s of %s".formatted(id, snapshot);
    return writable
        ? new VolumeId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)))
        : snapshot;
  }

  /// All that is served, in the order of the snapshots.
  public List<VolumeId> served() {
    return snapshots.stream().map(this::served).toList();
  }

  TemporaryExport now(State other) {
    return new TemporaryExport(id, point, writable, other, created, ends, snapshots);
  }

  TemporaryExport until(Instant time) {
    return new TemporaryExport(id, point, writable, state, created, time, snapshots);
  }

  TemporaryExport of(List<VolumeId> some) {
    return new TemporaryExport(id, point, writable, state, created, ends, some);
  }
}
