package io.coppice.engine.timeline;

import io.coppice.engine.format.OldBlocks;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A tier of the journal of a volume: its points, and what was written over after each of them.
///
/// What a block held before it was written over for the first time after a point gets the next
/// *slot*. A slot is an entry in the map of a hidden volume: so the old block keeps a placement, as
/// after a copy by pointer. Slots go round: their numbers never end, and slot `n` is block `n`
/// modulo [#SLOTS] of the hidden volume. Which blocks were written over, and which slots have them,
/// is in a list of bytes ([OldBlocks]). Its end is in memory and in the checkpoint; the rest is
/// data of the hidden volume, from block [#SLOTS] on, and goes round, too.
///
/// A block that several tiers need gets one slot, in the tier that keeps its points longest. Each
/// tier has it in its list. So a tier *lends* slots to others, and keeps them until no point of
/// those needs them ([Timeline]).
///
/// Old blocks are collected first, and get their slots together: a change of the hidden map for
/// each of them alone would cost more than the write. Only the committer knows which ones wait.
/// They have their slots before a point, a copy of a point, a checkpoint, and the end of the
/// journal.
///
/// Points, slots and list are first in, first out. Another volume or snapshot never matters.
public final class Journal {

  /// Blocks of the hidden volume for slots, and as many again for the list.
  public static final long SLOTS = 1L << 33;

  /// Most leaves of which the blocks written over are remembered. Beyond it, a block may get a
  /// second slot for the same point. The first one counts.
  static final int MOST_LEAVES = 65_536;

  /// Blocks and runs that are collected before they get their slots.
  static final int MOST_COLLECTED = 64;

  private static final int MOST_KEPT = 4 * MOST_COLLECTED;
  private static final int RUN_FIELDS = 4;
  private static final int BLOCKS_AT = 1;
  private static final int HIDDEN_AT = 2;
  private static final int SLOT_AT = 3;
  private static final int BLOCK = PoolLayout.BLOCK;

  private final int number;
  private JournalTier tier;
  private final PointRing points = new PointRing();
  private final WrittenBlocks written = new WrittenBlocks();
  private final ListBytes list;
  private long writtenFrom;
  private long nextSlot;
  private long lastCut;
  private final Loans loans;
  private long closedAt; // moment; 0: it is open

  // What was collected: its runs, each as its first block, the number of its blocks, the hidden
  // volume, and the slot; and of those that get slots here, what the map had.
  private long[] runs = {};
  private int ofRuns;
  private boolean isRunOpen;
  private long[] addresses = {};
  private int[] crcs = {};
  private int collected;

  /// A journal that begins.
  ///
  /// @param number of the hidden volume
  public Journal(int number, JournalTier tier, long moment, long age) {
    this.number = number;
    this.tier = tier;
    list = new ListBytes(0, new byte[0]);
    loans = new Loans(List.of());
    lastCut = age;
    points.add(new Point(moment, age, 0, 0));
  }

  /// A journal from the tables of a checkpoint.
  public Journal(JournalRow.Tier row) {
    number = row.number();
    tier =
        new JournalTier(
            Duration.ofSeconds(row.everySeconds()), Duration.ofSeconds(row.keepSeconds()));
    list = new ListBytes(row.listFrom(), row.list());
    nextSlot = row.nextSlot();
    lastCut = row.lastCut();
    writtenFrom = row.writtenFrom();
    loans = new Loans(row.loans());
    closedAt = row.closedAt();
    long[] flat = row.points();
    for (int at = 0; at < flat.length; at += JournalRow.POINT_FIELDS) {
      points.add(new Point(flat[at], flat[at + 1], flat[at + 2], flat[at + 3]));
    }
    OldBlocks.read(list.between(writtenFrom, list.end()), this::restoreWritten);
  }

  private void restoreWritten(OldBlocks.Run run) {
    for (long block = run.first(); block < run.first() + run.blocks(); block++) {
      written.add(block);
    }
  }

  /// The row for a checkpoint.
  JournalRow.Tier row() {
    return new JournalRow.Tier(
        number,
        (int) tier.every().toSeconds(),
        (int) tier.keep().toSeconds(),
        nextSlot,
        lastCut,
        list.from(),
        list.between(list.from(), list.end()),
        writtenFrom,
        loans.rows(),
        closedAt,
        points.flat());
  }

  /// The number of the hidden volume.
  public int number() {
    return number;
  }

  public JournalTier tier() {
    return tier;
  }

