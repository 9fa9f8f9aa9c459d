package io.coppice.engine.testing;

import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The limits of the engine's API and the walks over a content, as the model has them.
final class MemoryRules {

  private MemoryRules() {}

  static void checkGroup(List<SnapshotSpec> specs, Duration timeout) {
    if (specs.isEmpty() || specs.size() > StorageEngine.MAX_GROUP) {
      throw new StorageException.InvalidRequest(
          "expected 1 to %d volumes, got %d".formatted(StorageEngine.MAX_GROUP, specs.size()));
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new StorageException.TimedOut("expected a positive timeout, got " + timeout);
    }
    long ids = specs.stream().map(SnapshotSpec::id).distinct().count();
    if (ids != specs.size()) {
      throw new StorageException.AlreadyExists("expected different ids in one group");
    }
  }

  static void checkReverts(int volumes) {
    if (volumes == 0) {
      throw new IllegalArgumentException("expected a volume to revert, got none");
    }
    if (volumes > StorageEngine.MAX_GROUP) {
      throw new StorageException.InvalidRequest(
          "expected 1 to %d volumes, got %d".formatted(StorageEngine.MAX_GROUP, volumes));
    }
  }

  interface BlockProperty {
    boolean holds(long block, long count);
  }

  static ChunkBitmap bitmap(
      MemoryPool.Held volume, ByteRange segment, long chunkSizeInBytes, BlockProperty property) {
    if (chunkSizeInBytes <= 0 || chunkSizeInBytes % MemoryContent.BLOCK != 0) {
      throw new StorageException.InvalidRequest(
          "expected a chunk size that is a multiple of 4096, got " + chunkSizeInBytes);
    }
    if (segment.end() > volume.sizeInBytes()) {
      throw new StorageException.InvalidRequest(
          "expected a segment inside %d bytes, got %s".formatted(volume.sizeInBytes(), segment));
    }
    int chunks = Math.toIntExact(Math.ceilDiv(segment.length(), chunkSizeInBytes));
    BitSet set = new BitSet(chunks);
    for (int chunk = 0; chunk < chunks; chunk++) {
      long start = segment.offset() + chunk * chunkSizeInBytes;
      long end = Math.min(start + chunkSizeInBytes, segment.end());
      long first = start / MemoryContent.BLOCK;
      long last = Math.ceilDiv(end, MemoryContent.BLOCK);
      set.set(chunk, property.holds(first, last - first));
    }
    return new ChunkBitmap(chunks, set);
  }

  /// A part by the contents that the model has now, without versions.
  static DifferencePart differences(
      MemoryPool.Held volume, MemoryPool.@Nullable Held base, DifferencePart.Place from, int most) {
    if (most < 1 || from.offset() < 0 || from.offset() % MemoryContent.BLOCK != 0) {
      throw new StorageException.InvalidRequest(
          "expected a place and a number of ranges, got %s and %d".formatted(from, most));
    }
    long end = Math.ceilDiv(volume.sizeInBytes(), MemoryContent.BLOCK);
    TreeSet<Long> stored = new TreeSet<>(volume.content().blocks().keySet());
    if (base != null) {
      stored.addAll(base.content().blocks().keySet());
      stored.removeIf(block -> !volume.content().differs(base.content(), block, 1));
    }
    List<ByteRange> ranges = new ArrayList<>();
    for (long block : stored.subSet(from.offset() / MemoryContent.BLOCK, end)) {
      long at = block * MemoryContent.BLOCK;
      long length = Math.min(MemoryContent.BLOCK, volume.sizeInBytes() - at);
      ByteRange last = ranges.isEmpty() ? null : ranges.getLast();
      if (last != null && last.end() == at) {
        ranges.set(ranges.size() - 1, new ByteRange(last.offset(), last.length() + length));
      } else if (ranges.size() < most) {
        ranges.add(new ByteRange(at, length));
      } else {
        return new DifferencePart(ranges, new DifferencePart.Place(at, 0, 0));
      }
    }
    return new DifferencePart(ranges, null);
  }

  static long endOfRun(MemoryPool.Held volume, long block, boolean mapped) {
    long limit = Math.ceilDiv(volume.sizeInBytes(), MemoryContent.BLOCK);
    long at = block;
    if (mapped) {
      while (at < limit && volume.content().holds(at)) {
        at++;
      }
    } else {
      Long next = volume.content().blocks().ceilingKey(block);
      at = next == null ? limit : Math.min(next, limit);
    }
    return Math.min(at * MemoryContent.BLOCK, volume.sizeInBytes());
  }

  static void checkSize(long sizeInBytes) {
    if (sizeInBytes < VolumeSpec.MIN_SIZE_IN_BYTES
        || sizeInBytes > VolumeSpec.MAX_SIZE_IN_BYTES
        || sizeInBytes % 512 != 0) {
      throw new StorageException.InvalidRequest(
          "expected a size that is a multiple of 512 from %d to %d bytes, got %d"
              .formatted(VolumeSpec.MIN_SIZE_IN_BYTES, VolumeSpec.MAX_SIZE_IN_BYTES, sizeInBytes));
    }
  }

  static void checkAtLeast(long least, long sizeInBytes) {
    if (sizeInBytes < least) {
      throw new StorageException.InvalidRequest(
          "expected at least %d bytes, got %d".formatted(least, sizeInBytes));
    }
  }

  static void checkFreed(int volumes) {
    if (volumes > StorageEngine.MAX_FREED) {
      throw new StorageException.InvalidRequest(
          "expected at most %d volumes, got %d".formatted(StorageEngine.MAX_FREED, volumes));
    }
  }

  static void checkAttributes(Map<String, String> attributes) {
    int total = 0;
    for (Map.Entry<String, String> entry : attributes.entrySet()) {
      int name = entry.getKey().getBytes(StandardCharsets.UTF_8).length;
      int value = entry.getValue().getBytes(StandardCharsets.UTF_8).length;
      total += name + value;
      if (name < 1
          || name > StorageEngine.MAX_ATTRIBUTE_NAME_BYTES
          || value > StorageEngine.MAX_ATTRIBUTE_VALUE_BYTES) {
        throw new StorageException.InvalidRequest(
            "expected a name of 1 to %d and a value of at most %d bytes, got %d and %d"
                .formatted(
                    StorageEngine.MAX_ATTRIBUTE_NAME_BYTES,
                    StorageEngine.MAX_ATTRIBUTE_VALUE_BYTES,
                    name,
                    value));
      }
    }
    if (total > StorageEngine.MAX_ATTRIBUTES_BYTES) {
      throw new StorageException.InvalidRequest(
          "expected at most %d bytes of attributes, got %d"
              .formatted(StorageEngine.MAX_ATTRIBUTES_BYTES, total));
    }
  }
}
