package io.coppice.engine.change;

import io.coppice.engine.StorageException;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The differences between two volumes in parts, between which nothing is kept here.
///
/// *Why the parts are of one content:* a place between two parts has the ids of the versions that
/// the part before looked at. The next part counts only if these versions became those that it
/// looked at without a revert. So what an earlier part has looked at, and was not written since, is
/// still as that part says.
final class DifferenceParts {

  /// Most portions of a walk in one part: about 4 GiB of a volume whose every MiB has changed.
  private static final int PORTIONS = 16;

  private final PoolState state;
  private final VolumeState volume;
  private final @Nullable VolumeState base;

  /// @param base of the same family; null for nothing
  DifferenceParts(PoolState state, VolumeState volume, @Nullable VolumeState base) {
    this.state = state;
    this.volume = volume;
    this.base = base;
  }

  DifferencePart part(DifferencePart.Place from, int most) {
    if (most < 1) {
      throw new StorageException.InvalidRequest(
          "Expected at least 1 range, got %d.".formatted(most));
    }
    if (from.offset() < 0 || from.offset() % PoolLayout.BLOCK != 0) {
      throw new StorageException.InvalidRequest(
          "Expected an offset that is a multiple of 4096, got %d.".formatted(from.offset()));
    }
    boolean begins = from.equals(DifferencePart.Place.START);
    long size = volume.info().sizeInBytes();
    long end = (size + PoolLayout.BLOCK - 1) / PoolLayout.BLOCK;
    Ranges ranges = new Ranges(most, size, begins);
    DifferenceWalk walk = new DifferenceWalk(state);
    MapReader.Span span = new MapReader.Span(from.offset() / PoolLayout.BLOCK, end);
    long next = walk.run(volume, base, span, ranges, PORTIONS);
    if (ranges.isFull()) {
      next = ranges.refused;
    }
    Version looked = walk.looked(volume);
    Version lookedBase = base == null ? null : walk.lookedBase(base);
    if (!begins) {
      requireGoesOn(from.version(), volume, looked);
      if (base != null && lookedBase != null) {
        requireGoesOn(from.baseVersion(), base, lookedBase);
      }
    }
    int baseVersion = lookedBase == null ? 0 : lookedBase.id();
    return new DifferencePart(
        ranges.inBytes(),
        next >= end
            ? null
            : new DifferencePart.Place(next * PoolLayout.BLOCK, looked.id(), baseVersion));
  }

  private void requireGoesOn(int before, VolumeState one, Version looked) {
    if (!DifferenceWalk.goesOn(state, before, looked)) {
      throw reverted(one);
    }
  }

  private static StorageException.Overtaken reverted(VolumeState one) {
    return new StorageException.Overtaken(
        "Volume %s was reverted since the part before: begin again.".formatted(one.info().id()));
  }

  /// The ranges of one part.
  private final class Ranges implements DifferenceWalk.Found {
    private final int most;
    private final long size;
    private final boolean begins;
    private final List<ByteRange> blocks = new ArrayList<>();
    private long refused = -1;

    Ranges(int most, long size, boolean begins) {
      this.most = most;
      this.size = size;
      this.begins = begins;
    }

    @Override
    public void run(long first, long count) {
      ByteRange last = blocks.isEmpty() ? null : blocks.getLast();
      if (last != null && last.end() == first) {
        blocks.set(blocks.size() - 1, new ByteRange(last.offset(), last.length() + count));
      } else if (blocks.size() < most) {
        blocks.add(new ByteRange(first, count));
      } else {
        refused = first;
      }
    }

    @Override
    public boolean isFull() {
      return refused >= 0;
    }

    /// One of the two was reverted: only the first part may begin again.
    @Override
    public void startOver() {
      if (!begins) {
        throw reverted(volume);
      }
      blocks.clear();
      refused = -1;
    }

    List<ByteRange> inBytes() {
      return blocks.stream().map(this::inBytes).toList();
    }

    private ByteRange inBytes(ByteRange run) {
      long offset = run.offset() * PoolLayout.BLOCK;
      return new ByteRange(offset, Math.min(size - offset, run.length() * PoolLayout.BLOCK));
    }
  }
}
