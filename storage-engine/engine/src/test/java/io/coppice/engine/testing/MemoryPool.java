package io.coppice.engine.testing;

import io.coppice.engine.FreedSpace;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.status.PoolSpace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The volumes of a [MemoryEngine] and the accounting of their space. Guarded by the engine.
final class MemoryPool {

  private final long capacityInBytes;
  private final MemoryContent.Uses uses = new MemoryContent.Uses();
  private final TreeMap<VolumeId, Held> volumes = new TreeMap<>();
  private final Map<VolumeId, Integer> reverts = new HashMap<>();
  private final MemoryAncestry ancestry = new MemoryAncestry();
  private String failure = ""; // present: why nothing is served any more

  MemoryPool(long capacityInBytes) {
    this.capacityInBytes = capacityInBytes;
  }

  /// One volume: what is known of it and what it holds.
  record Held(VolumeInfo info, UUID family, MemoryContent content) {

    long sizeInBytes() {
      return info.sizeInBytes();
    }

    Held with(long sizeInBytes, boolean reserved, Map<String, String> attributes) {
      return with(sizeInBytes, reserved, attributes, content);
    }

    Held with(
        long sizeInBytes, boolean reserved, Map<String, String> attributes, MemoryContent now) {
      VolumeInfo changed =
          new VolumeInfo(
              info.id(),
              info.kind(),
              sizeInBytes,
              info.origin(),
              reserved,
              info.created(),
              attributes);
      return new Held(changed, family, now);
    }
  }

  MemoryContent emptyContent() {
    return new MemoryContent(uses);
  }

  Collection<Held> all() {
    return volumes.values();
  }

  Optional<VolumeInfo> find(VolumeId id) {
    checkOpen();
    return Optional.ofNullable(volumes.get(id)).map(Held::info);
  }

  Held volumeOf(VolumeId id) {
    checkOpen();
    Held volume = volumes.get(id);
    if (volume == null) {
      throw new StorageException.NotFound("there is no volume " + id);
    }
    return volume;
  }

  VolumeInfo put(Held volume) {
    if (volumes.put(volume.info().id(), volume) == null) {
      ancestry.made(volume.info());
    }
    return volume.info();
  }

  void remove(VolumeId id) {
    volumeOf(id).content().release();
    volumes.remove(id);
    ancestry.deleted(id);
  }

  MemoryAncestry ancestry() {
    return ancestry;
  }

  void close() {
    fail("the engine is closed");
  }

  void fail(String reason) {
    failure = reason;
  }

  void checkOpen() {
    if (!failure.isEmpty()) {
      throw new StorageException.DeviceFailed(failure);
    }
  }

  // --- space
  // ----------------------------------------------------------------------------------------

  PoolSpace space() {
    long used = uses.storedBytes();
    long reserved = volumes.values().stream().mapToLong(this::outstandingReservation).sum();
    return new PoolSpace(
        capacityInBytes,
        capacityInBytes,
        used,
        0,
        reserved,
        Math.max(0, capacityInBytes - used - reserved));
  }

  /// Refuses a change of a range that needs more new blocks than are free and not set aside for
  /// others.
  void requireFreeToWrite(Held volume, long offset, long length) {
    long first = offset / MemoryContent.BLOCK;
    long last = Math.ceilDiv(offset + length, MemoryContent.BLOCK);
    long fresh = last - first - volume.content().exclusive(first, last);
    if (!volume.info().reserved() && fresh > 0) {
      requireFree(fresh * MemoryContent.BLOCK, volume.info().id());
    }
  }

  void requireFree(long needed, VolumeId id) {
    long free = space().free();
    if (needed > free) {
      throw new StorageException.OutOfSpace(
          "%s needs %d bytes, %d are free".formatted(id, needed, free));
    }
  }

