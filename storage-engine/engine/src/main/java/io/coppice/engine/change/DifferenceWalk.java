package io.coppice.engine.change;

import io.coppice.engine.family.Version;
import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Inner;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import org.jspecify.annotations.Nullable;

/// A walk over the stored data of a volume, or its differences from another, in portions. After
/// each it leaves the epoch, so that space comes back meanwhile, however long the whole takes.
///
/// *Why the answer is right:* only the number of a block is kept over the gap. Each portion asks
/// anew for the versions of the volumes, inside its own epoch. So every node that it looks at
/// belongs to a map that is in use at that moment, and none of it is used again before the portion
/// ends. A snapshot's map never changes, so the answer for two snapshots is that of one moment. In
/// a volume that is written meanwhile each part is as it was when it was looked at, as inside one
/// epoch: a leaf that is written is changed in place. A revert changes everything at once: then the
/// walk begins again.
final class DifferenceWalk {

  private final PoolState state;
  private @Nullable Version looked;
  private @Nullable Version lookedBase;

  /// The receiver of runs of blocks, ascending.
  interface Found {
    void run(long first, long count);

    /// Drops everything reported so far.
    void startOver();

    /// Whether nothing more is wanted.
    default boolean isFull() {
      return false;
    }
  }

  DifferenceWalk(PoolState state) {
    this.state = state;
  }

  /// @param base null: everything stored differs
  /// @throws io.coppice.engine.StorageException.NotFound if one of them is deleted meanwhile
  void run(VolumeState volume, @Nullable VolumeState base, MapReader.Span span, Found found) {
    run(volume, base, span, found, Integer.MAX_VALUE);
  }

  /// As above, for so many portions, and until nothing more is wanted.
  ///
  /// @return the first block that it has not looked at, or the end of the span
  long run(
      VolumeState volume,
      @Nullable VolumeState base,
      MapReader.Span span,
      Found found,
      int portions) {
    int left = portions;
    long block = span.from();
    Version mine = volume.head();
    Version theirs = base == null ? null : base.head();
    try (EpochGate.Stay stay = state.epochs().stay()) {
      while (block < span.to() && left > 0 && !found.isFull()) {
        Version now = current(volume);
        Version other = base == null ? null : current(base);
        if (!goesOn(mine, now) || (theirs != null && other != null && !goesOn(theirs, other))) {
          found.startOver();
          block = span.from();
        }
        mine = now;
        theirs = other;
        looked = now;
        lookedBase = other;
        Inner root = other == null ? null : other.root();
        MapReader.Span rest = new MapReader.Span(block, span.to());
        block =
            MapReader.differences(
                state.nodes(),
                now.root(),
                root,
                rest,
                (first, count) -> {
                  found.run(first, count);
                  return !found.isFull();
                });
        left--;
        stay.renew();
      }
    }
    return block;
  }

  /// The version of the volume that the last portion looked at; the present one if there was none.
  Version looked(VolumeState volume) {
    return looked == null ? volume.head() : looked;
  }

  /// The same of the base.
  Version lookedBase(VolumeState base) {
    return lookedBase == null ? base.head() : lookedBase;
  }

  private static Version current(VolumeState volume) {
    Version now = volume.head();
    if (volume.isDeleted()) {
      throw volume.notFound();
    }
    return now;
  }

  /// Whether the version that had the id `before` became `now` by snapshots, clones and merges
  /// alone. Ids are never used again.
  static boolean goesOn(PoolState state, int before, Version now) {
    synchronized (state.families()) {
      Version then = state.families().holderOf(before);
      Version above = now;
      while (above != null && above != then) {
        above = above.parent();
      }
      return then != null && above != null;
    }
  }

  /// Whether the version `before` of a volume became `now` by snapshots and clones alone.
  private boolean goesOn(Version before, Version now) {
    if (now == before) {
      return true;
    }
    synchronized (state.families()) {
      Version above = now;
      while (above != null && above != before) {
        above = above.parent();
      }
      return above != null;
    }
  }
}
