package io.coppice.engine.scrub;

import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// The search for the volumes that see a stored block. There is no way from a block to its volumes,
/// so it looks through all maps. For the rare case that a block is damaged.
public final class ReverseLookup {

  /// Blocks of a volume that are looked through inside one epoch.
  private static final long STEP = Geometry.FANOUT * 64L;

  private final PoolState state;
  private final Runnable between;

  /// A block of a volume or snapshot.
  public record Reference(VolumeState volume, long block) {}

  /// @param between called between two steps; may throw
  public ReverseLookup(PoolState state, Runnable between) {
    this.state = state;
    this.between = between;
  }

  /// Every block of every volume with a wanted address.
  public List<Reference> of(LongPredicate wanted) {
    List<Reference> found = new ArrayList<>();
    for (VolumeState volume : state.volumes()) {
      long end = VolumeState.blocks(volume.info());
      for (long block = 0; block < end && !volume.isDeleted(); ) {
        block = step(volume, block, end, wanted, found);
        between.run();
      }
    }
    return found;
  }

  /// Looks from `from` on, skipping empty parts.
  ///
  /// @return where to go on
  private long step(
      VolumeState volume, long from, long end, LongPredicate wanted, List<Reference> found) {
    long[] next = {end};
    int ticket = state.epochs().enter();
    try {
      MapReader.leaves(
          state.nodes(),
          volume.head().root(),
          new MapReader.Span(from, end),
          (first, entries) -> {
            if (first >= from + STEP) {
              next[0] = first;
              return false;
            }
            for (int i = 0; i < Geometry.FANOUT; i++) {
              if (first + i >= from && first + i < end && wanted.test(entries.address(i))) {
                found.add(new Reference(volume, first + i));
              }
            }
            return true;
          });
    } finally {
      state.epochs().leave(ticket);
    }
    return next[0];
  }
}
