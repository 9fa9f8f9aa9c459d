package io.coppice.engine.timeline;

import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The journal of a volume: its tiers, and what reverts have replaced. All methods but the getters
/// of what never changes need its lock.
///
/// An old block that several tiers need is in one slot, of the tier that keeps its points longest
/// ([#keep]). That one keeps the slot as long as any of the others has a point from before the
/// block was written over. A tier that is given up is *closed* first if others need slots of it.
/// Nobody sees it then, and it goes when they do not need it any more.
public final class Timeline {

  // The tier that keeps longest has the slots; of two that keep equally long, the one with fewer
  // points.
  private static final Comparator<Journal> LONGEST_FIRST =
      Comparator.comparing((Journal each) -> each.tier().keep())
          .thenComparing(each -> each.tier().every())
          .reversed();

  private final List<Journal> journals = new ArrayList<>();
  private Journal[] longestFirst = {}; // those that are open
  private final List<Base> bases = new ArrayList<>();
  private final ArrayDeque<Left> left = new ArrayDeque<>(); // committer only
  private long lastMoment;

  /// A journal without tiers.
  public Timeline() {}

  /// A journal from the tables of a checkpoint.
  public Timeline(JournalRow row) {
    row.tiers().forEach(tier -> journals.add(new Journal(tier)));
    row.bases().forEach(base -> bases.add(new Base(base.moment(), base.number())));
    lastMoment = row.lastMoment();
    order();
  }

  /// The row for a checkpoint.
  ///
  /// @param volume its number
  public synchronized JournalRow row(int volume) {
    return new JournalRow(
        volume,
        lastMoment,
        journals.stream().map(Journal::row).toList(),
        bases.stream().map(base -> new JournalRow.Base(base.moment(), base.number())).toList());
  }

  /// The tiers, closed ones too. Changed by the committer only.
  public List<Journal> journals() {
    return journals;
  }

  /// The tiers that are not closed, in the order in which they were begun.
  public List<Journal> open() {
    return journals.stream().filter(journal -> !journal.isClosed()).toList();
  }

  private void order() {
    longestFirst = open().stream().sorted(LONGEST_FIRST).toArray(Journal[]::new);
  }

  /// Collects a block that is about to be written over, for each tier in which it is the first time
  /// since the last point. Committer only.
  ///
  /// @param address of its data; 0 for a hole
  /// @return whether any needs it
  public boolean keep(long block, long address, int crc) {
    Journal owner = null;
    long slot = 0;
    for (Journal journal : longestFirst) {
      if (journal.needs(block)) {
        if (owner == null) {
          owner = journal;
          slot = address == 0 ? 0 : owner.collect(address, crc);
        } else if (address != 0) {
          owner.lend(journal, slot);
        }
        journal.list(block, address == 0 ? 0 : owner.number(), slot);
      }
    }
    return owner != null;
  }

  /// Ends a record.
  ///
  /// @return whether so much waits that all is to get its slots now
  public boolean endRecord() {
    boolean isMuch = false;
    for (Journal journal : longestFirst) {
      isMuch |= journal.endRecord();
    }
    return isMuch;
  }

  public List<Base> bases() {
    return bases;
  }

  /// A moment for its next point: the time, but later than the last one.
  public long momentAt(long timeMillis) {
    return Math.max(lastMoment + 1, timeMillis);
  }

  /// The newest age of a cut.
  public synchronized long lastAge() {
    return journals.stream().mapToLong(Journal::lastCut).max().orElse(0);
  }

  /// Whether a point is due in a tier.
  public synchronized boolean isDue(long age) {
    for (Journal journal : longestFirst) {
      if (journal.isDue(age)) {
        return true;
      }
    }
    return false;
  }

  /// Blocks of a hidden volume that points have left: they are not needed any more.
  ///
  /// @param hidden its number
  private record Left(int hidden, long first, long blocks) {}

  /// The receiver of blocks that are not needed any more.
  public interface Emptied {
    /// @param hidden number of the hidden volume
    void blocks(int hidden, long first, long blocks);
  }

  /// Hands on the blocks that cuts and trims have left. Not within a record.
  public void release(Emptied to) {
    for (Left next = left.poll(); next != null; next = left.poll()) {
      to.blocks(next.hidden(), next.first(), next.blocks());
    }
  }

  /// The receiver of hidden volumes that are not needed any more.
  public interface Gone {
    /// All of a tier.
    void tier(Journal journal);

    void base(Base base);
  }

