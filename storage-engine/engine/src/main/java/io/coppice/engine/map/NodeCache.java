package io.coppice.engine.map;

import io.coppice.engine.format.NodeImage;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The content of nodes in memory, within one budget.
///
/// A thread that needs missing content reads it itself, inside its epoch: data that it reached by
/// its root when it entered is not overwritten before it leaves. The committer drops content of
/// clean nodes by second chance: content that was not used since its last look goes. An inner node
/// takes all that is known of the nodes below with it. Content that is in no checkpoint yet stays.
/// So a checkpoint is due when that is half of the budget, and at three quarters writers wait for
/// one.
public final class NodeCache {

  /// Most looks at a node in one call of [#evict].
  private static final int LOOKS = 1024;

  /// Longest wait of a loader for the committer to make room, before it loads anyway.
  private static final int PATIENCE_MILLIS = 50;

  /// The reader of stored nodes.
  public interface Source {

    /// @param level expected, and
    /// @param first expected first block
    /// @throws io.coppice.engine.StorageException.Damaged if it is not that node
    /// @throws io.coppice.engine.StorageException.DeviceFailed if it cannot be read
    NodeImage read(Node node, int level, long first);
  }

  private final long budget;
  private final Source source;
  private final LeafMemory memory = new LeafMemory();
  private final AtomicLong innerBytes = new AtomicLong();
  private final LongAdder loads = new LongAdder();
  private volatile Runnable wake = () -> {};
  private volatile boolean overdue;

  // Clean nodes with content, and some without; guarded by itself.
  private final ArrayDeque<Node> ring = new ArrayDeque<>();

  private int gaps; // nodes of the ring whose content was dropped on another occasion; committer

  private volatile long dirtyBytes; // written by the committer
  private volatile long committerLoads;
  private volatile long evicted;

  /// @param budget bytes of content to keep at most
  public NodeCache(long budget, Source source) {
    this.budget = budget;
    this.source = source;
  }

  /// Sets how the committer is woken when content is to be dropped.
  public void wakeBy(Runnable committer) {
    wake = committer;
  }

  LeafMemory memory() {
    return memory;
  }

  // ---- memory in use

  /// Bytes of content in memory.
  public long usedBytes() {
    return (long) memory.inUse() * LeafMemory.SLOT_BYTES + innerBytes.get();
  }

  /// Bytes of content that no complete checkpoint has.
  public long dirtyBytes() {
    return dirtyBytes;
  }

  /// Nodes read from the device.
  public long loads() {
    return loads.sum();
  }

  /// Nodes that the committer had to read itself, because they were gone again.
  public long committerLoads() {
    return committerLoads;
  }

  /// Nodes whose content was dropped.
  public long evicted() {
    return evicted;
  }

  /// Whether a checkpoint is due: half of the budget is dirty.
  public boolean isCheckpointDue() {
    return 2 * dirtyBytes > budget;
  }

  /// Whether commands that would make more nodes dirty must wait for a checkpoint.
  public boolean isFull() {
    return 4 * dirtyBytes > 3 * budget;
  }

  // ---- any thread inside an epoch

  /// The children of a node, loaded if they are not in memory.
  ///
  /// @param first first block of the node
  public @Nullable Node[] children(Inner inner, long first) {
    @Nullable Node[] now = inner.children();
    if (now != null) {
      return now;
    }
    @Nullable Node[] loaded = readChildren(inner, first);
    if (inner.publish(loaded)) {
      innerBytes.addAndGet(Inner.bytes(loaded));
      enter(inner);
    }
    return loaded;
  }

  /// As [#children], but does not keep what it reads. For readers that look at everything once.
  public @Nullable Node[] glance(Inner inner, long first) {
    @Nullable Node[] now = inner.children();
    return now == null ? readChildren(inner, first) : now;
  }

  private @Nullable Node[] readChildren(Inner inner, long first) {
    NodeImage image = read(inner, inner.level, first);
    @Nullable Node[] loaded = new Node[Geometry.FANOUT];
    boolean hasOwners = image.owners().length > 0;
    for (int i = 0; i < image.indexes().length; i++) {
      Node.Stored at =
          new Node.Stored(
              image.addresses()[i],
              image.crcs()[i],
              hasOwners ? image.owners()[i] : Node.UNKNOWN_OWNER);
      int mapped = image.third()[i];
      loaded[image.indexes()[i]] =
          inner.level == 1 ? new Leaf(at, mapped, memory) : new Inner(at, inner.level - 1, mapped);
    }
    return loaded;
  }

  /// A clean node with nothing known but its address.
  public Node stub(Node.Stored at, int level) {
    return level == 0
        ? new Leaf(at, Node.UNKNOWN_MAPPED, memory)
        : new Inner(at, level, Node.UNKNOWN_MAPPED);
  }

