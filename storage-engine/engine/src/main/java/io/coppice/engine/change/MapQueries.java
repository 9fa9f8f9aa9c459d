package io.coppice.engine.change;

import io.coppice.engine.FreedSpace;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.family.ExclusiveSpace;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.state.VolumeState;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The questions about maps, answered on the caller's thread without delaying other work.
public final class MapQueries {

  /// Most chunks of an answer: a bit for each is held at once.
  private static final int MOST_CHUNKS = Integer.MAX_VALUE - 1;

  private final OpenPool pool;

  public MapQueries(OpenPool pool) {
    this.pool = pool;
  }

  /// @throws StorageException.NotFound if there is no such volume
  public VolumeState require(VolumeId id) {
    pool.service().check();
    VolumeState volume = pool.state().find(id);
    if (volume == null) {
      throw new StorageException.NotFound("Volume %s does not exist.".formatted(id));
    }
    return volume;
  }

  /// Checks that the two are of one family.
  void requireRelated(VolumeState one, VolumeState other) {
    if (one.family() != other.family()) {
      throw new StorageException.Unrelated(
          "Expected volumes of one family, got %s and %s."
              .formatted(one.info().id(), other.info().id()));
    }
  }

  public ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSize) {
    VolumeState volume = require(id);
    return chunks(volume, null, segment, chunkSize);
  }

  public ChunkBitmap unshared(VolumeId id, VolumeId base, ByteRange segment, long chunkSize) {
    VolumeState volume = require(id);
    VolumeState other = require(base);
    requireRelated(volume, other);
    return chunks(volume, other, segment, chunkSize);
  }

  /// As [io.coppice.engine.StorageEngine#differences].
  public DifferencePart differences(
      VolumeId id, @Nullable VolumeId base, DifferencePart.Place from, int most) {
    VolumeState volume = require(id);
    VolumeState other = base == null ? null : require(base);
    if (other != null) {
      requireRelated(volume, other);
    }
    return new DifferenceParts(pool.state(), volume, other).part(from, most);
  }

  private ChunkBitmap chunks(
      VolumeState volume, @Nullable VolumeState base, ByteRange segment, long chunkSize) {
    check(volume, segment, chunkSize);
    long chunkCount = (segment.length() + chunkSize - 1) / chunkSize;
    BitSet set = new BitSet();
    MapReader.Span span =
        new MapReader.Span(
            segment.offset() / PoolLayout.BLOCK,
            (segment.end() + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK);
    DifferenceWalk.Found found =
        new DifferenceWalk.Found() {
          @Override
          public void run(long first, long count) {
            long from = Math.max(0, first * PoolLayout.BLOCK - segment.offset());
            long to =
                Math.min(segment.length(), (first + count) * PoolLayout.BLOCK - segment.offset());
            if (from < to) {
              set.set((int) (from / chunkSize), (int) ((to - 1) / chunkSize) + 1);
            }
          }

          @Override
          public void startOver() {
            set.clear();
          }
        };
    new DifferenceWalk(pool.state()).run(volume, base, span, found);
    return new ChunkBitmap((int) chunkCount, set);
  }

  private static void check(VolumeState volume, ByteRange segment, long chunkSize) {
    long size = volume.info().sizeInBytes();
    if (segment.end() > size) {
      throw new StorageException.InvalidRequest(
          "Expected a segment inside the %d bytes of volume %s, got %d bytes at %d."
              .formatted(size, volume.info().id(), segment.length(), segment.offset()));
    }
    if (chunkSize < PoolLayout.BLOCK || chunkSize % PoolLayout.BLOCK != 0) {
      throw new StorageException.InvalidRequest(
          "Expected a chunk size that is a multiple of 4096, got %d.".formatted(chunkSize));
    }
    if (segment.length() / chunkSize >= MOST_CHUNKS) {
      throw new StorageException.InvalidRequest(
          "Expected at most %d chunks, got %d bytes in chunks of %d."
              .formatted(MOST_CHUNKS, segment.length(), chunkSize));
    }
  }

  /// As [io.coppice.engine.StorageEngine#bases].
  public Map<VolumeId, VolumeId> bases() {
    List<VolumeState> volumes = List.copyOf(pool.state().volumes());
    Map<VolumeId, VolumeId> bases = new HashMap<>();
    synchronized (pool.state().families()) {
      Map<Version, VolumeId> heads = new IdentityHashMap<>();
      volumes.forEach(volume -> heads.put(volume.head(), volume.info().id()));
      for (VolumeState volume : volumes) {
        VolumeId base = nearest(volume.head().parent(), heads);
        if (base != null) {
          bases.put(volume.info().id(), base);
        }
      }
    }
    return bases;
  }

  private static @Nullable VolumeId nearest(@Nullable Version from, Map<Version, VolumeId> heads) {
    Version at = from;
    while (at != null && !heads.containsKey(at)) {
      at = at.parent(); // a ghost
    }
    return at == null ? null : heads.get(at);
  }

  /// As [io.coppice.engine.StorageEngine#mappedOf].
  public long mappedOf(VolumeId id) {
    return require(id).head().mapped() * PoolLayout.BLOCK;
  }

  public VolumeSpace spaceOf(VolumeId id) {
    VolumeState volume = require(id);
    try (EpochGate.Stay stay = pool.state().epochs().stay()) {
      ExclusiveSpace.Held held =
          new ExclusiveSpace(pool.state().families(), pool.state().nodes(), stay).of(volume.head());
      return new VolumeSpace(
          held.mapped() * PoolLayout.BLOCK,
          held.unique() * PoolLayout.BLOCK,
          volume.chargedBlocks() * PoolLayout.BLOCK);
    }
  }

  /// As [io.coppice.engine.StorageEngine#freedInOrder].
  public FreedSpace freedInOrder(Collection<VolumeId> candidates, long enough) {
    return new FreedQuery(pool, this).inOrder(candidates, enough);
  }
}
