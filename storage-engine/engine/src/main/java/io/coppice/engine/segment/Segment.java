package io.coppice.engine.segment;

/// A logical segment: the run of blocks that was written into one zone. Its id is never used for
/// another one while anything in it lives. Committer only.
public final class Segment {

  /// What a segment holds.
  public enum Kind {
    /// Batches: data.
    LOG,
    /// Nodes and tables of checkpoints.
    META
  }

  private final int id;
  private final Kind kind;
  private final int zone;
  private final long[] alive;
  private int live;
  private int tables;
  private boolean open = true;

  Segment(int id, Kind kind, int zone, int blocks) {
    this.id = id;
    this.kind = kind;
    this.zone = zone;
    alive = new long[(blocks + 63) / 64];
  }

  public int id() {
    return id;
  }

  public Kind kind() {
    return kind;
  }

  public int zone() {
    return zone;
  }

  /// Blocks of data or nodes that something names.
  public int live() {
    return live;
  }

  /// Blocks that the current checkpoint's tables take.
  public int tables() {
    return tables;
  }

  /// Whether more may be written into it.
  public boolean isOpen() {
    return open;
  }

  void seal() {
    open = false;
  }

  void addTables(int blocks) {
    tables += blocks;
  }

  boolean isAlive(int block) {
    return (alive[block >>> 6] >>> block & 1) != 0;
  }

  void setAlive(int block) {
    if (isAlive(block)) {
      throw new IllegalStateException("block %d of segment %d lives already".formatted(block, id));
    }
    alive[block >>> 6] |= 1L << block;
    live++;
  }

  void setDead(int block) {
    if (!isAlive(block)) {
      throw new IllegalStateException("block %d of segment %d is dead".formatted(block, id));
    }
    alive[block >>> 6] &= ~(1L << block);
    live--;
  }
}
