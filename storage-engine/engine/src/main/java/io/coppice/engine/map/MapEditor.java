package io.coppice.engine.map;

import io.coppice.engine.format.BlockAddress;
import org.jspecify.annotations.Nullable;

/// The editor of the map of a version that has no children. Committer only.
///
/// It changes a node in place if the version owns it and it was created in the current checkpoint
/// interval. It copies any other node first. So a snapshot, a clone and a checkpoint see what they
/// saw, and a reader that holds an old node may finish with it.
public final class MapEditor {

  private final NodeCache cache;
  private final EpochGate epochs;
  private final Ownership ownership;
  private final Placements placements;
  private int interval = 1;

  private final Inner[] path = new Inner[Geometry.ROOT_LEVEL + 1];

  /// The new entries for a run of blocks, each the same or different.
  public interface Entries {
    long address(int i);

    int crc(int i);
  }

  public MapEditor(NodeCache cache, EpochGate epochs, Ownership ownership, Placements placements) {
    this.cache = cache;
    this.epochs = epochs;
    this.ownership = ownership;
    this.placements = placements;
  }

  /// Freezes every node there is: the cut of a checkpoint.
  public void startInterval() {
    interval++;
  }

  /// Installs `count` entries from block `first` on, born in this version. An entry without an
  /// address is a hole.
  ///
  /// @return placements that the version gained less those of its own that it lost
  public void set(MapRoot version, long first, int count, Entries entries) {
    set(version, first, count, entries, null);
  }

  /// As above, for a map whose replaced entries may be kept.
  ///
  /// @param keeper absent if none is
  public void set(
      MapRoot version, long first, int count, Entries entries, @Nullable Keeper keeper) {
    int done = 0;
    while (done < count) {
      long block = first + done;
      int run = (int) Math.min(count - done, Geometry.end(block, 0) - block);
      setInLeaf(version, block, run, done, entries, keeper);
      done += run;
    }
  }

  /// The receiver of entries that are about to be replaced. It must not change the map.
  public interface Keeper {

    /// @param address of the entry; 0 for a hole
    /// @param owned whether the version holds the placement
    /// @return whether the placement goes on elsewhere: it is not released
    boolean replaced(long block, long address, int crc, int born, boolean owned);
  }

  private void setInLeaf(
      MapRoot version, long block, int run, int at, Entries entries, @Nullable Keeper keeper) {
    Leaf leaf = editableLeaf(version, block);
    int index = Geometry.index(block, 0);
    long before = leaf.mapped();
    leaf.beginWrite();
    for (int i = 0; i < run; i++) {
      long old = leaf.address(index + i);
      int born = leaf.born(index + i);
      int crc = keeper == null ? 0 : leaf.crc(index + i);
      long address = entries.address(at + i);
      leaf.set(index + i, address, entries.crc(at + i), address == 0 ? 0 : version.id());
      if (keeper == null) {
        release(version, old, born, block + i);
      } else {
        keep(version, keeper, block + i, old, crc, born);
      }
    }
    leaf.endWrite();
    addMapped(leaf.mapped() - before);
  }

  private void keep(MapRoot version, Keeper keeper, long block, long old, int crc, int born) {
    boolean mapped = old != BlockAddress.NONE;
    boolean owned = mapped && ownership.ownerNow(born, block + 1) == version.id();
    if (mapped) {
      placements.replaced(version, born);
    }
    if (!keeper.replaced(block, old, crc, born, owned) && owned) {
      placements.released(old, born);
    }
  }

  /// Number of the `count` blocks from `first` on that the version placed itself. Writing them
  /// again takes no space for good.
  public int placedItself(MapRoot version, long first, int count) {
    int own = 0;
    for (int done = 0; done < count; ) {
      long block = first + done;
      int run = (int) Math.min(count - done, Geometry.end(block, 0) - block);
      Leaf leaf = leafAt(version.root(), block);
      for (int i = 0; leaf != null && i < run; i++) {
        int index = Geometry.index(block + i, 0);
        if (leaf.address(index) != BlockAddress.NONE
            && ownership.ownerNow(leaf.born(index), block + i + 1) == version.id()) {
          own++;
        }
      }
      done += run;
    }
    return own;
  }

  private @Nullable Leaf leafAt(@Nullable Inner root, long block) {
    Node node = root;
    while (node instanceof Inner inner) {
      node = child(inner, block);
    }
    if (node instanceof Leaf leaf) {
      cache.loadNow(leaf, Geometry.start(block, 0));
      return leaf;
    }
    return null;
  }

  private @Nullable Node child(Inner inner, long block) {
    @Nullable Node[] table = cache.childrenNow(inner, Geometry.start(block, inner.level));
    return Inner.child(table, Geometry.index(block, inner.level));
  }

  /// Makes holes of `count` blocks from `first` on. The cost is proportional to the leaves that are
  /// cut at the ends; whole subtrees are handed to `detached`.
  public void unmap(MapRoot version, long first, long count, Detached detached) {
    long block = first;
    long end = first + count;
    while (block < end) {
      block = unmapStep(version, block, end, detached);
    }
  }

  /// As above, for a map whose replaced entries may be kept: each leaf is looked through.
  public void unmap(MapRoot version, long first, long count, Detached detached, Keeper keeper) {
    long block = first;
    long end = first + count;
    while (block < end) {
      long leafEnd = Math.min(end, Geometry.end(block, 0));
      Leaf leaf = leafAt(version.root(), block);
      if (leaf != null) {
        punch(leaf, version, block, (int) (leafEnd - block), keeper);
        unmap(version, block, leafEnd - block, detached); // a whole leaf is empty now, and goes
      }
      block = leafEnd;
    }
  }