  /// Makes a point in each tier in which one is due, and drops the points that are too old. The
  /// blocks that these leave wait for [#release].
  ///
  /// @param forced whether a point is made in any case
  public synchronized void cut(long moment, long age, boolean forced, Gone gone) {
    lastMoment = moment;
    for (Journal journal : longestFirst) {
      journal.cut(moment, age, forced);
    }
    drop(journal -> journal.expire(age, longestFirst), gone);
  }

  /// Drops the points before a moment; the blocks that they leave wait for [#release]. The newest
  /// of them stays in each tier, since it tells how the volume was up to the next one.
  public synchronized void trim(long moment, Gone gone) {
    drop(journal -> journal.trim(moment, longestFirst), gone);
  }

  private interface Dropping {
    Journal.Dropped from(Journal journal);
  }

  // Whoever borrows comes first: what it does not need any more may go at once.
  private void drop(Dropping dropping, Gone gone) {
    for (int i = longestFirst.length - 1; i >= 0; i--) {
      leave(longestFirst[i], dropping.from(longestFirst[i]));
    }
    for (Journal journal : List.copyOf(journals)) {
      if (journal.isClosed()) {
        leave(journal, dropping.from(journal));
        if (journal.isUnneeded(longestFirst)) {
          journals.remove(journal);
          gone.tier(journal);
        }
      }
    }
    dropBases(gone);
  }

  private void leave(Journal journal, Journal.Dropped dropped) {
    int hidden = journal.number();
    Journal.slotBlocks(
        dropped.fromSlot(), dropped.toSlot(), (first, n) -> left.add(new Left(hidden, first, n)));
    Journal.listBlocks(
        dropped.fromOffset(),
        dropped.toOffset(),
        (first, n) -> left.add(new Left(hidden, first, n)));
  }

  private void dropBases(Gone gone) {
    while (!bases.isEmpty() && oldest() > bases.getFirst().moment()) {
      gone.base(bases.removeFirst());
    }
  }

  /// Notes that the volume has been given other content: from here on a base is what it was.
  public synchronized void replaced(Base base) {
    bases.add(base);
  }

  public synchronized void add(Journal journal) {
    journals.add(journal);
    lastMoment = Math.max(lastMoment, journal.newest().moment());
    order();
  }

  /// Sets how long tiers keep their points. If another one keeps longer than before, each has a
  /// point at that moment. So between two points of a tier, of any two tiers only one lends slots
  /// to the other, and no two wait for each other with what they are to drop.
  ///
  /// @param tiers of the journals that are open, each with the time between points that it has
  public synchronized void retain(Map<Journal, JournalTier> tiers, long moment, Gone gone) {
    Journal[] order = longestFirst;
    tiers.forEach(Journal::retain);
    order();
    if (!Arrays.equals(order, longestFirst)) {
      journals.forEach(Journal::endLoans);
      cut(moment, lastAge(), true, gone);
    }
  }

  /// Gives up tiers. One with slots that others need is closed. Nothing waits for its slots.
  public synchronized void close(List<Journal> ended, long moment, Gone gone) {
    ended.forEach(journal -> journal.close(moment));
    order();
    drop(journal -> journal.trim(0, longestFirst), gone);
  }

  // ---- questions

  /// Whether blocks wait for their slots, or for being given up. Committer only.
  public boolean isWaiting() {
    if (!left.isEmpty()) {
      return true;
    }
    for (Journal journal : journals) {
      if (journal.isWaiting()) {
        return true;
      }
    }
    return false;
  }

  /// The numbers of its hidden volumes.
  public synchronized List<Integer> hidden() {
    List<Integer> numbers = new ArrayList<>();
    journals.forEach(journal -> numbers.add(journal.number()));
    bases.forEach(base -> numbers.add(base.number()));
    return numbers;
  }

  /// The moment that it reaches back to.
  public synchronized long oldest() {
    long moment = Long.MAX_VALUE;
    for (Journal journal : longestFirst) {
      moment = Math.min(moment, journal.oldest().moment());
    }
    return moment;
  }

  /// What it has now, as of one moment. It waits for nobody but who changes it.
  public synchronized JournalInfo info() {
    return new JournalInfo(
        open().stream().map(Journal::tier).toList(),
        Instant.ofEpochMilli(oldest()),
        Instant.ofEpochMilli(
            open().stream().mapToLong(each -> each.newest().moment()).max().orElse(0)),
        open().stream().mapToLong(Journal::size).sum(),
        slots() * PoolLayout.BLOCK,
        journals.stream().mapToLong(Journal::memoryBytes).sum());
  }