  /// Bytes of the volume that no other volume of its family shares.
  long uniqueBytes(Held volume) {
    if (volume.content().blocks().isEmpty()) {
      return 0; // without a look at all others
    }
    Set<byte[]> others = Collections.newSetFromMap(new IdentityHashMap<>());
    volumes.values().stream()
        .filter(other -> !other.info().id().equals(volume.info().id()))
        .filter(other -> other.family().equals(volume.family()))
        .forEach(other -> others.addAll(other.content().blocks().values()));
    return volume.content().blocks().values().stream()
            .filter(block -> !others.contains(block))
            .count()
        * MemoryContent.BLOCK;
  }

  ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSizeInBytes) {
    Held volume = volumeOf(id);
    return MemoryRules.bitmap(
        volume,
        segment,
        chunkSizeInBytes,
        (block, count) -> !volume.content().blocks().subMap(block, block + count).isEmpty());
  }

  ChunkBitmap unshared(VolumeId id, VolumeId base, ByteRange segment, long chunkSizeInBytes) {
    Held volume = volumeOf(id);
    Held other = relativeOf(volume, base);
    return MemoryRules.bitmap(
        volume,
        segment,
        chunkSizeInBytes,
        (block, count) -> volume.content().differs(other.content(), block, count));
  }

  DifferencePart differences(
      VolumeId id, @Nullable VolumeId base, DifferencePart.Place from, int most) {
    Held volume = volumeOf(id);
    Held other = base == null ? null : relativeOf(volume, base);
    DifferencePart part = MemoryRules.differences(volume, other, from, most);
    int version = 1 + reverts.getOrDefault(id, 0);
    int baseVersion = base == null ? 0 : 1 + reverts.getOrDefault(base, 0);
    boolean begins = from.equals(DifferencePart.Place.START);
    if (!begins && (from.version() != version || from.baseVersion() != baseVersion)) {
      throw new StorageException.Overtaken("%s or %s was reverted".formatted(id, base));
    }
    DifferencePart.Place next = part.next();
    return new DifferencePart(
        part.ranges(),
        next == null ? null : new DifferencePart.Place(next.offset(), version, baseVersion));
  }

  /// Notes that a volume was given another content.
  void reverted(VolumeId id) {
    reverts.merge(id, 1, Integer::sum);
  }

  private Held relativeOf(Held volume, VolumeId base) {
    Held other = volumeOf(base);
    if (!volume.family().equals(other.family())) {
      throw new StorageException.Unrelated(
          "expected two volumes of one family, %s and %s are not"
              .formatted(volume.info().id(), base));
    }
    return other;
  }

  FreedSpace freedInOrder(List<VolumeId> order, long enough) {
    order.forEach(this::volumeOf);
    Set<VolumeId> gone = new HashSet<>();
    List<FreedSpace.Step> steps = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < order.size() && bytes < enough; i++) {
      gone.add(order.get(i));
      bytes = onlyIn(gone);
      steps.add(new FreedSpace.Step(order.get(i), bytes));
    }
    return new FreedSpace(steps, false);
  }

  /// Bytes of blocks that no other volume holds, each once.
  private long onlyIn(Set<VolumeId> some) {
    Set<byte[]> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    some.forEach(id -> blocks.addAll(volumeOf(id).content().blocks().values()));
    for (Held other : volumes.values()) {
      if (!some.contains(other.info().id())) {
        other.content().blocks().values().forEach(blocks::remove);
      }
    }
    return (long) blocks.size() * MemoryContent.BLOCK;
  }

  long outstandingReservation(Held volume) {
    return volume.info().reserved()
        ? Math.max(0, blockBytes(volume.sizeInBytes()) - uniqueBytes(volume))
        : 0;
  }

  /// The bytes of the blocks that a volume of this size has.
  static long blockBytes(long sizeInBytes) {
    return Math.ceilDiv(sizeInBytes, MemoryContent.BLOCK) * MemoryContent.BLOCK;
  }

  // --- rules
  // ----------------------------------------------------------------------------------------

  void requireAbsent(VolumeId id) {
    if (volumes.containsKey(id)) {
      throw new StorageException.AlreadyExists("there is a volume %s already".formatted(id));
    }
  }

  static void requireWritable(Held volume) {
    if (volume.info().kind() == VolumeKind.SNAPSHOT) {
      throw new StorageException.ReadOnly(
          "%s is a snapshot: it cannot be changed".formatted(volume.info().id()));
    }
  }

  void requireSnapshotOf(VolumeId id, VolumeId snapshot) {
    requireWritable(volumeOf(id));
    VolumeInfo info = volumeOf(snapshot).info();
    if (info.kind() != VolumeKind.SNAPSHOT || !id.equals(info.origin())) {
      throw new StorageException.Unrelated(
          "expected a snapshot of %s, %s is not".formatted(id, snapshot));
    }
  }

  List<MappedRange> statusOf(VolumeId id, long offset, int maxRuns) {
    Held volume = volumeOf(id);
    if (offset < 0 || offset % 512 != 0 || offset >= volume.sizeInBytes() || maxRuns < 1) {
      throw new StorageException.InvalidRequest(
          "expected a multiple of 512 inside %d bytes and at least one run, got %d and %d"
              .formatted(volume.sizeInBytes(), offset, maxRuns));
    }
    List<MappedRange> runs = new ArrayList<>();
    long at = offset;
    while (at < volume.sizeInBytes() && runs.size() < maxRuns) {
      boolean mapped = volume.content().holds(at / MemoryContent.BLOCK);
      long end = MemoryRules.endOfRun(volume, at / MemoryContent.BLOCK, mapped);
      runs.add(new MappedRange(new ByteRange(at, end - at), mapped));
      at = end;
    }
    return runs;
  }
}
