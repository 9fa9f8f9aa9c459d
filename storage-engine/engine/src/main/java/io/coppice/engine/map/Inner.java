package io.coppice.engine.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A node above the leaves: 512 children. An absent child is a hole of its whole span.
public final class Inner extends Node {

  private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Node[].class);
  private static final VarHandle CHILDREN;

  static {
    try {
      CHILDREN = MethodHandles.lookup().findVarHandle(Inner.class, "children", Node[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Bytes of the table of children.
  static final int TABLE_BYTES = 4 * Geometry.FANOUT + 64;

  /// Number of levels below, 1 to 3.
  final int level;

  private volatile @Nullable Node @Nullable [] children;
  private volatile long mapped;

  /// A node without children.
  Inner(int owner, int interval, int level) {
    super(owner, interval);
    this.level = level;
    children = new Node[Geometry.FANOUT];
  }

  /// A copy of `from`, with these children.
  Inner(int owner, int interval, Inner from, @Nullable Node[] children) {
    super(owner, interval);
    level = from.level;
    this.children = children.clone();
    mapped = from.mapped;
  }

  /// A clean node without its content.
  public Inner(Stored at, int level, long mapped) {
    super(at);
    this.level = level;
    this.mapped = mapped;
  }

  public int level() {
    return level;
  }

  /// The table of children, null if it is not in memory. For [#child(Node[], int)].
  public @Nullable Node @Nullable [] children() {
    return children;
  }

  /// A child in a table.
  public static @Nullable Node child(@Nullable Node[] table, int index) {
    return (Node) CHILD.getAcquire(table, index);
  }

  @Override
  public boolean isResident() {
    return children != null;
  }

  /// Committer only; the node is not clean.
  void setChild(int index, @Nullable Node child) {
    CHILD.setRelease(resident(), index, child);
  }

  /// The children of a node that is not clean.
  public @Nullable Node[] resident() {
    return java.util.Objects.requireNonNull(children, "the children of a node that is not clean");
  }

  /// Takes a loaded table.
  ///
  /// @return false if another loader was first
  boolean publish(@Nullable Node[] loaded) {
    return CHILDREN.compareAndSet(this, null, loaded);
  }

  /// Drops the table; readers that hold it may go on.
  ///
  /// @return the dropped table, null if there was none
  @Nullable Node @Nullable [] drop() {
    return (Node[]) CHILDREN.getAndSet(this, null);
  }

  /// Bytes that a table takes with everything loaded with it.
  static int bytes(@Nullable Node[] loaded) {
    int present = 0;
    for (Node child : loaded) {
      present += child == null ? 0 : 1;
    }
    return TABLE_BYTES + present * STUB_BYTES;
  }

  @Override
  public long mapped() {
    return mapped;
  }

  /// Committer only.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addMapped(long difference) {
    mapped = mapped + difference;
  }
}
