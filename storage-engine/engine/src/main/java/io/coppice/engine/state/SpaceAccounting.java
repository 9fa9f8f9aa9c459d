package io.coppice.engine.state;

import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.map.Geometry;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.status.PoolSpace;

/// The space accounting of a pool: stored, reserved and free space. Changed by the committer, read
/// by any thread.
///
/// They answer two questions:
///
/// - *Is there space for it?* counts live and promised blocks, wherever they lie. Dead blocks in
///   zones that are partly alive are as good as free, because the cleaner gives them back. At most
///   7/8 of the zones are promised for data, so that there is always a zone worth cleaning. Only
///   this refuses.
/// - *Can it be written now?* counts free zones. A writer that finds none waits for the cleaner and
///   for a checkpoint.
///
/// Kept back, always for the worst case:
///
/// - *checkpoints*: they store nodes anew until more than half of the stored ones are dead. Then
///   they store all of them at once, before the old ones are given up. The tables stand twice
///   meanwhile, and each of all these in two zones;
/// - *the cleaner*: zones to copy into before those that it empties are free;
/// - *the log*: its present zone, the announced one, and one for commands that may never be
///   refused;
/// - *the promise to reserved volumes*: each block that one has yet to store, or may write over
///   while a copy keeps the old one, and a leaf for each 512 of them.
public final class SpaceAccounting {

  private static final int LEAF_BLOCKS = 2;
  private static final int INNER_BLOCKS = 3;

  /// Most blocks that a stored node takes.
  private static final int NODE_BLOCKS = PoolLayout.blocksFor(NodeImage.MAX_LENGTH);

  /// Copies of a node that checkpoints may hold at once: two old ones and the new one.
  private static final int NODE_COPIES = 3;

  /// Zones that each node and table is stored in.
  private static final long TWICE = 2;

  private static final int LOG_ZONES = 3;

  /// Zones that the log holds: the present one and the announced one.
  private static final int OPEN_ZONES = 2;

  private static final int LEAST_CLEANER_ZONES = 3;

  /// Bytes by which the table of relocated blocks may grow for each block moved.
  private static final int MOVED_BYTES = 16;

  private final Segments segments;
  private volatile long reservedBlocks;
  private volatile long leaves;
  private volatile long inners;
  private volatile long dirtyBlocks;
  private volatile long openRoom;
  private volatile long survivorRoom;
  private volatile long tableBytes;
  private volatile long movedBytes;
  private volatile long sharedBlocks;
  private volatile long pageBlocks;

