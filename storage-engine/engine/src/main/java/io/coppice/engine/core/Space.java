package io.coppice.engine.core;

import io.coppice.engine.PoolSpace;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.Segments;

/// The pool's books: what is stored, set aside and free. Changed by the committer, read by anyone.
///
/// A part of the pool is kept back: what deletes, unmaps, attributes and checkpoints need goes on
/// when a write finds no space any more.
final class Space {

  private static final int RESERVE_ZONES = 3;
  private static final int LEAF_BLOCKS = 2;
  private static final int INNER_BLOCKS = 3;

  private final Segments segments;
  private volatile long reservedBlocks;
  private volatile long leaves;
  private volatile long inners;
  private volatile long dirtyBlocks;
  private volatile long openRoom;
  private volatile long tableBytes;

  Space(Segments segments) {
    this.segments = segments;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addReservedBlocks(long difference) {
    reservedBlocks = reservedBlocks + difference;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void nodeCreated(boolean leaf) {
    if (leaf) {
      leaves = leaves + 1;
    } else {
      inners = inners + 1;
    }
    dirtyBlocks = dirtyBlocks + (leaf ? LEAF_BLOCKS : INNER_BLOCKS);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void nodeFreed(boolean leaf) {
    if (leaf) {
      leaves = leaves - 1;
    } else {
      inners = inners - 1;
    }
  }

  /// Nodes that a restart found: stored, not dirty.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void nodeLoaded(boolean leaf) {
    nodeCreated(leaf);
    dirtyBlocks = dirtyBlocks - (leaf ? LEAF_BLOCKS : INNER_BLOCKS);
  }

  /// A checkpoint takes what is dirty.
  void checkpointCut() {
    dirtyBlocks = 0;
  }

  /// Bytes that the next checkpoint has to write for nodes, about.
  long dirtyBytes() {
    return dirtyBlocks * PoolLayout.BLOCK;
  }

  void setTableBytes(long bytes) {
    tableBytes = bytes;
  }

  /// Publishes what is left in the zones that are being written.
  void setOpenRoom(long bytes) {
    openRoom = bytes;
  }

  /// Bytes of the pool in all.
  long total() {
    return (long) segments.zones() * segments.zoneSize();
  }

  long reserve() {
    long zones = (long) RESERVE_ZONES * segments.zoneSize();
    return Math.max(zones, total() / 50);
  }

  /// Bytes that a write may take without touching the reserve, reservations not considered. What a
  /// checkpoint would take now is not for writes either.
  long writable() {
    long raw = (long) segments.freeZones() * segments.zoneSize() + openRoom;
    return raw - Math.max(reserve(), 2 * (dirtyBytes() + tableBytes) + 2L * segments.zoneSize());
  }

  long reservedBytes() {
    return reservedBlocks * PoolLayout.BLOCK;
  }

  /// Bytes free for what nobody has reserved.
  long free() {
    return Math.max(0, writable() - reservedBytes());
  }

  PoolSpace report() {
    long capacity = total() - reserve();
    long used =
        (segments.liveBlocks() + leaves * LEAF_BLOCKS + inners * INNER_BLOCKS) * PoolLayout.BLOCK;
    long reserved = reservedBytes();
    long free = Math.min(free(), capacity);
    long reclaiming = Math.max(0, capacity - used - reserved - free);
    return new PoolSpace(capacity, used, reclaiming, reserved, free);
  }
}
