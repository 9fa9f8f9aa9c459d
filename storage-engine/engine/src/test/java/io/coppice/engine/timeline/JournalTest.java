package io.coppice.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.OldBlocks;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JournalTest {

  private static final JournalTier TIER =
      new JournalTier(Duration.ofSeconds(5), Duration.ofSeconds(60));

  private record Run(long first, long blocks, boolean hole) {}

  private static List<Run> runs(byte[] list) {
    List<Run> found = new ArrayList<>();
    OldBlocks.read(list, (first, blocks, hole) -> found.add(new Run(first, blocks, hole)));
    return found;
  }

  @Test
  void slotsGoRound() {
    List<Run> blocks = new ArrayList<>();
    Journal.slotBlocks(
        Journal.SLOTS - 3, Journal.SLOTS + 2, (first, n) -> blocks.add(new Run(first, n, false)));

    assertThat(blocks).containsExactly(new Run(Journal.SLOTS - 3, 3, false), new Run(0, 2, false));
  }

  @Test
  void theListGoesRoundBehindTheSlots() {
    assertThat(Journal.listBlock(0)).isEqualTo(Journal.SLOTS);
    assertThat(Journal.listBlock(Journal.SLOTS * 4096 - 1)).isEqualTo(2 * Journal.SLOTS - 1);
    assertThat(Journal.listBlock(Journal.SLOTS * 4096)).isEqualTo(Journal.SLOTS);
  }

  @Test
  void aBlockIsKeptOnceForAPoint() {
    Journal journal = new Journal(1, TIER, 1000, 0);

    assertThat(journal.keep(7, 70, 1)).isTrue();
    assertThat(journal.keep(7, 71, 1)).isFalse();
    assertThat(journal.keep(8, 80, 1)).isTrue();
    assertThat(journal.keep(9, 0, 0)).isTrue();
    List<Long> kept = new ArrayList<>();
    journal.endRecord();
    journal.hand(
        (slot, addresses, crcs, count) -> {
          for (int i = 0; i < count; i++) {
            kept.add(slot + i);
            kept.add(addresses[i]);
          }
        });

    assertThat(kept).containsExactly(0L, 70L, 1L, 80L);
    assertThat(runs(journal.inMemory(0, journal.listEnd())))
        .containsExactly(new Run(7, 2, false), new Run(9, 1, true));
    journal.cut(6000, 5000, false);
    assertThat(journal.keep(7, 71, 1)).isTrue();
  }

  /// Replay gives slots at other times than the running pool did. What is stored of the list by
  /// then is of the running one.
  @Test
  void theListFollowsFromTheRecordsWheneverSlotsAreGiven() {
    SplittableRandom random = new SplittableRandom(11);
    Journal atOnce = new Journal(1, TIER, 1000, 0);
    Journal later = new Journal(2, TIER, 1000, 0);
    List<Long> slots = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    for (int record = 0; record < 2000; record++) {
      long first = random.nextInt(4000);
      int blocks = random.nextInt(1, 20);
      for (long block = first; block < first + blocks; block++) {
        long address = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(1 << 20);
        assertThat(later.keep(block, address, 1)).isEqualTo(atOnce.keep(block, address, 1));
      }
      atOnce.endRecord();
      atOnce.hand((slot, addresses, _, count) -> note(slots, slot, addresses, count));
      boolean isFull = later.endRecord();
      boolean isCut = random.nextInt(50) == 0;
      if (isFull || isCut || random.nextInt(30) == 0) {
        later.hand((slot, addresses, _, count) -> note(others, slot, addresses, count));
        assertThat(later.listEnd()).isEqualTo(atOnce.listEnd());
      }
      if (isCut) {
        atOnce.cut(1000 + record, record * 1000L, true);
        later.cut(1000 + record, record * 1000L, true);
      }
    }
    later.hand((slot, addresses, _, count) -> note(others, slot, addresses, count));

    assertThat(others).isEqualTo(slots);
    assertThat(later.inMemory(later.listFrom(), later.listEnd()))
        .isEqualTo(atOnce.inMemory(atOnce.listFrom(), atOnce.listEnd()));
    assertThat(later.nextSlot()).isEqualTo(atOnce.nextSlot());
  }

  private static void note(List<Long> slots, long slot, long[] addresses, int count) {
    for (int i = 0; i < count; i++) {
      slots.add(slot + i);
      slots.add(addresses[i]);
    }
  }

  @Test
  void aPointIsMadeWhenOneIsDueAndSomethingHasChanged() {
    Journal journal = new Journal(1, TIER, 1000, 0);
    journal.cut(6000, 5000, false);
    assertThat(journal.size()).isOne();
    journal.keep(1, 0, 0);
    journal.endRecord();
    journal.hand((_, _, _, _) -> {});
    journal.cut(7000, 6000, false);
    assertThat(journal.size()).as("not due").isOne();
    journal.cut(11_000, 10_000, false);
    assertThat(journal.size()).isEqualTo(2);
    journal.cut(16_000, 15_000, true);
    assertThat(journal.size()).as("forced").isEqualTo(3);
  }

  /// Volumes whose journals began at different times have their points at the same cuts. What comes
  /// late, or not at all for a while, is not made up for.
  @Test
  void aPointIsDueInAllVolumesAtOnce() {
    Journal journal = new Journal(1, TIER, 0, 0);
    Journal later = new Journal(2, TIER, 3300, 3300);
    SplittableRandom random = new SplittableRandom(4);
    long age = 3300;
    while (age < 200_000) {
      age += random.nextInt(1, age < 100_000 ? 700 : 20_000);
      boolean isDue = journal.isDue(age);
      assertThat(later.isDue(age)).isEqualTo(isDue);
      for (Journal each : List.of(journal, later)) {
        each.keep(age, 0, 0);
        each.endRecord();
        each.hand((_, _, _, _) -> {});
        each.cut(age, age, false);
        assertThat(each.newest().moment() == age).isEqualTo(isDue);
        assertThat(each.isDue(age)).isFalse();
      }
    }
    assertThat(journal.lastCut()).isGreaterThan(180_000);
  }

  /// How the volume was at the begin of the time that points are kept is known to the end.
  @Test
  void theNewestPointThatIsTooOldStays() {
    Journal journal = new Journal(1, TIER, 0, 0);
    for (int i = 1; i <= 3; i++) {
      journal.keep(i, 4096, 0);
      journal.endRecord();
      journal.hand((_, _, _, _) -> {});
      journal.cut(i * 5000, i * 5000L, false);
    }
    Journal.Dropped dropped = journal.cut(70_001, 70_000, false);

    assertThat(journal.oldest().moment()).isEqualTo(10_000);
    assertThat(dropped.fromSlot()).isZero();
    assertThat(dropped.toSlot()).isEqualTo(2);
  }

  @Test
  void pointsGoRoundInTheirRing() {
    PointRing ring = new PointRing();
    SplittableRandom random = new SplittableRandom(1);
    long next = 0;
    long first = 0;
    for (int i = 0; i < 10_000; i++) {
      if (random.nextInt(3) > 0 || next == first) {
        ring.add(new Point(10 * next, next, 2 * next, 3 * next));
        next++;
      } else {
        ring.removeFirst();
        first++;
      }
      assertThat(ring.size()).isEqualTo((int) (next - first));
    }
    for (long at = first; at < next; at++) {
      assertThat(ring.get((int) (at - first))).isEqualTo(new Point(10 * at, at, 2 * at, 3 * at));
      assertThat(ring.from(10 * at - 5)).isEqualTo((int) (at - first));
    }
    assertThat(ring.from(10 * next)).isEqualTo(ring.size());
    assertThat(ring.flat()).hasSize(4 * ring.size()).startsWith(10 * first, first);
  }

  @Test
  void bytesThatAreNoListAreRefused() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(40)];
      random.nextBytes(bytes);
      try {
        OldBlocks.read(
            bytes,
            (first, blocks, _) -> {
              assertThat(first).isBetween(0L, (1L << 36) - 1);
              assertThat(first + blocks).isBetween(1L, 1L << 36);
            });
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("expected");
      }
    }
    assertThatThrownBy(() -> OldBlocks.read(new byte[] {1}, (_, _, _) -> {}))
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> OldBlocks.read(new byte[] {1, 0}, (_, _, _) -> {}))
        .isInstanceOf(FormatException.class);
  }

  @Test
  void aListIsReadInPieces() {
    ListBytes list = new ListBytes(0, new byte[0]);
    SplittableRandom random = new SplittableRandom(3);
    List<Run> expected = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Run run = new Run(random.nextLong(1L << 34), 1 + random.nextLong(1L << 20), i % 3 == 0);
      expected.add(run);
      list.run(run.first, run.blocks, run.hole);
    }
    byte[] all = list.between(0, list.end());
    List<Run> found = new ArrayList<>();
    byte[] left = {};
    for (int at = 0; at < all.length; ) {
      int more = Math.min(all.length - at, 1 + random.nextInt(100));
      byte[] piece = java.util.Arrays.copyOf(left, left.length + more);
      System.arraycopy(all, at, piece, left.length, more);
      at += more;
      int read =
          OldBlocks.read(piece, at == all.length, (f, n, hole) -> found.add(new Run(f, n, hole)));
      left = java.util.Arrays.copyOfRange(piece, read, piece.length);
    }

    assertThat(left).isEmpty();
    assertThat(found).isEqualTo(expected);
  }
}
