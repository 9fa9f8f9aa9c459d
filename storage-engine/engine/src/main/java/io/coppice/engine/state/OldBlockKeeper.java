package io.coppice.engine.state;

import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keeper of what a volume with a journal writes over. The committer and replay use the same
/// code, under the lock of the families.
///
/// A block that is written over for the first time after a point of a tier gets a slot in that
/// tier: an entry in the map of its hidden volume, which is a placement. The volume's own placement
/// goes there. What is inherited, or kept by several tiers, is placed again.
final class OldBlockKeeper implements MapEditor.Keeper {

  private final PoolState state;
  private @Nullable Timeline timeline;

  OldBlockKeeper(PoolState state) {
    this.state = state;
  }

  /// Begins with a record of a volume.
  ///
  /// @return absent if the volume has no journal
  MapEditor.@Nullable Keeper begin(VolumeState volume) {
    timeline = volume.timeline();
    return timeline == null ? null : this;
  }

  @Override
  public boolean replaced(long block, long address, int crc, int born, boolean owned) {
    int keepers = 0;
    for (Journal journal : Objects.requireNonNull(timeline).journals()) {
      synchronized (timeline) {
        if (journal.keep(block, address, crc)) {
          keepers++;
        }
      }
    }
    if (keepers == 0 || address == BlockAddress.NONE) {
      return false;
    }
    boolean isShared = state.segments().counts().of(address) > 1;
    int more = owned ? keepers - 1 : keepers;
    if (owned) {
      state.movedAway(born, isShared);
    } else if (!isShared) {
      state.families().placedAgain(born);
    }
    if (more > 0) {
      state.segments().counts().add(address, more);
    }
    return owned;
  }

  /// Ends a record: what it has written over gets its slots.
  void finish() {
    Timeline of = timeline;
    if (of == null) {
      return;
    }
    for (Journal journal : of.journals()) {
      VolumeState hidden = Objects.requireNonNull(state.find(journal.number()), "a hidden volume");
      synchronized (of) {
        journal.finish((slot, addresses, crcs, count) -> put(hidden, slot, addresses, crcs, count));
      }
    }
    timeline = null;
  }

  private void put(VolumeState hidden, long slot, long[] addresses, int[] crcs, int count) {
    Version version = hidden.head();
    int[] at = {0};
    Journal.slotBlocks(
        slot,
        slot + count,
        (first, blocks) -> {
          state.editor().set(version, first, (int) blocks, new Run(addresses, crcs, at[0]));
          at[0] += (int) blocks;
        });
    long shared = 0;
    for (int i = 0; i < count; i++) {
      if (state.segments().counts().of(addresses[i]) > 1) {
        shared++;
      }
    }
    version.addOwned(count);
    version.addShared(shared);
    state.families().placed(version, count, shared);
  }

  /// Entries of arrays from an index on.
  private record Run(long[] addresses, int[] crcs, int from) implements MapEditor.Entries {

    @Override
    public long address(int i) {
      return addresses[from + i];
    }

    @Override
    public int crc(int i) {
      return crcs[from + i];
    }
  }
}
