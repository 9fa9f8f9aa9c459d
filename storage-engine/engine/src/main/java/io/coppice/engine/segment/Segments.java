package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which zone each segment lies in, what lives in it, and which zones are free.
///
/// Changed by the committer; [#takeZone] and [#newId] also by the thread that writes a checkpoint,
/// [#offsetOf] read by anyone.
public final class Segments {

  private static final int PAGE = 1024;

  private final int zoneSize;
  private final int zones;
  private final TreeMap<Integer, Segment> table = new TreeMap<>();
  private final PlacementCounts counts = new PlacementCounts();

  // Zone + 1 by segment id, 0 = none; pages only ever appear.
  private volatile int[][] placement = new int[0][];

  // Guarded by this.
  private final BitSet freeZones = new BitSet();
  private int nextZone;
  private int nextId;

  private int dead;
  private volatile int freeCount;
  private volatile long liveBlocks;
  private volatile int metaZones;

  public Segments(int zoneSize, int zones) {
    this.zoneSize = zoneSize;
    this.zones = zones;
    freeZones.set(0, zones);
    freeCount = zones;
  }

  public int zoneSize() {
    return zoneSize;
  }

  public int zones() {
    return zones;
  }

  public int blocksPerZone() {
    return zoneSize / PoolLayout.BLOCK;
  }

  public PlacementCounts counts() {
    return counts;
  }

  /// Free zones.
  public int freeZones() {
    return freeCount;
  }

  /// Blocks of data that some map names.
  public long liveBlocks() {
    return liveBlocks;
  }

  /// Zones of nodes and tables.
  public int metaZones() {
    return metaZones;
  }

  /// Takes a free zone, going round the device.
  ///
  /// @return its number, or -1 if there is none
  public synchronized int takeZone() {
    int zone = freeZones.nextSetBit(nextZone);
    if (zone < 0) {
      zone = freeZones.nextSetBit(0);
    }
    if (zone >= 0) {
      nextZone = zone + 1;
      claim(zone);
    }
    return zone;
  }

  /// Marks a zone as taken; recovery finds out which are.
  public synchronized void claim(int zone) {
    if (freeZones.get(zone)) {
      freeZones.clear(zone);
      freeCount--;
    }
  }

  /// Gives back a zone that no segment lies in.
  public synchronized void giveBack(int zone) {
    if (!freeZones.get(zone)) {
      freeZones.set(zone);
      freeCount++;
    }
  }

  public synchronized int newId() {
    if (nextId > BlockAddress.MAX_SEGMENT) {
      throw new IllegalStateException("the pool has used up its segment ids");
    }
    return nextId++;
  }

  public synchronized int nextId() {
    return nextId;
  }

  public synchronized void raiseNextId(int atLeast) {
    nextId = Math.max(nextId, atLeast);
  }

  /// Adds a segment that lies in a taken zone.
  public Segment add(int id, Segment.Kind kind, int zone) {
    Segment segment = new Segment(id, kind, zone, blocksPerZone());
    if (table.put(id, segment) != null) {
      throw new IllegalStateException("segment %d is in use".formatted(id));
    }
    countMeta(segment, 1);
    place(id, zone);
    return segment;
  }

  public void seal(int id) {
    Segment segment = require(id);
    int before = deadness(segment);
    segment.seal();
    dead += deadness(segment) - before;
  }

  /// Sealed segments in which nothing lives: their zones are free after the next checkpoint.
  public int deadSegments() {
    return dead;
  }

  // What is placed last in a zone may come to life when the segment is sealed already.
  private void setAlive(Segment segment, int block) {
    int before = deadness(segment);
    segment.setAlive(block);
    dead += deadness(segment) - before;
  }

  private void setDead(Segment segment, int block) {
    int before = deadness(segment);
    segment.setDead(block);
    dead += deadness(segment) - before;
  }

  private static int deadness(Segment segment) {
    return !segment.isOpen() && segment.live() == 0 && segment.tables() == 0 ? 1 : 0;
  }

  public @Nullable Segment find(int id) {
    return table.get(id);
  }

  public List<Segment> all() {
    return new ArrayList<>(table.values());
  }

  /// Removes a dead segment and frees its zone. Nobody may hold an address in it.
  public void remove(Segment segment) {
    table.remove(segment.id());
    countMeta(segment, -1);
    dead -= deadness(segment);
    place(segment.id(), -1);
    giveBack(segment.zone());
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void countMeta(Segment segment, int difference) {
    if (segment.kind() == Segment.Kind.META) {
      metaZones = metaZones + difference;
    }
  }

  /// Publishes where a segment lies before the committer knows it: nodes of a running checkpoint.
  public synchronized void place(int id, int zone) {
    int[][] pages = placement;
    int page = id / PAGE;
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(page + 1, 2 * pages.length));
    }
    if (pages[page] == null) {
      pages[page] = new int[PAGE];
    }
    pages[page][id % PAGE] = zone + 1;
    placement = pages;
  }

  /// Device offset of an address, or -1 if its segment is unknown.
  public long offsetOf(long address) {
    int id = BlockAddress.segment(address);
    int[][] pages = placement;
    int page = id / PAGE;
    int[] zoneOf = page < pages.length ? pages[page] : null;
    int zone = zoneOf == null ? -1 : zoneOf[id % PAGE] - 1;
    return zone < 0
        ? -1
        : PoolLayout.zoneOffset(zone, zoneSize)
            + (long) BlockAddress.block(address) * PoolLayout.BLOCK;
  }

  /// A first placement of a block of data.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void placed(long address) {
    setAlive(require(BlockAddress.segment(address)), BlockAddress.block(address));
    liveBlocks = liveBlocks + 1;
  }

  /// A further placement of a block that has one.
  public void placedAgain(long address) {
    counts.add(address, 1);
  }

  /// A placement found in a stored map: the first one or a further one. The counts are complete
  /// already.
  public void found(long address) {
    Segment segment = table.get(BlockAddress.segment(address));
    if (segment == null) {
      throw new IllegalStateException(
          "expected %s, found no such segment".formatted(BlockAddress.describe(address)));
    }
    if (!segment.isAlive(BlockAddress.block(address))) {
      placed(address);
    } else if (counts.of(address) < 2) {
      throw new IllegalStateException(
          "expected one placement of %s, found two".formatted(BlockAddress.describe(address)));
    }
  }

  /// A placement of a block of data is gone.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void released(long address) {
    if (counts.remove(address)) {
      setDead(require(BlockAddress.segment(address)), BlockAddress.block(address));
      liveBlocks = liveBlocks - 1;
    }
  }

  /// Blocks of a node have been written to a segment.
  public void nodeStored(long address) {
    Segment segment = require(BlockAddress.segment(address));
    for (int i = 0; i < BlockAddress.blocks(address); i++) {
      setAlive(segment, BlockAddress.block(address) + i);
    }
  }

  /// Nobody needs the stored blocks of a node any more.
  public void nodeDropped(long address) {
    Segment segment = require(BlockAddress.segment(address));
    for (int i = 0; i < BlockAddress.blocks(address); i++) {
      setDead(segment, BlockAddress.block(address) + i);
    }
  }

  /// Counts blocks of tables in a segment, or discounts them.
  public void tables(int id, int blocks) {
    Segment segment = require(id);
    int before = deadness(segment);
    segment.addTables(blocks);
    dead += deadness(segment) - before;
  }

  private Segment require(int id) {
    Segment segment = table.get(id);
    if (segment == null) {
      throw new IllegalStateException("expected segment %d, found none".formatted(id));
    }
    return segment;
  }
}
