package io.coppice.engine.segment;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A logical segment: the run of blocks that was written into one zone. Its id is never used for
/// another one while anything in it lives.
///
/// A block lives *at home*, in the segment's zone, or has been moved to a place in another one,
/// where it is a *guest*. When nobody lives at home and there are no guests, the zone is free,
/// whether moved blocks live on or not. Committer only.
public final class Segment {

  /// What a segment holds.
  public enum Kind {
    /// Batches: data.
    LOG,
    /// Nodes and tables of checkpoints.
    META
  }

  /// Instead of a zone.
  public static final int NO_ZONE = -1;

  private final int id;
  private final Kind kind;
  private BlockSet alive;
  private int zone;
  private int live;
  private int moved;
  private int guests;
  private @Nullable Places places;
  private int[] guestsFrom = {};
  private int tables;
  private boolean open = true;

  Segment(int id, Kind kind, int zone, int blocks) {
    this.id = id;
    this.kind = kind;
    this.zone = zone;
    alive = new BlockSet(blocks);
  }

  public int id() {
    return id;
  }

  public Kind kind() {
    return kind;
  }

  /// The zone, or [#NO_ZONE] when all that lives has moved and the zone was given up.
  public int zone() {
    return zone;
  }

  void giveUpZone() {
    zone = NO_ZONE;
  }

  /// Blocks of data or nodes that something names.
  public int live() {
    return live;
  }

  /// Living blocks in its zone, its own and guests.
  public int residents() {
    return live - moved + guests;
  }

  /// Whether the zone holds nothing that lives: it is free after the next checkpoint.
  public boolean isVacant() {
    return !open && residents() == 0;
  }

  /// Living blocks of other segments in its zone.
  public int guests() {
    return guests;
  }

  /// Its own living blocks that lie in its zone.
  public BitSet livingAtHome() {
    BitSet living = alive.toBitSet();
    Places away = places;
    if (away != null && moved > 0) {
      for (int i = living.nextSetBit(0); i >= 0; i = living.nextSetBit(i + 1)) {
        if (away.of(i) != Places.HOME) {
          living.clear(i);
        }
      }
    }
    return living;
  }

  void addGuests(int difference) {
    guests += difference;
  }

  /// A block of this segment was moved into the zone.
  void addGuestFrom(int segment) {
    for (int known : guestsFrom) {
      if (known == segment) {
        return;
      }
    }
    guestsFrom = Arrays.copyOf(guestsFrom, guestsFrom.length + 1);
    guestsFrom[guestsFrom.length - 1] = segment;
  }

  /// Segments of which blocks were moved into the zone, whether they live or not.
  int[] guestsFrom() {
    return guestsFrom;
  }

  /// Where moved blocks are; absent while none was moved.
  @Nullable Places places() {
    return places;
  }

  /// Place of a living block, or [Places#HOME].
  long placeOf(int block) {
    return places == null ? Places.HOME : places.of(block);
  }

  /// Notes a new place of a living block. Readers see it through [Segments].
  Places move(int block, long place) {
    Places now = places == null ? new Places(alive.blocks()) : places.writable();
    if (now.of(block) == Places.HOME) {
      moved++;
    }
    now.set(block, place);
    places = now;
    return now;
  }

  /// Notes the place of a block that is yet to be found alive.
  Places restorePlace(int block, long place) {
    Places now = places == null ? new Places(alive.blocks()) : places;
    now.set(block, place);
    places = now;
    return now;
  }

  /// Forgets dead blocks that were moved to places [from, to).
  ///
  /// @return the places now; null if there are none
  @Nullable Places forgetPlaces(long from, long to) {
    if (places != null) {
      places = places.writable();
      places.forget(from, to);
    }
    return places;
  }

  /// The moved blocks that live, as of now.
  MovedBlocks movedBlocks() {
    return new MovedBlocks(id, frozenAlive(), java.util.Objects.requireNonNull(places).frozen());
  }

  /// What lives, and where, as of now.
  StoredBlocks stored() {
    return new StoredBlocks(id, kind, zone, frozenAlive(), places == null ? null : places.frozen());
  }

  // A checkpoint reads it at leisure: the next change makes a copy.
  private BlockSet frozenAlive() {
    compact();
    return alive.frozen();
  }

  private void compact() {
    if (!open && alive.isLoose(live)) {
      alive = alive.writable();
      alive.compact(live);
    }
  }

  /// Whether blocks that live have been moved.
  boolean hasMoved() {
    return moved > 0;
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
    compact();
  }

  void addTables(int blocks) {
    tables += blocks;
  }

  public boolean isAlive(int block) {
    return block >= 0 && block < alive.blocks() && alive.contains(block);
  }

  void setAlive(int block) {
    if (isAlive(block)) {
      throw new IllegalStateException("block %d of segment %d lives already".formatted(block, id));
    }
    flip(block);
    live++;
    if (placeOf(block) != Places.HOME) {
      moved++;
    }
  }

  void setDead(int block) {
    if (!isAlive(block)) {
      throw new IllegalStateException("block %d of segment %d is dead".formatted(block, id));
    }
    flip(block);
    live--;
    if (placeOf(block) != Places.HOME) {
      moved--;
    }
  }

  private void flip(int block) {
    alive = alive.writable();
    alive.flip(block);
  }

  /// Bytes of memory that stay taken as long as the segment is there, about.
  long pinnedBytes() {
    long row = 96 + 64; // this, and its place in the tables by id and zone
    return row
        + alive.bytes()
        + (places == null ? 0 : places.bytes())
        + (guestsFrom.length == 0 ? 0 : 16 + 4L * guestsFrom.length);
  }
}
