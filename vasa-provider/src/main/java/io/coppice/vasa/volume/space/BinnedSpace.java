package io.coppice.vasa.volume.space;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The space that the pool gets back with what is in the recycle bin.
///
/// An answer of the engine is kept for a moment as long as the same volumes are in the bin: many
/// questions about space come one after the other, and what is in the bin is not written to. Safe
/// for any thread.
final class BinnedSpace {

  /// How long an answer is kept though the volumes that share data with the bin may change.
  private static final Duration KEPT = Duration.ofSeconds(5);

  private final StorageEngine engine;
  private volatile @Nullable Answer last;

  /// The space that some volumes give back.
  ///
  /// @param data bytes of data
  /// @param reserved bytes that are set aside for them
  record Freed(long data, long reserved) {

    static final Freed NOTHING = new Freed(0, 0);

    long bytes() {
      return data + reserved;
    }
  }

  private record Answer(Set<VolumeId> volumes, Freed freed, long nanos) {}

  BinnedSpace(StorageEngine engine) {
    this.engine = engine;
  }

  /// What the whole bin gives back.
  Freed all() {
    return of(engine.list().stream().filter(PoolAttributes::isBinned).toList());
  }

  /// What all that is in the bin gives back.
  Freed of(Collection<VolumeInfo> inBin) {
    if (inBin.isEmpty()) {
      return Freed.NOTHING;
    }
    Set<VolumeId> ids = ids(inBin);
    Answer known = last;
    if (known != null
        && System.nanoTime() - known.nanos() < KEPT.toNanos()
        && known.volumes().equals(ids)) {
      return known.freed();
    }
    Freed freed = asked(ids);
    last = new Answer(ids, freed, System.nanoTime());
    return freed;
  }

  /// What each container's part of the bin gives back, in bytes.
  Map<UUID, Long> byContainer(Collection<VolumeInfo> inBin) {
    Map<UUID, List<VolumeInfo>> parts =
        inBin.stream().collect(Collectors.groupingBy(PoolAttributes::container));
    Map<UUID, Long> freed = new HashMap<>();
    parts.forEach(
        (container, part) ->
            freed.put(container, parts.size() == 1 ? of(part).bytes() : asked(ids(part)).bytes()));
    return freed;
  }

  private static Set<VolumeId> ids(Collection<VolumeInfo> volumes) {
    return volumes.stream().map(VolumeInfo::id).collect(Collectors.toUnmodifiableSet());
  }

  private Freed asked(Set<VolumeId> ids) {
    long reserved = 0;
    long alone = 0;
    Set<VolumeId> there = new HashSet<>();
    for (VolumeId id : ids) {
      Optional<VolumeSpace> space = spaceOf(id);
      if (space.isPresent()) {
        reserved += space.get().reserved();
        alone += space.get().unique();
        there.add(id);
      }
    }
    try {
      return new Freed(engine.freedIfDeleted(there).bytes(), reserved);
    } catch (StorageException.NotFound
        | StorageException.Overtaken
        | StorageException.InvalidRequest e) { // they are deleted just now, or are too many
      return new Freed(alone, reserved);
    }
  }

  /// Empty if it is purged meanwhile.
  private Optional<VolumeSpace> spaceOf(VolumeId id) {
    try {
      return Optional.of(engine.spaceOf(id));
    } catch (StorageException.NotFound e) {
      return Optional.empty();
    }
  }

  /// The space of the pool without what the bin gives back.
  ReclaimablePool outOf(PoolSpace space, Freed freed) {
    long data = Math.min(freed.data(), space.used());
    long reserved = Math.min(freed.reserved(), space.reserved());
    PoolSpace without =
        new PoolSpace(
            space.size(),
            space.capacity(),
            space.used() - data,
            space.reclaiming(),
            space.reserved() - reserved,
            Math.min(space.capacity(), space.free() + data + reserved));
    return new ReclaimablePool(without, without.free() - space.free());
  }
}
