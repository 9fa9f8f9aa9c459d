package io.coppice.engine.segment;

import io.coppice.engine.format.table.PageRow;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// A logical segment: the run of blocks that was written into one zone. Its id is never given to
/// another segment while anything in it lives.
///
/// A block lives *at home*, in the segment's zone, or was moved to a place in another zone, where
/// it is a *guest*. When no block lives at home and there are no guests, the zone is free, even if
/// moved blocks live on.
///
/// While nothing is moved, a stored page may say which blocks live and where the moved ones lie.
/// Then *changes* say what came to life or died since, and steps ([ZoneExtents]) say in which zones
/// the moved blocks lie. [Pages] decides. Committer only.
public final class Segment {

  /// The kind of content of a segment.
  public enum Kind {
    /// Batches: data.
    LOG,
    /// Nodes and tables of checkpoints.
    META;

    /// The kind of a segment that the tables have.
    ///
    /// @param meta whether it has nodes and tables
    public static Kind of(boolean meta) {
      return meta ? META : LOG;
    }
  }

  /// Instead of a zone.
  public static final int NO_ZONE = -1;

  private final int id;
  private final Kind kind;
  private final int blocks;
  private @Nullable BlockSet alive; // absent: see the stored page and the changes
  private int zone;
  private int live;
  private int moved;
  private int guests;
  private @Nullable RelocatedBlocks places;
  private int[] guestsFrom = {};
  private int tables;
  private boolean open = true;

  private @Nullable StoredPage stored;
  private @Nullable BlockSet changes; // since the stored page, or the cut that stores the next one
  private int[] steps = ZoneExtents.NONE; // of the stored page
  private boolean due; // the next checkpoint stores it whole
  private boolean storing; // a checkpoint that is being written stores it whole
  private boolean discounted; // the blocks of the stored page count as dead

  Segment(int id, Kind kind, int zone, int blocks) {
    this.id = id;
    this.kind = kind;
    this.zone = zone;
    this.blocks = blocks;
    alive = new BlockSet(blocks);
  }

  public int id() {
    return id;
  }

  public Kind kind() {
    return kind;
  }

  /// The zone, or [#NO_ZONE] when all live blocks have moved and the zone was given up.
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

  /// Whether nothing lives in the zone. It is then free after the next checkpoint.
  public boolean isVacant() {
    return !open && residents() == 0;
  }

  /// Living blocks of other segments in its zone.
  public int guests() {
    return guests;
  }

  /// Its own living blocks that lie in its zone. For a segment in memory.
  public BitSet livingAtHome() {
    BitSet living = here().toBitSet();
    RelocatedBlocks away = places;
    if (away != null && moved > 0) {
      for (int i = living.nextSetBit(0); i >= 0; i = living.nextSetBit(i + 1)) {
        if (away.of(i) != RelocatedBlocks.HOME) {
          living.clear(i);
        }
      }
    }
    return living;
  }

  void addGuests(int difference) {
    guests += difference;
  }

  /// Notes that a block of that segment was moved into the zone.
  void addGuestFrom(int segment) {
    for (int known : guestsFrom) {
      if (known == segment) {
        return;
      }
    }
    guestsFrom = Arrays.copyOf(guestsFrom, guestsFrom.length + 1);
    guestsFrom[guestsFrom.length - 1] = segment;
  }

  /// Segments that have had blocks moved into the zone, whether these live or not.
  int[] guestsFrom() {
    return guestsFrom;
  }

  /// Places of the moved blocks; absent while none was moved.
  @Nullable RelocatedBlocks places() {
    return places;
  }

  /// Place of a living block, or [RelocatedBlocks#HOME]. For a segment in memory.
  long placeOf(int block) {
    here();
    return places == null ? RelocatedBlocks.HOME : places.of(block);
  }

  /// The zone in which a living block lies, or [ZoneExtents#AT_HOME].
  int zoneOfMoved(int block) {
    if (alive == null) {
      return ZoneExtents.zoneOf(steps, block);
    }
    long place = placeOf(block);
    return place == RelocatedBlocks.HOME ? ZoneExtents.AT_HOME : (int) (place / blocks);
  }

  private BlockSet here() {
    BlockSet now = alive;
    if (now == null) {
      throw new IllegalStateException(
          "expected what lives in segment %d in memory, found it stored".formatted(id));
    }
    return now;
  }

  /// Notes a new place of a living block. Readers see it through [Segments].
  RelocatedBlocks move(int block, long place) {
    RelocatedBlocks now = places == null ? new RelocatedBlocks(blocks) : places.writable();
    if (now.of(block) == RelocatedBlocks.HOME) {
      moved++;
    }
    now.set(block, place);
    places = now;
    due = true;
    return now;
  }

  /// Notes the place of a block that is yet to be found alive.
  RelocatedBlocks restorePlace(int block, long place) {
    RelocatedBlocks now = places == null ? new RelocatedBlocks(blocks) : places;
    now.set(block, place);
    places = now;
    return now;
  }