  SpaceAccounting(Segments segments) {
    this.segments = segments;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addReservedBlocks(long difference) {
    reservedBlocks = reservedBlocks + difference;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addSharedBlocks(long difference) {
    sharedBlocks = sharedBlocks + difference;
  }

  /// Notes that blocks have been moved since the last cut: the tables will be longer.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void moved(int blocks) {
    movedBytes = movedBytes + (long) blocks * MOVED_BYTES;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void nodeCreated(boolean leaf) {
    if (leaf) {
      leaves = leaves + 1;
    } else {
      inners = inners + 1;
    }
    dirtyBlocks = dirtyBlocks + TWICE * (leaf ? LEAF_BLOCKS : INNER_BLOCKS);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void nodeFreed(boolean leaf) {
    if (leaf) {
      leaves = leaves - 1;
    } else {
      inners = inners - 1;
    }
  }

  /// Counts the nodes that a restart found: stored, not dirty.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void nodesFound(long foundLeaves, long foundInners) {
    leaves = leaves + foundLeaves;
    inners = inners + foundInners;
  }

  /// Leaves that there are, in memory or not.
  public long leaves() {
    return leaves;
  }

  /// Inner nodes that there are.
  public long inners() {
    return inners;
  }

  /// Notes that a checkpoint takes all dirty nodes.
  public void checkpointCut() {
    dirtyBlocks = 0;
  }

  /// Approximate bytes that the next checkpoint has to write for nodes.
  public long dirtyBytes() {
    return dirtyBlocks * PoolLayout.BLOCK;
  }

  public void setTableBytes(long bytes) {
    tableBytes = bytes;
    movedBytes = 0;
  }

  /// Publishes the blocks that pages of segments take, each counted once.
  public void setPageBlocks(long blocks) {
    pageBlocks = blocks;
  }

  /// Publishes the room left in the zones that are being written.
  void setOpenRoom(long bytes) {
    openRoom = bytes;
  }

  /// Publishes the room left in the zone that the cleaner fills.
  void setSurvivorRoom(long bytes) {
    survivorRoom = bytes;
  }

  /// Bytes of the pool in all. Zones for which the medium has no place do not count.
  long total() {
    return (long) zones() * segments.zoneSize();
  }

  private int zones() {
    return segments.zones() - segments.free().withheld();
  }

  /// Zones that the cleaner may fill before it has emptied one.
  private long cleanerZones() {
    return Math.max(LEAST_CLEANER_ZONES, zones() / 50);
  }

  /// Free zones that checkpoints, deletes and the cleaner may need before another zone is free.
  /// They must have their place on the medium.
  public int keptZones() {
    return zonesForCheckpoints() + LEAST_CLEANER_ZONES + LOG_ZONES;
  }

  /// Free zones that checkpoints may still take.
  int zonesForCheckpoints() {
    return (int)
        Math.max(0, mostForCheckpoints() / segments.blocksPerZone() - segments.metaZones());
  }

  /// Bytes that are kept back for the cleaner and the log.
  public long reserve() {
    return (cleanerZones() + LOG_ZONES) * segments.zoneSize();
  }

  private static long ceilDiv(long number, long by) {
    return (number + by - 1) / by;
  }

  /// Most blocks that checkpoints may ever take for the nodes and tables that there are, in whole
  /// zones: a checkpoint shares none.
  private long mostForCheckpoints() {
    long perZone = segments.blocksPerZone();
    long promisedLeaves = ceilDiv(reservedBlocks, Geometry.FANOUT);
    long nodes = (leaves + inners + promisedLeaves) * NODE_BLOCKS + pageBlocks;
    long alive = (long) segments.zones() * (segments.blocksPerZone() / 8 + 16);
    long tables = ceilDiv(tableBytes + movedBytes + alive, PoolLayout.BLOCK) + 1;
    long once = Math.max((NODE_COPIES - 1) * nodes, 2 * perZone) + nodes + 2 * tables + 2 * perZone;
    return TWICE * ceilDiv(once, perZone) * perZone;
  }

  /// Bytes of free zones beyond what checkpoints may still take, and what the log has yet to take
  /// for the used part of its two zones. It takes a free zone for each that it fills, so the rest
  /// of an open zone is nothing that a checkpoint could have.
  private long raw() {
    long zones = (long) segments.freeZones() - zonesForCheckpoints() - OPEN_ZONES;
    return zones * segments.zoneSize() + openRoom;
  }

  /// The kinds of writers that ask for room in the log. Each leaves more to those before it.
  public enum Writer {
    CLEANER,
    /// Deletes, unmaps, copies and changes.
    NEVER_REFUSED,
    HOST
  }

  /// Bytes that may go into the log now; less than 0 if others need more than there is.
  public long room(Writer writer) {
    return raw()
        - switch (writer) {
          case CLEANER -> -survivorRoom;
          case NEVER_REFUSED -> 2L * segments.zoneSize();
          case HOST -> cleanerZones() * segments.zoneSize();
        };
  }

  /// Bytes of room for hosts if no dead blocks lay among live ones.
  public long packedRoom() {
    long taken = (long) segments.metaZones() * segments.blocksPerZone();
    long blocks = segments.liveBlocks() + Math.max(taken, mostForCheckpoints());
    return total() - cleanerZones() * segments.zoneSize() - blocks * PoolLayout.BLOCK;
  }

  /// Blocks of data that the pool can hold with the metadata that it has.
  private long dataBlocks() {
    long all = (total() - reserve()) / PoolLayout.BLOCK - mostForCheckpoints();
    return Math.max(0, all / 8 * 7);
  }

  /// What nodes may take for changes of `blocks` blocks in one run.
  static long nodesFor(long blocks) {
    long nodes = blocks / Geometry.FANOUT + 2 + 3;
    return nodes * NODE_BLOCKS * NODE_COPIES * TWICE;
  }

  /// Blocks that nobody holds or was promised; negative if the metadata outgrew them.
  long freeBlocks() {
    return dataBlocks() - segments.liveBlocks() - reservedBlocks - sharedBlocks;
  }

  long reservedBytes() {
    return reservedBlocks * PoolLayout.BLOCK;
  }

  /// Bytes free for writes without a reservation.
  public long free() {
    return Math.max(0, freeBlocks() * PoolLayout.BLOCK);
  }

  /// Whether `blocks` blocks could be promised beside what is promised already.
  boolean canPromise(long blocks) {
    long leaves = ceilDiv(blocks, Geometry.FANOUT);
    return blocks + leaves * NODE_BLOCKS * NODE_COPIES * TWICE <= freeBlocks();
  }

  public PoolSpace report() {
    long metadata = 4L * TWICE * segments.zoneSize();
    long capacity = Math.max(0, (total() - reserve() - metadata) / 8 * 7);
    long nodes = TWICE * (leaves * LEAF_BLOCKS + inners * INNER_BLOCKS);
    long used = (segments.liveBlocks() + nodes) * PoolLayout.BLOCK;
    long reserved = reservedBytes();
    long free = Math.min(free(), Math.max(0, capacity - used - reserved));
    long reclaiming = Math.max(0, capacity - used - reserved - free);
    return new PoolSpace(total(), capacity, used, reclaiming, reserved, free);
  }
}
