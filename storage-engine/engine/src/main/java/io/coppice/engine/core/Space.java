package io.coppice.engine.core;

import io.coppice.engine.PoolSpace;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.segment.Segments;

/// The pool's books: what is stored, set aside and free. Changed by the committer, read by anyone.
///
/// What is kept back from writes, always at its worst:
///
/// - *the reserve*: what deletes, unmaps, attributes and the log's own moves need when a write
///   finds no space any more;
/// - *checkpoints*: they store nodes anew until more than half of what they stored is dead, then
///   all of them at once, before the old ones are given up; the tables stand twice meanwhile;
/// - *the promise to reserved volumes*: each block that one has yet to store may come alone, with a
///   batch header of its own, and each 512 of them with a leaf.
final class Space {

  private static final int RESERVE_ZONES = 2;
  private static final int LEAF_BLOCKS = 2;
  private static final int INNER_BLOCKS = 3;

  /// Most blocks that a stored node takes.
  private static final int NODE_BLOCKS = PoolLayout.blocksFor(NodeImage.MAX_LENGTH);

  /// Blocks of a zone that the log may not fill: the announcement of the next zone, and a tail too
  /// short for a header with a block.
  private static final int ZONE_LOSS = 2;

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

  /// What `blocks` blocks may take of the log at most, in bytes: a header for each, and what is
  /// lost at the ends of the zones that they fill.
  long cost(long blocks) {
    long perZone = segments.blocksPerZone();
    long withHeaders = 2 * blocks;
    return (withHeaders + ZONE_LOSS * ceilDiv(withHeaders, perZone - ZONE_LOSS)) * PoolLayout.BLOCK;
  }

  private static long ceilDiv(long number, long by) {
    return (number + by - 1) / by;
  }

  /// What checkpoints may still need, in bytes, beyond the zones that they have.
  private long keptForCheckpoints() {
    long perZone = segments.blocksPerZone();
    long promisedLeaves = ceilDiv(reservedBlocks, Geometry.FANOUT);
    long nodes = (leaves + inners + promisedLeaves) * NODE_BLOCKS;
    long tables = ceilDiv(tableBytes, PoolLayout.BLOCK) + 1;
    long most = Math.max(2 * nodes, 2 * perZone) + nodes + 2 * tables + 2 * perZone;
    return Math.max(0, most - segments.metaZones() * perZone) * PoolLayout.BLOCK;
  }

  /// Bytes of the log that a write may take, the promise to reserved volumes not considered.
  long writable() {
    long raw = (long) segments.freeZones() * segments.zoneSize() + openRoom;
    return raw - reserve() - keptForCheckpoints();
  }

  /// Bytes of the log that are promised to reserved volumes.
  long promised() {
    return cost(reservedBlocks);
  }

  long reservedBytes() {
    return reservedBlocks * PoolLayout.BLOCK;
  }

  /// Bytes free for what nobody has reserved.
  long free() {
    return Math.max(0, writable() - promised());
  }

  /// Whether `blocks` blocks could be promised beside what is promised already.
  boolean canPromise(long blocks) {
    long leaves = ceilDiv(blocks, Geometry.FANOUT) * 3 * NODE_BLOCKS * PoolLayout.BLOCK;
    return cost(blocks) + leaves <= free();
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