  /// Forgets dead blocks that were moved to places [from, to).
  ///
  /// @return the places now; null if there are none
  @Nullable RelocatedBlocks forgetPlaces(long from, long to) {
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

  /// The live blocks and their places, as of now.
  StoredBlocks stored() {
    return new StoredBlocks(id, kind, zone, frozenAlive(), places == null ? null : places.frozen());
  }

  // A checkpoint reads it at leisure: the next change makes a copy.
  private BlockSet frozenAlive() {
    compact();
    return here().frozen();
  }

  private void compact() {
    BlockSet now = alive;
    if (!open && now != null && now.isLoose(live)) {
      now = now.writable();
      now.compact(live);
      alive = now;
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

  /// Whether a block lives. For a segment in memory.
  public boolean isAlive(int block) {
    return block >= 0 && block < blocks && here().contains(block);
  }

  void setAlive(int block) {
    if (isResident() && isAlive(block)) {
      throw new IllegalStateException("block %d of segment %d lives already".formatted(block, id));
    }
    flip(block);
    live++;
    if (zoneOfMoved(block) != ZoneExtents.AT_HOME) {
      moved++;
    }
  }

  void setDead(int block) {
    if (live == 0 || (isResident() && !isAlive(block))) {
      throw new IllegalStateException("block %d of segment %d is dead".formatted(block, id));
    }
    flip(block);
    live--;
    if (zoneOfMoved(block) != ZoneExtents.AT_HOME) {
      moved--;
    }
  }

  private void flip(int block) {
    BlockSet now = alive;
    if (now != null) {
      now = now.writable();
      now.flip(block);
      alive = now;
    }
    if (storing || (stored != null && !due)) {
      BlockSet changed = changes == null ? BlockSet.none(blocks) : changes.writable();
      changed.flip(block);
      changes = changed;
    }
  }

  // ---- the stored page

  /// Whether the live blocks are known here.
  boolean isResident() {
    return alive != null;
  }

  @Nullable StoredPage page() {
    return stored;
  }

  int[] steps() {
    return steps;
  }

  /// Number of blocks that came to life or died since the stored page.
  int changed() {
    return changes == null ? 0 : changes.size();
  }

  /// The blocks that came to life or died since the stored page, as of now.
  BlockSet frozenChanges() {
    return (changes == null ? BlockSet.none(blocks) : changes).frozen();
  }

  PageRow.Counts counts() {
    return new PageRow.Counts(id, live, moved, guests);
  }

  /// The live blocks and their places, as of now.
  PageContent content() {
    return new PageContent(id, frozenAlive(), places == null ? null : places.frozen());
  }

  /// Makes the next checkpoint store it whole; until then it stays in memory.
  void setDue() {
    due = true;
    changes = null;
  }

  boolean isDue() {
    return due;
  }

  boolean isStoring() {
    return storing;
  }

  /// Notes that a checkpoint was cut that stores it whole.
  void cut() {
    due = false;
    storing = true;
    changes = null;
  }

  /// Notes that the checkpoint counts.
  ///
  /// @param page absent: it is in the tables
  void stored(@Nullable StoredPage page, int[] steps) {
    stored = page;
    this.steps = steps;
    storing = false;
    discounted = false;
    if (page == null) {
      changes = null;
    }
  }

  /// Notes that the checkpoint came to nothing.
  void notStored() {
    storing = false;
    setDue();
  }

  /// @return the page whose blocks are needed no more, once; then null
  @Nullable StoredPage discount() {
    StoredPage page = discounted ? null : stored;
    discounted = true;
    return page;
  }

  /// Forgets the page, because nothing lives here any more.
  void forgetPage() {
    alive = BlockSet.none(blocks);
    places = null;
    stored = null;
    changes = null;
    steps = ZoneExtents.NONE;
    due = false;
    storing = false;
  }

  /// Restores the state that a checkpoint says.
  void restore(PageRow.Counts counts, StoredPage at, int[] steps, @Nullable BlockSet since) {
    restore(counts);
    alive = null;
    stored = at;
    this.steps = steps;
    changes = since;
  }

  /// Restores the state that a checkpoint says.
  void restore(PageRow.Counts counts, PageContent content) {
    restore(counts);
    alive = content.alive();
    places = content.places();
  }

  private void restore(PageRow.Counts counts) {
    live = counts.live();
    moved = counts.moved();
    guests = counts.guests();
  }

  /// Takes the content of the stored page and brings it up to date.
  void adopt(PageContent content) {
    BlockSet now = content.alive().writable();
    BlockSet since = changes;
    if (since != null) {
      long[] words = since.words();
      for (int word = 0; word < words.length; word++) {
        for (long left = words[word]; left != 0; left &= left - 1) {
          now.flip(64 * word + Long.numberOfTrailingZeros(left));
        }
      }
    }
    alive = now;
    places = content.places();
  }

  /// Leaves it to the stored page again.
  ///
  /// @return whether that says all
  boolean drop() {
    if (alive == null || stored == null || due || storing) {
      return false;
    }
    alive = null;
    places = null;
    return true;
  }

  /// Approximate bytes of memory that the live blocks and the changes take.
  long bytes() {
    return (alive == null ? 0 : alive.bytes())
        + (places == null ? 0 : places.bytes())
        + (changes == null ? 0 : changes.bytes());
  }

  /// Approximate bytes of memory that stay taken as long as the segment is there.
  long pinnedBytes() {
    long row = 80 + 64; // this, and its place in the tables by id and zone
    return row
        + bytes()
        + (stored == null ? 0 : 24)
        + (steps.length == 0 ? 0 : 16 + 4L * steps.length)
        + (guestsFrom.length == 0 ? 0 : 16 + 4L * guestsFrom.length);
  }
}
