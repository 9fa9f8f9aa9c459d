package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The segments of the pool: the zone of each, its live blocks, and the free zones.
///
/// Changed by the committer. The thread that writes a checkpoint also calls [#takeZone] and
/// [#newId]. Any thread may read [#offsetOf].
public final class Segments {

  /// In place of an offset, for a block whose location is in a stored page: see [Pages].
  public static final long IN_PAGE = BlockLocations.IN_PAGE;

  private final int zoneSize;
  private final int zones;
  private final TreeMap<Integer, Segment> table = new TreeMap<>();
  private final PlacementCounts counts = new PlacementCounts();
  private final SecondZones twins;

  private final BlockLocations locations = new BlockLocations();
  private final @Nullable Segment[] byZone;

  private final FreeZones freeZones;
  private final SegmentIds ids = new SegmentIds();

  private int dead;
  private long sealed;
  private long died;
  private volatile long liveBlocks;
  private volatile int metaZones;

  public Segments(int zoneSize, int zones) {
    this.zoneSize = zoneSize;
    this.zones = zones;
    freeZones = new FreeZones(zones);
    byZone = new Segment[zones];
    twins = new SecondZones(zoneSize, zones);
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

  public SecondZones twins() {
    return twins;
  }

  public FreeZones free() {
    return freeZones;
  }

  /// Free zones that can be taken.
  public int freeZones() {
    return freeZones.count();
  }

  /// Blocks of data that some map names.
  public long liveBlocks() {
    return liveBlocks;
  }

  /// Zones of nodes and tables, second ones too.
  public int metaZones() {
    return metaZones;
  }

  /// Takes a free zone, going round the device.
  ///
  /// @return its number, or -1 if there is none
  public int takeZone() {
    return freeZones.take();
  }

  /// Marks a zone as taken. Recovery finds out which zones are.
  public void claim(int zone) {
    freeZones.claim(zone);
  }

  /// Gives back a zone that no segment lies in.
  public void giveBack(int zone) {
    freeZones.giveBack(zone);
  }

  /// Whether nothing is stored in a zone, or about to be.
  public boolean isFree(int zone) {
    return freeZones.has(zone);
  }

  /// An id that no segment has.
  public int newId() {
    return ids.take();
  }

  public SegmentIds ids() {
    return ids;
  }

  /// Adds a segment that lies in a taken zone, or in none any more.
  public Segment add(int id, Segment.Kind kind, int zone) {
    return add(id, kind, zone, SecondZones.NONE);
  }

  /// @param twin its second zone, taken, too; or [SecondZones#NONE]
  public Segment add(int id, Segment.Kind kind, int zone, int twin) {
    Segment segment = new Segment(id, kind, zone, blocksPerZone());
    if (table.put(id, segment) != null) {
      throw new IllegalStateException("segment %d is in use".formatted(id));
    }
    ids.use(id);
    if (zone >= 0) {
      twins.set(zone, twin);
      countMeta(segment, 1);
      byZone[zone] = segment;
    }
    place(id, zone);
    return segment;
  }

  public void seal(int id) {
    Segment segment = require(id);
    int before = deadness(segment);
    sealed += segment.isOpen() ? 1 : 0;
    segment.seal();
    dead += deadness(segment) - before;
  }

  /// Number of segments sealed so far. While it is 0, there is no other zone to clean.
  public long sealedSoFar() {
    return sealed;
  }

  /// Sealed segments in whose zones nothing lives: their zones are free after the next checkpoint.
  public int deadSegments() {
    return dead;
  }

  /// Blocks of data that died so far.
  long died() {
    return died;
  }

  // The block placed last in a zone may come to life when the segment is sealed already.
  private void setAlive(Segment segment, int block) {
    int before = deadness(segment);
    segment.setAlive(block);
    dead += deadness(segment) - before;
  }

  private void setDead(Segment segment, int block) {
    int before = deadness(segment);
    segment.setDead(block);
    dead += deadness(segment) - before;
    died += segment.kind() == Segment.Kind.LOG ? 1 : 0;
    int zone = segment.zoneOfMoved(block);
    if (zone != ZoneExtents.AT_HOME) {
      addGuests(segment, (long) zone * blocksPerZone(), -1);
    }
  }

  private void addGuests(Segment guest, long place, int difference) {
    Segment owner = ownerOf(place, guest.kind());
    int before = deadness(owner);
    owner.addGuests(difference);
    if (difference > 0 && owner.kind() == Segment.Kind.META) {
      owner.addGuestFrom(guest.id());
    }
    dead += deadness(owner) - before;
  }

  private Segment ownerOf(long place, Segment.Kind kind) {
    long zone = place / blocksPerZone();
    Segment owner = zone >= 0 && zone < zones ? byZone[(int) zone] : null;
    if (owner == null || owner.kind() != kind) {
      throw new IllegalStateException(
          "expected a segment of kind %s at place %d, found none".formatted(kind, place));
    }
    return owner;
  }

  private static int deadness(Segment segment) {
    return segment.isVacant() && segment.tables() == 0 && segment.zone() >= 0 ? 1 : 0;
  }

  public @Nullable Segment find(int id) {
    return table.get(id);
  }

  public List<Segment> all() {
    return new ArrayList<>(table.values());
  }

  /// Removes a dead segment and frees its zone, if it has one. Nothing may hold an address in it.
  public void remove(Segment segment) {
    giveUpZone(segment);
    dropPage(segment);
    table.remove(segment.id());
    locations.forget(segment.id());
    ids.giveBack(segment.id());
  }

  /// Gives up the blocks of its stored page, which are needed no more. They are free when a
  /// checkpoint that is cut from now on counts.
  void dropPage(Segment segment) {
    StoredPage page = segment.discount();
    if (page != null) {
      nodeDropped(page.address());
    }
  }

  /// Frees the zone of a segment whose live blocks have all moved. No reader may be on its way
  /// there.
  public void giveUpZone(Segment segment) {
    int zone = segment.zone();
    if (zone < 0) {
      return;
    }
    dead -= deadness(segment);
    countMeta(segment, -1);
    segment.giveUpZone();
    place(segment.id(), Segment.NO_ZONE);
    forgetGuests(segment.guestsFrom(), (long) zone * blocksPerZone());
    byZone[zone] = null;
    int twin = twins.of(zone);
    twins.set(zone, SecondZones.NONE);
    giveBack(zone);
    if (twin != SecondZones.NONE) {
      giveBack(twin);
    }
  }

  // None of them lives, and no reader is left that could look for one. For data, their notes are
  // left out when the page is next stored.
  private void forgetGuests(int[] from, long place) {
    for (int id : from) {
      Segment guest = table.get(id);
      RelocatedBlocks places =
          guest == null ? null : guest.forgetPlaces(place, place + blocksPerZone());
      if (places != null) {
        locations.setMoved(id, places);
      }
    }
  }

  // ---- moved blocks

  /// The segment whose zone this is, absent if it has none.
  public @Nullable Segment inZone(int zone) {
    return byZone[zone];
  }

  /// Whether a block lives and lies at `place`.
  public boolean livesAt(int id, int block, long place) {
    Segment segment = table.get(id);
    if (segment == null || !segment.isAlive(block)) {
      return false;
    }
    long now = segment.placeOf(block);
    return now == place
        || (now == RelocatedBlocks.HOME
            && (long) segment.zone() * blocksPerZone() + block == place);
  }

  /// Notes that a block has been stored again, at `place`: from now on it is read there. Does
  /// nothing if it does not live.
  ///
  /// @return whether it lives
  public boolean move(int id, int block, long place) {
    Segment segment = table.get(id);
    if (segment == null || !segment.isAlive(block)) {
      return false;
    }
    int before = deadness(segment);
    long old = segment.placeOf(block);
    addGuests(segment, place, 1);
    locations.setMoved(id, segment.move(block, place));
    dead += deadness(segment) - before;
    if (old != RelocatedBlocks.HOME) {
      addGuests(segment, old, -1);
    }
    return true;
  }

  /// Restores a moved block of a checkpoint, before its maps are counted.
  void restorePlace(int id, int block, long place) {
    Segment segment = require(id);
    ownerOf(place, segment.kind());
    RelocatedBlocks places = segment.restorePlace(block, place);
    locations.setMoved(id, places);
  }

  /// Restores the live blocks of a segment from the tables of a checkpoint, after its moved blocks.
  ///
  /// @throws IllegalStateException if there is no such segment, or it has another number of blocks
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void restoreAlive(int id, long[] bits) {
    Segment segment = require(id);
    if (64 * bits.length != blocksPerZone()) {
      throw new IllegalStateException(
          "expected %d blocks in segment %d, found %d"
              .formatted(blocksPerZone(), id, 64 * bits.length));
    }
    int before = deadness(segment);
    for (int block = 0; block < 64 * bits.length; block++) {
      if ((bits[block >>> 6] >>> block & 1) != 0) {
        segment.setAlive(block);
        long place = segment.placeOf(block);
        if (place != RelocatedBlocks.HOME) {
          addGuests(segment, place, 1);
        } else if (segment.zone() < 0) {
          throw new IllegalStateException(
              "expected a zone of segment %d, in which blocks live, found none".formatted(id));
        }
        liveBlocks = liveBlocks + (segment.kind() == Segment.Kind.LOG ? 1 : 0);
      }
    }
    dead += deadness(segment) - before;
  }

  /// The live blocks of every segment of nodes and tables, as of now.
  public List<StoredBlocks> stored() {
    List<StoredBlocks> all = new ArrayList<>();
    for (Segment segment : table.values()) {
      if (segment.kind() == Segment.Kind.META && segment.live() > 0) {
        all.add(segment.stored());
      }
    }
    return all;
  }

  /// The receiver of moved blocks.
  public interface Guests {
    void guest(int segment, int block, long place);
  }

  /// Shows the living blocks of other segments in the zone of this one, which holds nodes and
  /// tables. Looks through all segments.
  public void guestsOf(Segment owner, Guests guests) {
    for (Segment segment : table.values()) {
      if (segment.kind() == owner.kind() && segment.hasMoved()) {
        for (int block = 0; block < blocksPerZone(); block++) {
          long place = segment.isAlive(block) ? segment.placeOf(block) : RelocatedBlocks.HOME;
          if (place != RelocatedBlocks.HOME && place / blocksPerZone() == owner.zone()) {
            guests.guest(segment.id(), block, place);
          }
        }
      }
    }
  }

  /// The moved blocks of every segment of nodes and tables, as of now.
  public List<MovedBlocks> movedBlocks() {
    List<MovedBlocks> all = new ArrayList<>();
    for (Segment segment : table.values()) {
      if (segment.kind() == Segment.Kind.META && segment.hasMoved()) {
        all.add(segment.movedBlocks());
      }
    }
    return all;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void countMeta(Segment segment, int difference) {
    if (segment.kind() == Segment.Kind.META) {
      metaZones = metaZones + (twins.of(segment.zone()) == SecondZones.NONE ? 1 : 2) * difference;
    }
  }

  /// Publishes the zone of a segment before the committer knows it: nodes of a running checkpoint.
  public void place(int id, int zone) {
    locations.setZone(id, zone);
  }

  /// Device offset of an address, -1 if its segment is unknown, or [#IN_PAGE].
  public long offsetOf(long address) {
    return offset(
        locations.placeOf(
            BlockAddress.segment(address), BlockAddress.block(address), blocksPerZone()));
  }

  static long offset(long place) {
    return place < 0 ? place : PoolLayout.SUPERBLOCK_AREA + place * PoolLayout.BLOCK;
  }

  BlockLocations locations() {
    return locations;
  }

  /// Restores the state of a segment from a checkpoint.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void restored(Segment segment, Runnable restore) {
    int before = deadness(segment);
    restore.run();
    dead += deadness(segment) - before;
    liveBlocks = liveBlocks + segment.live();
  }

  /// Notes a first placement of a block of data.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void placed(long address) {
    Segment segment = require(BlockAddress.segment(address));
    int block = BlockAddress.block(address);
    setAlive(segment, block);
    int zone = segment.zoneOfMoved(block);
    if (zone != ZoneExtents.AT_HOME) { // a stored map has it, and the table of relocated blocks
      addGuests(segment, (long) zone * blocksPerZone(), 1);
    }
    liveBlocks = liveBlocks + 1;
  }