  /// Slots that are taken.
  private long slots() {
    return journals.stream().mapToLong(each -> each.nextSlot() - each.oldest().slot()).sum();
  }

  /// Moments from one on, each once, in order.
  public synchronized List<Long> moments(long from, int most) {
    List<Journal> open = open();
    int[] at = open.stream().mapToInt(journal -> journal.from(from)).toArray();
    List<Long> found = new ArrayList<>();
    while (found.size() < most) {
      long next = Long.MAX_VALUE;
      for (int i = 0; i < at.length; i++) {
        if (at[i] < open.get(i).size()) {
          next = Math.min(next, open.get(i).point(at[i]).moment());
        }
      }
      if (next == Long.MAX_VALUE) {
        break;
      }
      found.add(next);
      for (int i = 0; i < at.length; i++) {
        if (at[i] < open.get(i).size() && open.get(i).point(at[i]).moment() == next) {
          at[i]++;
        }
      }
    }
    return found;
  }

  /// Moments from one back, each once, the newest first.
  public synchronized List<Long> momentsBefore(long to, int most) {
    List<Journal> open = open();
    int[] at = open.stream().mapToInt(journal -> journal.from(to + 1) - 1).toArray();
    List<Long> found = new ArrayList<>();
    while (found.size() < most) {
      long next = -1;
      for (int i = 0; i < at.length; i++) {
        if (at[i] >= 0) {
          next = Math.max(next, open.get(i).point(at[i]).moment());
        }
      }
      if (next < 0) {
        break;
      }
      found.add(next);
      for (int i = 0; i < at.length; i++) {
        if (at[i] >= 0 && open.get(i).point(at[i]).moment() == next) {
          at[i]--;
        }
      }
    }
    return found;
  }

  /// The newest moment at a time or before it; -1 if there is none.
  public synchronized long at(long time) {
    long found = -1;
    for (Journal journal : longestFirst) {
      int index = journal.from(time + 1) - 1;
      if (index >= 0) {
        found = Math.max(found, journal.point(index).moment());
      }
    }
    return found;
  }

  /// The way back to a point.
  ///
  /// @param base the content to begin with; absent: that of the volume
  /// @param end offset at which the list ends; -1: where it ends by then
  public record Way(Journal journal, Point point, @Nullable Base base, long end) {}

  /// The way back to a moment; absent if no point has it.
  public synchronized @Nullable Way way(long moment) {
    for (Journal journal : longestFirst) {
      int index = journal.from(moment);
      if (index < journal.size() && journal.point(index).moment() == moment) {
        Base base = bases.stream().filter(each -> each.moment() >= moment).findFirst().orElse(null);
        long end = base == null ? -1 : journal.point(journal.from(base.moment())).offset();
        return new Way(journal, journal.point(index), base, end);
      }
    }
    return null;
  }

  /// Whether everything on the way is there still.
  public synchronized boolean isOpen(int journal, long offset) {
    return open().stream()
        .anyMatch(each -> each.number() == journal && each.oldest().offset() <= offset);
  }

  /// A part of a list.
  ///
  /// @param stored offset before which it is to be read from the hidden volume
  /// @param rest the bytes from there on
  public record Part(long stored, long end, byte[] rest) {}

  /// The list of a way.
  ///
  /// @return absent if the volume was given other content since the way was found: what is in the
  ///   list behind that leads back to it
  public synchronized @Nullable Part part(Way way) {
    boolean isCut = bases.stream().anyMatch(base -> base.moment() >= way.point().moment());
    return way.base() == null && isCut
        ? null
        : part(way.journal(), way.point().offset(), way.end());
  }

  private static Part part(Journal journal, long from, long end) {
    long to = end < 0 ? journal.listEnd() : end;
    long memory = Math.min(to, Math.max(from, journal.listFrom()));
    return new Part(
        memory,
        to,
        journal.inMemory(Math.max(memory, journal.listFrom()), Math.max(to, journal.listFrom())));
  }

  /// Bytes of the list to be stored, with the block of the hidden volume that they go to.
  public record Storable(int number, long block, byte[] bytes) {}

  public synchronized List<Storable> storable() {
    List<Storable> found = new ArrayList<>();
    for (Journal journal : journals) {
      byte[] bytes = journal.storable();
      if (bytes.length > 0) {
        found.add(new Storable(journal.number(), Journal.listBlock(journal.listFrom()), bytes));
      }
    }
    return found;
  }
}
