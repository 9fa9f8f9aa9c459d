package io.coppice.engine.testing;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Everything that an engine returns of its volumes, and which blocks it refuses to.
public final class PoolView {

  private static final int BLOCK = 4096;

  private final Map<VolumeId, Seen> volumes = new TreeMap<>();
  private int unreadable;

  private record Seen(VolumeInfo info, ByteBuffer bytes, BitSet unreadable) {}

  private PoolView() {}

  /// Reads all of it.
  ///
  /// @throws AssertionError if the refusal of a block does not say which block of which volume
  public static PoolView of(StorageEngine engine) {
    PoolView view = new PoolView();
    for (VolumeInfo info : engine.list()) {
      view.volumes.put(info.id(), view.read(engine, info));
    }
    return view;
  }

  private Seen read(StorageEngine engine, VolumeInfo info) {
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) info.sizeInBytes());
    BitSet bad = new BitSet();
    if (!canRead(engine, info.id(), 0, bytes)) {
      for (int offset = 0; offset < bytes.capacity(); offset += BLOCK) {
        ByteBuffer block = bytes.slice(offset, Math.min(BLOCK, bytes.capacity() - offset));
        if (!canRead(engine, info.id(), offset, block)) {
          bad.set(offset / BLOCK);
        }
      }
    }
    unreadable += bad.cardinality();
    return new Seen(info, bytes.clear(), bad);
  }

  private static boolean canRead(StorageEngine engine, VolumeId id, int offset, ByteBuffer into) {
    boolean one = into.capacity() <= BLOCK;
    try {
      Await.io(done -> engine.open(id).read(offset, into.clear(), done));
      return true;
    } catch (StorageException.Damaged | StorageException.DeviceFailed e) {
      String place = one ? "LBA %d to".formatted(offset / 512) : "LBA ";
      if (!e.getMessage().contains(place) || !e.getMessage().contains(id.toString())) {
        throw new AssertionError(
            "expected a refusal that names %s of volume %s, got: %s"
                .formatted(place, id, e.getMessage()),
            e);
      }
      return false;
    }
  }

  /// Blocks that were refused.
  public int unreadable() {
    return unreadable;
  }

  Set<VolumeId> ids() {
    return volumes.keySet();
  }

  @Nullable String mismatch(VolumeId id, SmallPool.Content expected) {
    Seen seen = Objects.requireNonNull(volumes.get(id));
    VolumeInfo info = seen.info;
    if (info.kind() != expected.kind()
        || !Objects.equals(info.origin(), expected.origin())
        || info.sizeInBytes() != expected.numbers().length * (long) ModelVolume.SECTOR) {
      return "expected %s from %s of %d sectors, found %s"
          .formatted(expected.kind(), expected.origin(), expected.numbers().length, info);
    }
    ByteBuffer content = ModelVolume.content(expected.numbers());
    for (int at = 0; at < content.capacity(); ) {
      int wrong =
          content
              .slice(at, content.capacity() - at)
              .mismatch(seen.bytes.slice(at, content.capacity() - at));
      if (wrong < 0) {
        return null;
      }
      int offset = at + wrong;
      if (!seen.unreadable.get(offset / BLOCK)) {
        return "%s %s sector %d: expected number %d, found %d"
            .formatted(
                info.kind(),
                id,
                offset / 512,
                expected.numbers()[offset / 512],
                seen.bytes.getLong(offset / 512 * 512));
      }
      at = Math.min(content.capacity(), (offset / BLOCK + 1) * BLOCK);
    }
    return null;
  }
}