  /// Notes a further placement of a block that has one.
  public void placedAgain(long address) {
    counts.add(address, 1);
  }

  /// Notes a placement found in a stored map, the first one or a further one. The counts are
  /// complete already.
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

  /// Notes that a placement of a block of data is gone.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void released(long address) {
    if (counts.remove(address)) {
      setDead(require(BlockAddress.segment(address)), BlockAddress.block(address));
      liveBlocks = liveBlocks - 1;
    }
  }

  /// Notes that blocks of a node have been written to a segment.
  public void nodeStored(long address) {
    Segment segment = require(BlockAddress.segment(address));
    for (int i = 0; i < BlockAddress.blocks(address); i++) {
      setAlive(segment, BlockAddress.block(address) + i);
    }
  }

  /// Notes that the stored blocks of a node are needed no more.
  public void nodeDropped(long address) {
    Segment segment = require(BlockAddress.segment(address));
    for (int i = 0; i < BlockAddress.blocks(address); i++) {
      setDead(segment, BlockAddress.block(address) + i);
    }
  }

  /// Adds blocks of tables to a segment's count, or takes them away.
  public void tables(int id, int blocks) {
    Segment segment = require(id);
    int before = deadness(segment);
    segment.addTables(blocks);
    dead += deadness(segment) - before;
  }

  Segment require(int id) {
    Segment segment = table.get(id);
    if (segment == null) {
      throw new IllegalStateException("expected segment %d, found none".formatted(id));
    }
    return segment;
  }

  /// Approximate bytes of memory that stay taken as long as the stored data is there.
  public long pinnedBytes() {
    long bytes = locations.bytes() + ids.bytes() + 4L * zones;
    for (Segment segment : table.values()) {
      bytes += segment.pinnedBytes();
    }
    return bytes;
  }
}