  /// The receiver of a subtree that left a map. The version's own part of it is to be freed.
  public interface Detached {
    void subtree(Node node, long firstBlock, int level);
  }

  private long unmapStep(MapRoot version, long block, long end, Detached detached) {
    Node node = version.root();
    int level = Geometry.ROOT_LEVEL;
    while (node instanceof Inner inner) {
      if (Geometry.start(block, level) == block && Geometry.end(block, level) <= end) {
        detach(version, node, block, level, detached);
        return Geometry.end(block, level);
      }
      node = child(inner, block);
      level--;
    }
    long leafEnd = Math.min(end, Geometry.end(block, level));
    if (node == null) {
      return leafEnd;
    }
    if (Geometry.start(block, 0) == block && Geometry.end(block, 0) <= end) {
      detach(version, node, block, 0, detached);
    } else {
      punch((Leaf) node, version, block, (int) (leafEnd - block), null);
    }
    return leafEnd;
  }

  private void punch(Leaf seen, MapRoot version, long block, int run, @Nullable Keeper keeper) {
    cache.loadNow(seen, Geometry.start(block, 0));
    int index = Geometry.index(block, 0);
    boolean any = false;
    for (int i = 0; i < run && !any; i++) {
      any = seen.address(index + i) != BlockAddress.NONE;
    }
    if (!any) {
      return;
    }
    setInLeaf(version, block, run, 0, HOLES, keeper);
  }

  private static final Entries HOLES =
      new Entries() {
        @Override
        public long address(int i) {
          return BlockAddress.NONE;
        }

        @Override
        public int crc(int i) {
          return 0;
        }
      };

  private void detach(MapRoot version, Node node, long block, int level, Detached detached) {
    if (level == Geometry.ROOT_LEVEL) {
      version.setRoot(null);
    } else {
      Inner parent = editablePath(version, block, level + 1);
      parent.setChild(Geometry.index(block, level + 1), null);
      addMapped(-node.mapped(), level + 1);
    }
    detached.subtree(node, block, level);
  }

  private void release(MapRoot version, long old, int born, long block) {
    if (old == BlockAddress.NONE) {
      return;
    }
    placements.replaced(version, born);
    if (ownership.ownerNow(born, block + 1) == version.id()) {
      placements.released(old, born);
    }
  }

  private Leaf editableLeaf(MapRoot version, long block) {
    Inner parent = editablePath(version, block, 1);
    int index = Geometry.index(block, 1);
    Node child = Inner.child(parent.resident(), index);
    if (child instanceof Leaf leaf) {
      if (isEditable(leaf, version, Geometry.end(block, 0))) {
        return leaf;
      }
      cache.loadNow(leaf, Geometry.start(block, 0));
      Leaf copy = new Leaf(version.id(), interval, leaf);
      created(copy);
      parent.setChild(index, copy);
      supersede(leaf, version, Geometry.end(block, 0));
      return copy;
    }
    Leaf fresh = new Leaf(version.id(), interval, cache.memory());
    created(fresh);
    parent.setChild(index, fresh);
    return fresh;
  }

  private void created(Node node) {
    placements.created(node);
    cache.created(node);
  }

  /// The inner node of `level` above `block`; it and all above it are editable, and in `path`.
  private Inner editablePath(MapRoot version, long block, int level) {
    Inner node = editableInner(version, version.root(), Geometry.ROOT_LEVEL, block);
    if (node != version.root()) {
      version.setRoot(node);
    }
    path[Geometry.ROOT_LEVEL] = node;
    for (int at = Geometry.ROOT_LEVEL; at > level; at--) {
      int index = Geometry.index(block, at);
      Node child = Inner.child(node.resident(), index);
      Inner editable = editableInner(version, (Inner) child, at - 1, block);
      if (editable != child) {
        node.setChild(index, editable);
      }
      node = editable;
      path[at - 1] = node;
    }
    return node;
  }

  private Inner editableInner(MapRoot version, @Nullable Inner inner, int level, long block) {
    long end = Geometry.end(block, level);
    if (inner != null && isEditable(inner, version, end)) {
      return inner;
    }
    Inner fresh =
        inner == null
            ? new Inner(version.id(), interval, level)
            : copyOf(inner, version.id(), Geometry.start(block, level));
    created(fresh);
    if (inner != null) {
      supersede(inner, version, end);
    }
    return fresh;
  }

  private Inner copyOf(Inner inner, int version, long first) {
    return new Inner(version, interval, inner, cache.childrenNow(inner, first));
  }

  private boolean isEditable(Node node, MapRoot version, long end) {
    return node.interval == interval && ownership.ownerNow(node.owner(), end) == version.id();
  }

  // A node of the version's own is in no other map, because the version has no children. Its copy
  // replaces it. An inherited node stays in the map that it came from.
  private void supersede(Node old, MapRoot version, long end) {
    if (ownership.ownerNow(old.owner(), end) == version.id()) {
      free(old);
    }
  }

  /// Gives up a node that is in no map any more.
  public void free(Node node) {
    node.setFreed();
    placements.freed(node);
    cache.freed(node, epochs);
  }

  private void addMapped(long difference) {
    addMapped(difference, 1);
  }

  private void addMapped(long difference, int fromLevel) {
    if (difference != 0) {
      for (int level = fromLevel; level <= Geometry.ROOT_LEVEL; level++) {
        path[level].addMapped(difference);
      }
    }
  }
}
