package io.coppice.engine.map;

import org.jspecify.annotations.Nullable;

/// A node of a map: what its parent knows of it, and its content, which may be absent.
///
/// A node is changed only by the committer, and only while it belongs to the version and the
/// checkpoint interval that are current; it is read by anyone. From the first complete checkpoint
/// on that has it, it is *clean*: never changed again, and at one address for ever, so that its
/// content may be dropped and read again at will, and so that two nodes with one address are the
/// same node, loaded through two parents.
public abstract sealed class Node permits Inner, Leaf {

  /// Of a node whose parent does not say who owns it: known when its content has been loaded.
  public static final int UNKNOWN_OWNER = 0;

  /// Instead of a number of blocks.
  public static final int UNKNOWN_MAPPED = -1;

  /// Bytes that a node takes without its content, about.
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

  /// Blocks of the volume below this node that have stored data, or [#UNKNOWN_MAPPED]: of a node
  /// that left a map before the pool was opened.
  public abstract long mapped();

  /// Whether its content is in memory. A node that is not clean always has its content.
  public abstract boolean isResident();

  /// Version that created the node, or [#UNKNOWN_OWNER]; what it owns now is [Ownership]'s to say.
  public int owner() {
    return owner;
  }

  void learnOwner(int found) {
    owner = found;
  }

  /// Where the last complete checkpoint has the node, or 0.
  public long stored() {
    return stored ? address : 0;
  }

  public int storedCrc() {
    return crc;
  }

  /// A checkpoint that has the node is complete. Committer only.
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

  /// Whether two nodes are one: the same object, or clean at the same address. May say no when a
  /// node has just become clean: the contents say so then.
  public static boolean same(@Nullable Node one, @Nullable Node other) {
    return one == other
        || (one != null
            && other != null
            && one.stored
            && other.stored
            && one.address == other.address);
  }
}
