package io.coppice.engine.map;

/// A node of a map. Changed only by the committer, and only while it belongs to the version and the
/// checkpoint interval that are current; read by anyone.
public abstract sealed class Node permits Inner, Leaf {

  /// Version that created the node; what it owns now is [Ownership]'s to say.
  final int owner;

  /// Checkpoint interval in which it was created; it is frozen in every later one.
  final int interval;

  // Owned by the committer.
  private long stored;
  private int storedCrc;
  private boolean freed;

  // Owned by the checkpoint that is being written; the committer takes it over at its end.
  private long written;
  private int writtenCrc;
  private int writtenBy;

  Node(int owner, int interval) {
    this.owner = owner;
    this.interval = interval;
  }

  /// Blocks of the volume below this node that have stored data.
  public abstract long mapped();

  public int owner() {
    return owner;
  }

  /// Where the last complete checkpoint has the node, or 0.
  public long stored() {
    return stored;
  }

  public int storedCrc() {
    return storedCrc;
  }

  public void setStored(long address, int crc) {
    stored = address;
    storedCrc = crc;
  }

  /// Whether the node is in no map any more.
  public boolean isFreed() {
    return freed;
  }

  void setFreed() {
    freed = true;
  }

  /// Notes where the checkpoint of this `attempt` put the node.
  public void setWritten(int attempt, long address, int crc) {
    writtenBy = attempt;
    written = address;
    writtenCrc = crc;
  }

  public boolean isWrittenBy(int attempt) {
    return writtenBy == attempt;
  }

  public long written() {
    return written;
  }

  public int writtenCrc() {
    return writtenCrc;
  }
}
