package io.coppice.engine.core;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Log;
import java.util.ArrayList;
import java.util.List;

/// Decides whether what needs space may enter the log. Before it refuses, it puts the command aside
/// and has everything reclaimed and a checkpoint made, as long as that can give space. Committer
/// only.
final class SpaceGate {

  /// What can be put aside.
  interface Stalled {
    /// Goes back into the queue.
    void retry();
  }

  private final PoolState state;
  private final Log log;
  private final List<Stalled> stalled = new ArrayList<>();
  private long batch = -1;
  private long bytesInBatch;

  SpaceGate(PoolState state, Log log) {
    this.state = state;
    this.log = log;
  }

  /// Whether `bytes` may be written to a volume for which `covered` bytes are set aside.
  boolean hasRoom(long bytes, long covered) {
    if (batch != log.batches()) {
      batch = log.batches();
      bytesInBatch = 0;
      publishRoom();
    }
    Space space = state.space();
    if (space.writable() - bytesInBatch - (space.reservedBytes() - covered) < bytes) {
      return false;
    }
    bytesInBatch += bytes;
    return true;
  }

  /// Makes known what is left in open zones.
  void publishRoom() {
    long next = log.hasNextZone() ? state.segments().zoneSize() : 0;
    state.space().setOpenRoom(log.roomInZone() + next + metaRoom);
  }

  private long metaRoom;

  /// Bytes left in the zone that checkpoints write.
  void setMetaRoom(long bytes) {
    metaRoom = bytes;
  }

  /// Whether a checkpoint, after what waits to be reclaimed is, would free a zone.
  boolean canGain() {
    return state.families().isReclaimPending() || state.segments().deadSegments() > 0;
  }

  void stall(Stalled command) {
    stalled.add(command);
  }

  boolean isAnyStalled() {
    return !stalled.isEmpty();
  }

  /// Space may have come: lets everybody try again.
  void retryAll() {
    List<Stalled> all = new ArrayList<>(stalled);
    stalled.clear();
    all.forEach(Stalled::retry);
  }

  static StorageException.OutOfSpace outOfSpace(VolumeState volume, long bytes, long free) {
    return new StorageException.OutOfSpace(
        "Volume %s needs %d bytes, the pool has %d free."
            .formatted(volume.info().id(), bytes, free));
  }
}
