package io.coppice.engine.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A node above the leaves: 512 children, of which an absent one is a hole of its whole span.
public final class Inner extends Node {

  private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Node[].class);

  /// 1 to 3: how many levels are below.
  final int level;

  private final @Nullable Node[] children = new Node[Geometry.FANOUT];
  private volatile long mapped;

  public Inner(int owner, int interval, int level) {
    super(owner, interval);
    this.level = level;
  }

  Inner(int owner, int interval, Inner from) {
    this(owner, interval, from.level);
    System.arraycopy(from.children, 0, children, 0, children.length);
    mapped = from.mapped;
  }

  public int level() {
    return level;
  }

  public @Nullable Node child(int index) {
    return (Node) CHILD.getAcquire(children, index);
  }

  /// Committer, or the loader of a node that nobody else sees yet.
  public void setChild(int index, @Nullable Node child) {
    CHILD.setRelease(children, index, child);
  }

  @Override
  public long mapped() {
    return mapped;
  }

  /// Committer, or the loader.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void addMapped(long difference) {
    mapped = mapped + difference;
  }
}