  void retain(JournalTier other) {
    tier = other;
  }

  // ---- what is written over

  /// Notes that a block is about to be written over.
  ///
  /// @return whether it is the first time since the last point: what it has is needed then
  boolean needs(long block) {
    return written.add(block);
  }

  /// Collects what a block has. It is in its slot after [#hand].
  ///
  /// @return the slot
  long collect(long address, int crc) {
    if (collected == addresses.length) {
      int more = Math.max(8, 2 * collected);
      addresses = Arrays.copyOf(addresses, more);
      crcs = Arrays.copyOf(crcs, more);
    }
    addresses[collected] = address;
    crcs[collected] = crc;
    return nextSlot + collected++;
  }

  /// Notes that the list of another tier references a slot.
  void lend(Journal borrower, long slot) {
    loans.add(borrower.number, slot);
  }

  /// Collects a needed block for the list.
  ///
  /// @param hidden the number of the volume with its slot; 0 for a hole
  void list(long block, int hidden, long slot) {
    if (!continues(block, hidden)) {
      if (ofRuns == runs.length) {
        runs = Arrays.copyOf(runs, Math.max(8 * RUN_FIELDS, 2 * ofRuns));
      }
      runs[ofRuns] = block;
      runs[ofRuns + BLOCKS_AT] = 0;
      runs[ofRuns + HIDDEN_AT] = hidden;
      runs[ofRuns + SLOT_AT] = slot;
      ofRuns += RUN_FIELDS;
      isRunOpen = true;
    }
    runs[ofRuns - RUN_FIELDS + BLOCKS_AT]++;
  }

  // Within a record blocks that follow each other get slots that do, if they are of one volume.
  private boolean continues(long block, int hidden) {
    int last = ofRuns - RUN_FIELDS;
    return isRunOpen
        && runs[last] + runs[last + BLOCKS_AT] == block
        && runs[last + HIDDEN_AT] == hidden;
  }

  /// Ends a record: the next one begins a run of its own. So the bytes of the list follow from the
  /// records alone, and replay makes the same ones, whenever what waits gets its slots.
  ///
  /// @return whether so much waits that it is to get its slots now
  public boolean endRecord() {
    isRunOpen = false;
    return collected >= MOST_COLLECTED
        || ofRuns >= RUN_FIELDS * MOST_COLLECTED
        || written.leaves() > MOST_LEAVES;
  }

  /// Whether anything waits for its slot.
  boolean isWaiting() {
    return ofRuns > 0;
  }

  /// The receiver of what is to be kept.
  public interface Slots {
    /// @param slot of the first of them, the others follow
    void put(long slot, long[] addresses, int[] crcs, int count);
  }

  /// Hands on what was collected, in the order in which it was written over. The list has it then,
  /// too: whoever reads the list finds in its slots what it says. Not within a record.
  public void hand(Slots slots) {
    for (int at = 0; at < ofRuns; at += RUN_FIELDS) {
      list.add(
          new OldBlocks.Run(
              runs[at], runs[at + BLOCKS_AT], (int) runs[at + HIDDEN_AT], runs[at + SLOT_AT]));
    }
    ofRuns = 0;
    if (collected > 0) {
      slots.put(nextSlot, addresses, crcs, collected);
      nextSlot += collected;
      collected = 0;
    }
    if (addresses.length > MOST_KEPT || runs.length > RUN_FIELDS * MOST_KEPT) { // a large record
      addresses = new long[0];
      crcs = new int[0];
      runs = new long[0];
    }
    if (written.leaves() > MOST_LEAVES) {
      written.clear();
      writtenFrom = list.end();
    }
  }

  // ---- points

  /// The slots and bytes of the list that the oldest points leave: they are not needed any more.
  ///
  /// @param toSlot the first that is needed
  public record Dropped(long fromSlot, long toSlot, long fromOffset, long toOffset) {}

  /// Whether a point is due: the age has passed a multiple of the time between points since the
  /// last one was. So points of one tier are due at the same cuts in all volumes of a pool,
  /// whenever their journals began, and a machine of several disks comes back as it was at one
  /// moment.
  boolean isDue(long age) {
    long every = tier.every().toMillis();
    return age / every > lastCut / every;
  }

  /// Makes a point if one is due and anything has changed.
  ///
  /// @param forced whether the point is made in any case
  void cut(long moment, long age, boolean forced) {
    boolean isDue = isDue(age);
    if (isDue) {
      lastCut = age;
    }
    if (forced || isDue) {
      if (forced || list.end() != points.get(points.size() - 1).offset()) {
        points.add(new Point(moment, age, nextSlot, list.end()));
        written.clear();
        writtenFrom = list.end();
      }
    }
  }

