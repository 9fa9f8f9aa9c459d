package io.coppice.vasa.volume.copy;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.store.VolumeStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// Bitmaps of the chunks of a virtual volume that are stored, or that differ from another one's
/// (VASA 2.0 allocatedBitmapVirtualVolume, unsharedBitmapVirtualVolume,
/// unsharedChunksVirtualVolume).
///
/// A chunk is VASA's unit. The caller sets its size in bytes, and chunks count from the segment's
/// start.
@Service
public final class Bitmaps {

  /// Most chunks of one answer.
  public static final int MAX_CHUNKS = 1 << 23;

  /// Unit of [#unsharedChunks], in bytes.
  public static final long COUNTED_CHUNK_IN_BYTES = 64 << 10;

  private static final long BLOCK = 4096;

  private final VolumeStore store;
  private final StorageEngine engine;

  public Bitmaps(VolumeStore store) {
    this.store = store;
    this.engine = store.engine();
  }

  /// A part of a virtual volume, as a caller named it: nothing is checked yet.
  public record Segment(long offset, long length) {}

  /// The number of chunks that differ.
  ///
  /// @param scanned chunks looked at, from the segment's start; fewer than a long segment has
  public record Unshared(long chunkSizeInBytes, long scanned, long unshared) {}

  /// @throws VasaException (NotFound) if the volume is unknown; (InvalidArgument) if the segment is
  ///   not inside it, the chunk size is not a multiple of 4096, or there are more than
  ///   [#MAX_CHUNKS]
  public ChunkBitmap allocated(VolumeId id, Segment segment, long chunkSizeInBytes) {
    ByteRange range = checked(store.requireReady(id), segment);
    checkChunks(range, chunkSizeInBytes);
    return engine.allocated(id, range, chunkSizeInBytes);
  }

  /// @throws VasaException (NotFound) if one is unknown; (InvalidArgument) as [#allocated]
  /// @throws StorageException.Unrelated if the two have no common ancestor
  public ChunkBitmap unshared(VolumeId id, VolumeId base, Segment segment, long chunkSizeInBytes) {
    VirtualVolume volume = requireRelated(id, base);
    ByteRange range = checked(volume, segment);
    checkChunks(range, chunkSizeInBytes);
    return engine.unshared(id, base, range, chunkSizeInBytes);
  }

  /// Counts the chunks of [#COUNTED_CHUNK_IN_BYTES] that differ.
  ///
  /// @param base null for what the volume was made from
  /// @throws VasaException as [#unshared]; (IncompatibleVolume) if there is no base
  /// @throws StorageException.Unrelated as [#unshared]
  public Unshared unsharedChunks(VolumeId id, @Nullable VolumeId base, Segment segment) {
    VolumeId against = base == null ? store.requireReady(id).parent() : base;
    if (against == null) {
      throw new VasaException(
          new Fault.IncompatibleVolume(),
          "expected a base for virtual volume %s, which was made from nothing".formatted(id));
    }
    ByteRange asked = checked(requireRelated(id, against), segment);
    ByteRange range =
        new ByteRange(
            asked.offset(), Math.min(asked.length(), MAX_CHUNKS * COUNTED_CHUNK_IN_BYTES));
    ChunkBitmap bitmap = engine.unshared(id, against, range, COUNTED_CHUNK_IN_BYTES);
    return new Unshared(COUNTED_CHUNK_IN_BYTES, bitmap.chunkCount(), bitmap.set().cardinality());
  }

  /// The volume, if the two are related. The relation is judged before the segment.
  private VirtualVolume requireRelated(VolumeId id, VolumeId base) {
    VirtualVolume volume = store.requireReady(id);
    store.requireReady(base);
    ByteRange first = new ByteRange(0, BLOCK);
    engine.unshared(id, base, first, BLOCK);
    return volume;
  }

  private static ByteRange checked(VirtualVolume volume, Segment segment) {
    if (segment.offset() < 0
        || segment.length() <= 0
        || segment.offset() > volume.sizeInBytes() - segment.length()) {
      throw VasaException.invalidArgument(
          "expected a segment inside the %d bytes of %s, got %d bytes at %d"
              .formatted(volume.sizeInBytes(), volume.id(), segment.length(), segment.offset()));
    }
    return new ByteRange(segment.offset(), segment.length());
  }

  private static void checkChunks(ByteRange range, long chunkSizeInBytes) {
    if (chunkSizeInBytes <= 0 || chunkSizeInBytes % BLOCK != 0) {
      throw VasaException.invalidArgument(
          "expected a chunk size in multiples of %d bytes, got %d"
              .formatted(BLOCK, chunkSizeInBytes));
    }
    if (Math.ceilDiv(range.length(), chunkSizeInBytes) > MAX_CHUNKS) {
      throw VasaException.invalidArgument(
          "expected at most %d chunks, got %d bytes in chunks of %d"
              .formatted(MAX_CHUNKS, range.length(), chunkSizeInBytes));
    }
  }
}
