package io.coppice.engine.state;

import io.coppice.engine.StorageException;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keeper of what volumes with journals write over. The committer and replay use the same code,
/// under the lock of the families.
///
/// A block that is written over for the first time after a point of a tier gets a slot: an entry in
/// the map of the hidden volume of a tier, which is a placement. The volume's own placement goes
/// there. What is inherited is placed again.
///
/// The placements are counted at once. The slots come later, for many blocks together: when a tier
/// has collected enough, and before anybody looks for them ([#settle]). In between a block is held
/// by its count alone. Likewise the slots that points have left are given up a little later. A
/// crash loses nothing of it: replay writes the same blocks over and drops the same points again,
/// and a checkpoint is cut after all slots were given and given up.
public final class OldBlockKeeper implements MapEditor.Keeper {

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
    boolean isKept = Objects.requireNonNull(timeline).keep(block, address, crc);
    if (!isKept || address == BlockAddress.NONE) {
      return false;
    }
    boolean isShared = state.segments().counts().of(address) > 1;
    if (owned) {
      state.movedAway(born, isShared);
      return true;
    }
    if (!isShared) {
      state.families().placedAgain(born);
    }
    state.segments().counts().add(address, 1);
    return false;
  }

  /// Ends a record.
  void finish() {
    Timeline of = timeline;
    if (of == null) {
      return;
    }
    if (of.endRecord()) {
      give(of);
    }
    timeline = null;
  }

  /// Gives all that waits its slots, of all volumes, and gives up what points have left. Not within
  /// a record.
  public void settle() {
    state.volumes().forEach(this::settle);
  }

  /// Gives all that waits of a volume its slots, and gives up what points have left. Not within a
  /// record.
  ///
  /// @throws StorageException.DeviceFailed if a map cannot be read: the pool must stop then,
  ///   because some of the blocks are neither here nor there
  public void settle(VolumeState volume) {
    Timeline of = volume.timeline();
    if (of != null && of.isWaiting()) {
      synchronized (state.families()) {
        try {
          give(of);
        } catch (StorageException e) {
          throw new StorageException.DeviceFailed(
              "A map of a journal could not be read: " + e.getMessage(), e);
        }
      }
    }
  }

  // All of its tiers at once: the list of one references slots of another. What points have left
  // goes first: slots are used again.
  private void give(Timeline of) {
    of.release(this::empty);
    synchronized (of) {
      for (Journal journal : of.journals()) {
        VolumeState hidden =
            Objects.requireNonNull(state.find(journal.number()), "a hidden volume");
        journal.hand((slot, addresses, crcs, count) -> put(hidden, slot, addresses, crcs, count));
      }
    }
  }

  private void empty(int number, long first, long blocks) {
    VolumeState hidden = state.find(number);
    if (hidden != null) {
      Version head = hidden.head();
      state
          .editor()
          .unmap(
              head,
              first,
              blocks,
              (node, block, level) -> state.families().detached(head.id(), node, block, level));
    }
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