  /// Drops the points that are too old, but the newest of them: it tells how the volume was up to
  /// the next one. Of a closed tier all but the last one are.
  ///
  /// @param open the tiers that are not closed: what it has lent them stays
  Dropped expire(long age, Journal[] open) {
    long oldest = age - tier.keep().toMillis();
    return dropWhile(open, () -> isClosed() || points.age(1) <= oldest);
  }

  /// Drops the points before a moment, but the newest of them.
  ///
  /// @param open as above
  Dropped trim(long moment, Journal[] open) {
    return dropWhile(open, () -> isClosed() || points.moment(1) <= moment);
  }

  /// Notes that the tiers now lend to each other in another order.
  void endLoans() {
    loans.endRanges();
  }

  /// Closes the tier: it keeps nothing more, and its points are not shown.
  void close(long moment) {
    closedAt = moment;
  }

  boolean isClosed() {
    return closedAt != 0;
  }

  /// Whether no list references a slot of a closed tier any more.
  ///
  /// @param open as above
  boolean isUnneeded(Journal[] open) {
    return !loans.isNeeded(points.get(0).slot(), nextSlot, closedAt, open);
  }

  private Dropped dropWhile(Journal[] open, BooleanSupplier isNextOldEnough) {
    Point before = points.get(0);
    while (points.size() > 1
        && isNextOldEnough.getAsBoolean()
        && !loans.isNeeded(points.get(0).slot(), points.get(1).slot(), points.moment(1), open)) {
      points.removeFirst();
    }
    loans.keepOnly(points.get(0).slot(), open);
    Point now = points.get(0);
    list.forget(now.offset() / BLOCK * BLOCK);
    return new Dropped(before.slot(), now.slot(), before.offset(), now.offset());
  }

  int size() {
    return points.size();
  }

  Point point(int index) {
    return points.get(index);
  }

  Point oldest() {
    return points.get(0);
  }

  Point newest() {
    return points.get(points.size() - 1);
  }

  int from(long moment) {
    return points.from(moment);
  }

  long nextSlot() {
    return nextSlot;
  }

  long lastCut() {
    return lastCut;
  }

  long memoryBytes() {
    return points.bytes()
        + list.capacity()
        + written.bytes()
        + Long.BYTES * (long) (runs.length + addresses.length)
        + Integer.BYTES * (long) crcs.length;
  }

  // ---- the list

  long listEnd() {
    return list.end();
  }

  /// Offset of the first byte of the list that is in memory.
  long listFrom() {
    return list.from();
  }

  byte[] inMemory(long start, long end) {
    return list.between(start, end);
  }

  /// The bytes of the list that may be stored now: whole blocks, all before the newest point.
  byte[] storable() {
    long end = newest().offset() / BLOCK * BLOCK;
    return end <= list.from() ? new byte[0] : list.between(list.from(), end);
  }

  /// Notes that blocks of the list have been stored in the hidden volume.
  ///
  /// @param first block of the hidden volume
  public void stored(long first, long blocks) {
    if (first == listBlock(list.from()) && list.from() + blocks * BLOCK <= list.end()) {
      list.forget(list.from() + blocks * BLOCK);
    }
  }

  /// The block of the hidden volume that has a byte of the list.
  public static long listBlock(long offset) {
    return SLOTS + offset / BLOCK % SLOTS;
  }

  /// The block of the hidden volume that is a slot.
  public static long slotBlock(long slot) {
    return slot % SLOTS;
  }

  /// The receiver of runs of blocks of the hidden volume.
  public interface Blocks {
    void run(long first, long blocks);
  }

  /// Shows the blocks of slots from one to before another, in one or two runs.
  public static void slotBlocks(long from, long to, Blocks blocks) {
    around(from, to, 0, blocks);
  }

  /// Shows the blocks that have only bytes of the list before an offset, from another one on.
  static void listBlocks(long fromOffset, long toOffset, Blocks blocks) {
    around(fromOffset / BLOCK, toOffset / BLOCK, SLOTS, blocks);
  }

  private static void around(long from, long to, long base, Blocks blocks) {
    long at = from;
    while (at < to) {
      long run = Math.min(to - at, SLOTS - at % SLOTS);
      blocks.run(base + at % SLOTS, run);
      at += run;
    }
  }
}
