package io.coppice.engine.map;

import org.jspecify.annotations.Nullable;

/// A node of a map: the facts that its parent knows, and its content, which may be absent.
///
/// Only the committer changes a node, and only while it belongs to the current version and
/// checkpoint interval. Any thread may read it. From the first complete checkpoint that has it, it
/// is *clean*: never changed again, and at one address for ever. So its content may be dropped and
/// read again at will. Two nodes with one address are then the same node, loaded through two
/// parents.
public abstract sealed class Node permits Inner, Leaf {

  /// The owner of a node whose parent does not name it: known once its content has been loaded.
  public static final int UNKNOWN_OWNER = 0;

  /// In place of a number of blocks.
  public static final int UNKNOWN_MAPPED = -1;

  /// Approximate bytes that a node takes without its content.
  static final int STUB_BYTES = 64;

  /// Checkpoint interval in which it was created; it is frozen in every later one.
  final int interval;

  private int owner;

  // Whether it was used since eviction last looked at it. A hint: races do no harm.
  private boolean used;

  // Owned by the committer.
  private boolean freed;

  // Owned by the checkpoint that is being written, until it is complete.
  private long address;
  private int crc;
  private int attempt;

  private volatile boolean stored;

  Node(int owner, int interval) {
    this.owner = owner;
    this.interval = interval;
  }

  /// The address, checksum and owner of a clean node as it is stored.
  public record Stored(long address, int crc, int owner) {}

  /// A clean node without its content.
  Node(Stored at) {
    this(at.owner, 0);
    address = at.address;
    crc = at.crc;
    stored = true;
  }

  /// Number of blocks below this node that have stored data. It is [#UNKNOWN_MAPPED] for a node
  /// that left a map before the pool was opened.
  public abstract long mapped();

  /// Whether its content is in memory. A node that is not clean always has its content.
  public abstract boolean isResident();

  /// Version that created the node, or [#UNKNOWN_OWNER]. [Ownership] tells its present owner.
  public int owner() {
    return owner;
  }

  void learnOwner(int found) {
    owner = found;
  }

  /// The node's address in the last complete checkpoint, or 0.
  public long stored() {
    return stored ? address : 0;
  }

  public int storedCrc() {
    return crc;
  }

  /// Notes that a checkpoint that has the node is complete. Committer only.
  public void setStored() {
    stored = true;
  }

  public boolean isClean() {
    return stored;
  }

  /// Whether the node is in no map any more.
  public boolean isFreed() {
    return freed;
  }

  void setFreed() {
    freed = true;
  }

  /// Notes where the checkpoint of this `attempt` put the node, which is not clean.
  public void setWritten(int byAttempt, long at, int withCrc) {
    attempt = byAttempt;
    address = at;
    crc = withCrc;
  }

  public boolean isWrittenBy(int byAttempt) {
    return attempt == byAttempt;
  }

  public long written() {
    return address;
  }

  public int writtenCrc() {
    return crc;
  }

  /// Notes a use.
  final void touch() {
    if (!used) {
      used = true;
    }
  }

  /// Whether it was used since the last call.
  final boolean takeUse() {
    boolean was = used;
    used = false;
    return was;
  }

  /// Whether two nodes are one: the same object, or clean at the same address. It may say no when a
  /// node has just become clean; their contents then show it.
  public static boolean same(@Nullable Node one, @Nullable Node other) {
    return one == other
        || (one != null
            && other != null
            && one.stored
            && other.stored
            && one.address == other.address);
  }
}