  /// Brings the content of a node into memory.
  public void load(Node node, long first) {
    switch (node) {
      case Inner inner -> children(inner, first);
      case Leaf leaf -> load(leaf, first);
    }
  }

  /// Brings the content of a leaf into memory.
  void load(Leaf leaf, long first) {
    if (!leaf.isResident() && leaf.publish(read(leaf, 0, first))) {
      enter(leaf);
    }
  }

  /// The entries of a leaf. Does not keep what it has to read for that.
  public void read(Leaf leaf, long first, LeafEntries into) {
    if (!leaf.read(into)) {
      into.take(read(leaf, 0, first));
    }
  }

  /// The stored image of a clean node.
  NodeImage read(Node node, int level, long first) {
    loads.increment();
    NodeImage image = source.read(node, level, first);
    node.learnOwner(image.owner());
    return image;
  }

  private void enter(Node node) {
    synchronized (ring) {
      ring.add(node);
    }
    if (usedBytes() > budget && !overdue) {
      overdue = true;
      wake.run();
    }
  }

  /// Before a loader enters its epoch: gives the committer a moment to make room, if there is too
  /// little. So memory is bounded by the budget and the content that threads load at the same time.
  public void awaitRoom() {
    if (isShort()) {
      wake.run();
      boolean interrupted = false;
      synchronized (ring) {
        if (isShort()) {
          try {
            ring.wait(PATIENCE_MILLIS);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isShort() {
    return usedBytes() > budget + budget / 8 && 4 * dirtyBytes < 3 * budget;
  }

  // ---- committer

  /// As [#children], for the committer itself; counted, as admission should have loaded them.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  @Nullable Node[] childrenNow(Inner inner, long first) {
    @Nullable Node[] now = inner.children();
    if (now != null) {
      return now;
    }
    committerLoads = committerLoads + 1;
    return children(inner, first);
  }

  /// As [#load], for the committer itself.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void loadNow(Leaf leaf, long first) {
    if (!leaf.isResident()) {
      committerLoads = committerLoads + 1;
      load(leaf, first);
    }
  }

  /// A node came into being.
  void created(Node node) {
    addDirty(node, 1);
    if (node instanceof Inner) {
      innerBytes.addAndGet(Inner.TABLE_BYTES);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void addDirty(Node node, int sign) {
    int bytes = node instanceof Inner ? Inner.TABLE_BYTES : LeafMemory.SLOT_BYTES;
    dirtyBytes = dirtyBytes + (long) sign * bytes;
  }

  /// Drops a node that is in no map any more.
  void freed(Node node, EpochGate epochs) {
    if (node.isClean()) {
      gaps += drop(node) ? 1 : 0;
      return;
    }
    addDirty(node, -1);
    switch (node) {
      case Inner _ -> innerBytes.addAndGet(-Inner.TABLE_BYTES);
      // A reader, or the checkpoint that writes it, may still hold the only copy.
      case Leaf leaf -> epochs.retire(leaf::giveBackMemory);
    }
  }

  /// Notes that a complete checkpoint has the node: its content may be dropped.
  public void cleaned(Node node) {
    node.setStored();
    addDirty(node, -1);
    if (node instanceof Inner inner) {
      innerBytes.addAndGet(Inner.bytes(inner.resident()) - Inner.TABLE_BYTES);
    }
    node.touch();
    synchronized (ring) {
      ring.add(node);
    }
  }

  private boolean drop(Node node) {
    return switch (node) {
      case Leaf leaf -> leaf.drop();
      case Inner inner -> {
        @Nullable Node[] dropped = inner.drop();
        if (dropped != null) {
          innerBytes.addAndGet(-Inner.bytes(dropped));
        }
        yield dropped != null;
      }
    };
  }

  private void closeGaps() {
    if (gaps > LOOKS) {
      synchronized (ring) {
        if (2 * gaps > ring.size()) {
          ring.removeIf(node -> !node.isResident());
          gaps = 0;
        }
      }
    }
  }

  /// Drops content until the budget is kept, or nothing more can be dropped now. Short; called
  /// between batches.
  ///
  /// @return whether more is to be done at once
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public boolean evict() {
    closeGaps();
    if (usedBytes() <= budget) {
      return false;
    }
    overdue = false;
    long goal = budget - budget / 16;
    long gone = 0;
    boolean left = true;
    synchronized (ring) {
      for (int looks = Math.min(LOOKS, 2 * ring.size()); looks > 0 && usedBytes() > goal; looks--) {
        Node node = ring.remove();
        if (node.takeUse() && node.isResident()) {
          ring.add(node);
        } else if (drop(node)) {
          gone++;
        }
        if (ring.isEmpty()) {
          left = false;
          break;
        }
      }
      ring.notifyAll();
    }
    evicted = evicted + gone;
    return left && gone > 0 && usedBytes() > budget;
  }
}
