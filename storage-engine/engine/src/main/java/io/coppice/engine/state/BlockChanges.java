package io.coppice.engine.state;

import io.coppice.engine.family.Version;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.map.MapEntries;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.timeline.Journal;

/// The changes that data records make to the state. The committer and replay use the same code. A
/// record of a volume that is gone does nothing.
public final class BlockChanges {

  /// Most blocks of one COPY or FILL record: 4 MiB.
  public static final int MAX_SLICE = 1024;

  private final PoolState state;
  private final Run run = new Run();
  private final MapEntries copied = MapEntries.withBorn();
  private final OldBlockKeeper old;

  public BlockChanges(PoolState state) {
    this.state = state;
    old = state.oldBlocks();
  }

  /// The source entries of a copy, from block `at` on.
  private final class Run implements MapEditor.Entries {
    private int at;

    Run from(int index) {
      at = index;
      return this;
    }

    @Override
    public long address(int i) {
      return copied.address(at + i);
    }

    @Override
    public int crc(int i) {
      return copied.crc(at + i);
    }
  }

  /// @param whole readers must see all of it or nothing
  public void write(
      VolumeState volume, long first, int blocks, MapEditor.Entries entries, boolean whole) {
    if (volume.isDeleted()) {
      return;
    }
    for (int i = 0; i < blocks; i++) {
      state.segments().placed(entries.address(i));
    }
    if (whole) {
      volume.beginChange();
    }
    Version head = volume.head();
    synchronized (state.families()) {
      state.editor().set(head, first, blocks, entries, old.begin(volume));
      head.addOwned(blocks);
      state.families().placed(head, blocks, 0);
      old.finish();
      noteList(volume, first, blocks);
    }
    if (whole) {
      volume.endChange();
    }
  }

  /// A write to a hidden volume may store a part of its list.
  private static void noteList(VolumeState volume, long first, int blocks) {
    VolumeState.JournalPart part = volume.part();
    if (part != null && first >= Journal.SLOTS) {
      synchronized (part.timeline()) {
        part.journal().stored(first, blocks);
      }
    }
  }

  /// Maps one stored block at `blocks` places.
  public void fill(VolumeState volume, long first, int blocks, long address, int crc) {
    if (volume.isDeleted()) {
      return;
    }
    state.segments().placed(address);
    if (blocks > 1) {
      state.segments().counts().add(address, blocks - 1);
    }
    MapEditor.Entries same =
        new MapEditor.Entries() {
          @Override
          public long address(int i) {
            return address;
          }

          @Override
          public int crc(int i) {
            return crc;
          }
        };
    Version head = volume.head();
    synchronized (state.families()) {
      state.editor().set(head, first, blocks, same, old.begin(volume));
      head.addOwned(blocks);
      state.families().placed(head, blocks, blocks > 1 ? blocks : 0);
      old.finish();
    }
    if (blocks > 1) {
      head.addShared(blocks);
    }
  }

  public void unmap(VolumeState volume, long first, long blocks) {
    if (volume.isDeleted()) {
      return;
    }
    Version head = volume.head();
    MapEditor.Detached detached =
        (node, block, level) -> state.families().detached(head.id(), node, block, level);
    synchronized (state.families()) {
      MapEditor.Keeper keeper = old.begin(volume);
      if (keeper == null) {
        state.editor().unmap(head, first, blocks, detached);
        return;
      }
      state.editor().unmap(head, first, blocks, detached, keeper);
      old.finish();
    }
  }

  /// Maps the source's present content at the destination.
  public void copy(
      VolumeState volume, long first, VolumeState source, long sourceFirst, int blocks) {
    if (volume.isDeleted() || source.isDeleted()) {
      return;
    }
    MapReader.read(source.head().root(), copied.aim(sourceFirst, blocks), state.nodes());
    synchronized (state.families()) {
      int at = 0;
      while (at < blocks) {
        int count = (int) Math.min(blocks - at, Geometry.end(first + at, 0) - (first + at));
        int placed = copyIntoLeaf(volume, first + at, at, count);
        if (source.info().reserved()) {
          source.head().addShared(placed); // what it writes over from now on lives on in the copy
        }
        at += count;
      }
    }
  }

  private int copyIntoLeaf(VolumeState volume, long first, int from, int count) {
    int placed = 0;
    for (int i = from; i < from + count; i++) {
      if (copied.address(i) != BlockAddress.NONE) {
        if (state.segments().counts().of(copied.address(i)) == 1) {
          state.families().placedAgain(copied.born(i));
        }
        state.segments().placedAgain(copied.address(i));
        placed++;
      }
    }
    if (placed == 0) {
      unmap(volume, first, count);
      return 0;
    }
    Version head = volume.head();
    state.editor().set(head, first, count, run.from(from), old.begin(volume));
    head.addOwned(placed);
    head.addShared(placed);
    state.families().placed(head, placed, placed);
    old.finish();
    return placed;
  }
}
