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

  private record Blocks(long first, long blocks) {}

  private static List<OldBlocks.Run> runs(byte[] list) {
    List<OldBlocks.Run> found = new ArrayList<>();
    OldBlocks.read(list, found::add);
    return found;
  }

  /// Collects a block in the only tier.
  private static boolean keep(Journal journal, long block, long address) {
    if (!journal.needs(block)) {
      return false;
    }
    boolean isHole = address == 0;
    journal.list(block, isHole ? 0 : journal.number(), isHole ? 0 : journal.collect(address, 1));
    return true;
  }

  @Test
  void slotsGoRound() {
    List<Blocks> blocks = new ArrayList<>();
    Journal.slotBlocks(
        Journal.SLOTS - 3, Journal.SLOTS + 2, (first, n) -> blocks.add(new Blocks(first, n)));

    assertThat(blocks).containsExactly(new Blocks(Journal.SLOTS - 3, 3), new Blocks(0, 2));
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

    assertThat(keep(journal, 7, 70)).isTrue();
    assertThat(keep(journal, 7, 71)).isFalse();
    assertThat(keep(journal, 8, 80)).isTrue();
    assertThat(keep(journal, 9, 0)).isTrue();
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
        .containsExactly(new OldBlocks.Run(7, 2, 1, 0), OldBlocks.Run.ofHoles(9, 1));
    journal.cut(6000, 5000, false);
    assertThat(keep(journal, 7, 71)).isTrue();
  }

  /// Replay gives slots at other times than the running pool did. What is stored of the list by
  /// then is of the running one.
  @Test
  void theListFollowsFromTheRecordsWheneverSlotsAreGiven() {
    SplittableRandom random = new SplittableRandom(11);
    Journal atOnce = new Journal(1, TIER, 1000, 0);
    Journal later = new Journal(1, TIER, 1000, 0);
    List<Long> slots = new ArrayList<>();
    List<Long> others = new ArrayList<>();
    for (int record = 0; record < 2000; record++) {
      long first = random.nextInt(4000);
      int blocks = random.nextInt(1, 20);
      for (long block = first; block < first + blocks; block++) {
        long address = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(1 << 20);
        assertThat(keep(later, block, address)).isEqualTo(keep(atOnce, block, address));
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
    keep(journal, 1, 0);
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
        keep(each, age, 0);
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
      keep(journal, i, 4096);
      journal.endRecord();
      journal.hand((_, _, _, _) -> {});
      journal.cut(i * 5000, i * 5000L, false);
    }
    journal.cut(70_001, 70_000, false);
    Journal.Dropped dropped = journal.expire(70_000, new Journal[] {journal});

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
            run -> {
              assertThat(run.first()).isBetween(0L, (1L << 36) - 1);
              assertThat(run.first() + run.blocks()).isBetween(1L, 1L << 36);
              assertThat(run.hidden()).isNotNegative();
              assertThat(run.slot()).isBetween(0L, 1L << 62);
            });
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("expected");
      }
    }
    assertThatThrownBy(() -> OldBlocks.read(new byte[] {1}, _ -> {}))
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> OldBlocks.read(new byte[] {1, 0}, _ -> {}))
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> OldBlocks.read(new byte[] {1, 2, 0, 5}, _ -> {}))
        .isInstanceOf(FormatException.class)
        .hasMessage("expected a slot of a hidden volume, found slot 5 of volume 0");
  }

  @Test
  void aListIsReadInPieces() {
    ListBytes list = new ListBytes(0, new byte[0]);
    SplittableRandom random = new SplittableRandom(3);
    List<OldBlocks.Run> expected = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      long first = random.nextLong(1L << 34);
      long blocks = 1 + random.nextLong(1L << 20);
      OldBlocks.Run run =
          i % 3 == 0
              ? OldBlocks.Run.ofHoles(first, blocks)
              : new OldBlocks.Run(
                  first, blocks, random.nextInt(1, 1 << 30), random.nextLong(1L << 60));
      expected.add(run);
      list.add(run);
    }
    byte[] all = list.between(0, list.end());
    List<OldBlocks.Run> found = new ArrayList<>();
    byte[] left = {};
    for (int at = 0; at < all.length; ) {
      int more = Math.min(all.length - at, 1 + random.nextInt(100));
      byte[] piece = java.util.Arrays.copyOf(left, left.length + more);
      System.arraycopy(all, at, piece, left.length, more);
      at += more;
      int read = OldBlocks.read(piece, at == all.length, found::add);
      left = java.util.Arrays.copyOfRange(piece, read, piece.length);
    }

    assertThat(left).isEmpty();
    assertThat(found).isEqualTo(expected);
  }
}
