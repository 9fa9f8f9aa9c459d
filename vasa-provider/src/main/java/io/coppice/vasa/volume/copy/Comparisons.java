package io.coppice.vasa.volume.copy;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// Comparisons of two points of a family: snapshots, or volumes as they are now. Nothing is kept
/// between two parts of an answer, and no answer takes long.
@Service
public final class Comparisons {

  /// Most cells of a map.
  public static final int MAX_CELLS = 4096;

  /// Most ranges that a map takes from the pool at once.
  private static final int RANGES_AT_ONCE = 1 << 16;

  /// Most questions to the pool for one part of a map.
  private static final int QUESTIONS = 16;

  private final StorageEngine engine;

  public Comparisons(VolumeStore store) {
    this.engine = store.engine();
  }

  /// The two points of a comparison.
  ///
  /// @param of what is looked at, in its size
  /// @param since what it is compared with; null for nothing
  public record Pair(VolumeId of, @Nullable VolumeId since) {}

  /// The number of changed bytes in each of some cells.
  ///
  /// @param cells of the part that was looked at; others are 0
  /// @param next where the next part begins; null at the end
  public record CellMap(long[] cells, DifferencePart.@Nullable Place next) {}

  /// @return the present size of a volume or snapshot, in bytes
  /// @throws StorageException.NotFound if the pool has none
  public long sizeOf(VolumeId id) {
    return engine
        .find(id)
        .orElseThrow(() -> new StorageException.NotFound("Volume %s does not exist.".formatted(id)))
        .sizeInBytes();
  }

  /// One part of the ranges; absent if one of the two was reverted since the part before.
  ///
  /// @throws StorageException as [StorageEngine#differences]
  public Optional<DifferencePart> part(Pair pair, DifferencePart.Place from, int most) {
    try {
      return Optional.of(engine.differences(pair.of(), pair.since(), from, most));
    } catch (StorageException.Overtaken e) {
      return Optional.empty();
    }
  }

  /// The differences in equal cells: cell i has the bytes from i * size / cells on. Absent as
  /// [#part].
  ///
  /// @param size over which the cells lie, in bytes; what lies beyond is left out
  /// @throws StorageException as [StorageEngine#differences]
  public Optional<CellMap> map(Pair pair, DifferencePart.Place from, long size, int cells) {
    long[] counted = new long[cells];
    DifferencePart.Place next = from;
    for (int i = 0; i < QUESTIONS && next != null; i++) {
      Optional<DifferencePart> found = part(pair, next, RANGES_AT_ONCE);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      DifferencePart part = found.get();
      part.ranges().forEach(range -> count(range, size, counted));
      next = part.next();
    }
    return Optional.of(new CellMap(counted, next));
  }

  private static void count(ByteRange range, long size, long[] cells) {
    long end = Math.min(range.end(), size);
    long at = range.offset();
    while (at < end) {
      int cell = (int) (at * cells.length / size);
      long border = Math.ceilDiv((cell + 1) * size, cells.length);
      long stop = Math.min(end, border);
      cells[cell] += stop - at;
      at = stop;
    }
  }
}
